"""Two folders exchanged atomically, where the system can."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

AT_FDCWD, RENAME_EXCHANGE = -100, 2
RENAME_SWAP = 2
CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}
"""EPERM is how some sandboxes refuse a call that they do not know."""

Exchange = Callable[[bytes, bytes], int]


def exchange(one: Path, other: Path) -> bool:
    """Exchange two paths atomically.

    Returns:
        Whether the system and the file system can; if not, nothing was done.

    Raises:
        OSError: They can, and it failed.
    """
    call = _call()
    if call is None or call(os.fsencode(one), os.fsencode(other)) == 0:
        return call is not None
    code = ctypes.get_errno()
    if code in CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(one), None, str(other))


@cache
def _call() -> Exchange | None:
    library: Any = ctypes.CDLL(None, use_errno=True) if sys.platform != "win32" else None
    if hasattr(library, "renameat2"):
        return lambda one, other: int(
            library.renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE)
        )
    if hasattr(library, "renamex_np"):
        return lambda one, other: int(library.renamex_np(one, other, RENAME_SWAP))
    return None
