"""What a page shows compared with what it does."""

from __future__ import annotations

from tools.committed import REPOSITORY
from tools.docs.execution import Execution
from tools.docs.page import Page, matches


def checked(execution: Execution, page: Page) -> None:
    """Run a page, and compare what it prints with what is shown."""
    for printed in execution.run(page):
        owner = page if printed.block in page.blocks else page.before
        assert owner is not None
        shown = owner.output_of(printed.block)
        assert matches(shown.text if shown else "", printed.text), (
            f"{printed.block.place} prints:\n{printed.text}\nIf this is meant: "
            f"python -m tools.docs --outputs {owner.path.relative_to(REPOSITORY)}"
        )
