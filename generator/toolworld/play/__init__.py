"""Plays a task by hand or by a program: one session, with an interface for each."""

from toolworld.play.programs import play_in_json
from toolworld.play.session import PlaySession, open_session, task_rows
from toolworld.play.terminal import play_in_terminal

__all__ = ["PlaySession", "open_session", "play_in_json", "play_in_terminal", "task_rows"]
