"""What was said, called and seen."""

EXTENSION_DAYS = 30


def _noted_before(event: Event) -> str:
    """Return the wishes or preferences that a call replaces."""
    if event.tool == "set_special_wishes":
        return "".join(change.before.wishes or "" for change in event.changes).strip(" .")
    if event.tool == "set_guest_preferences":
        return "".join(change.before.preferences or "" for change in event.changes).strip(" .")
    return ""
