"""Clients with an event loop, or with Gymnasium, have the same episodes."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path

import anyio
import pytest
from gymnasium.utils.env_checker import check_env

from toolworld.client import AsyncEnvironment, Environment, GymnasiumEnvironment
from toolworld.client.remote import Host
from toolworld.errors import EpisodeError, EpisodeGone
from toolworld.packages import Package


def test_methods_can_be_awaited(starter: Package) -> None:
    async def look() -> tuple[str, int]:
        async with await AsyncEnvironment.local(starter.path) as environment:
            result = await environment.call("list_bikes")
            return result.outcome, len(await environment.diff())

    assert anyio.run(look) == ("ok", 0)


def test_a_person_answers(repository: Path) -> None:
    with Environment.local(repository / "generated_servers" / "retail") as environment:
        task = next(one for one in environment.tasks if one["person"])
        environment.reset(task["id"])
        assert environment.say("What may I do for you?").text
        assert environment.grade().reward == 0.0


def test_gymnasium_accepts_it(starter: Package) -> None:
    environment = GymnasiumEnvironment(Environment.local(starter.path))
    check_env(environment, skip_render_check=True)


def test_the_reward_comes_with_the_end(starter: Package) -> None:
    task = starter.tasks()[0]
    environment = GymnasiumEnvironment(Environment.local(starter.path), [task["id"]])
    observation, info = environment.reset(seed=1)
    assert json.loads(observation)["person"] == task["instruction"]
    assert {tool["name"] for tool in info["tools"]} >= {"rent_bike"}
    rented = {"customer_id": "CUS-90001", "bike_id": "BIK-90001", "days": 3}
    for tool, arguments in (
        ("find_customer", {"email": "ada.brook@example.com"}),
        ("list_bikes", {"kind": "electric"}),
        ("rent_bike", rented),
    ):
        action = json.dumps({"tool": tool, "arguments": arguments})
        _, reward, is_over, _, _ = environment.step(action)
        assert (reward, is_over) == (0.0, False)
    _, reward, is_over, _, info = environment.step(json.dumps({"finish": "It is yours."}))
    assert (reward, is_over, info["score"]) == (1.0, True, 1.0)


@pytest.mark.parametrize("action", ["", "[]", "{}", '{"tool": 1}', '{"tool": "fly"}', "[" * 9999])
def test_what_is_no_action_is_an_observation(starter: Package, action: str) -> None:
    environment = GymnasiumEnvironment(Environment.local(starter.path), most_steps=1)
    environment.reset(seed=1)
    observation, reward, is_over, is_cut_off, _ = environment.step(action)
    assert "error" in json.loads(observation)
    assert (reward, is_over, is_cut_off) == (0.0, False, True)


def test_a_task_that_is_not_there_is_refused(starter: Package) -> None:
    with pytest.raises(EpisodeError, match="no_such"):
        Environment.local(starter.path, "no_such")
    with pytest.raises(EpisodeError, match="no_such"):
        GymnasiumEnvironment(Environment.local(starter.path), ["no_such"])


def test_a_host_that_is_not_there_is_told() -> None:
    with pytest.raises(EpisodeGone, match="does not answer"):
        Environment.remote("http://127.0.0.1:9", "starter", token="")


def test_a_request_is_sent_again_when_its_connection_drops() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        seen: list[bytes] = []

        def serve() -> None:
            for number in range(2):
                connection, _ = listener.accept()
                with connection:
                    seen.append(connection.recv(65_536))
                    if number:
                        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        server = threading.Thread(target=serve)
        server.start()
        host = Host(f"http://127.0.0.1:{listener.getsockname()[1]}", "token")
        assert host.request("POST", "/step", {}, key="one") == {}
        server.join()
        host.close()
    assert len(seen) == 2 and all(b"Idempotency-Key: one" in one for one in seen)
