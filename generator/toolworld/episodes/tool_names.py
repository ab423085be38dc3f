"""The names of tools where several packages are joined: prefixed only where two clash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

LONGEST = 40
"""How many characters a tool's name may have."""


def joined_names(tools: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return the name that each tool has in a joined world, by domain and own name.

    A name that only one domain has stays. One that several have is prefixed with the domain, or
    with the first letters of its words where that would be too long.

    Args:
        tools: The names of the tools of each domain.
    """
    counted = Counter(name for names in tools.values() for name in names)
    return {
        domain: {name: name if counted[name] == 1 else _prefixed(domain, name) for name in names}
        for domain, names in tools.items()
    }


def _prefixed(domain: str, name: str) -> str:
    whole = f"{domain}_{name}"
    if len(whole) <= LONGEST:
        return whole
    initials = "".join(word[0] for word in domain.split("_") if word)
    return f"{initials}_{name}"[:LONGEST]
