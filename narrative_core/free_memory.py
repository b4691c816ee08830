"""How much memory is free: asked before a file is read and before a landscape is built."""

import os
from pathlib import Path

_MACHINE = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup")


def available_memory() -> int | None:
    """Return the bytes of memory that are free, in the machine or its container; ``None`` where neither says."""
    known = [free for free in (_free_of_machine(), _free_of_container()) if free is not None]
    return min(known, default=None)


def _free_of_machine() -> int | None:
    if free := _amounts(_read(_MACHINE)).get("MemAvailable:", 0) * 1024:
        return free
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _free_of_container() -> int | None:
    """Return what a container may still take, ``None`` where it has no limit; files that it has read do not count."""
    limit, used = (_read(_CONTAINER / f"memory.{part}").strip() for part in ("max", "current"))
    if not limit.isdigit() or not used.isdigit():
        return None
    reclaimable = _amounts(_read(_CONTAINER / "memory.stat")).get("inactive_file", 0)
    return max(0, int(limit) - int(used) + reclaimable)


def _amounts(text: str) -> dict[str, int]:
    """Return the numbers of lines such as "inactive_file 12288"."""
    rows = (line.split() for line in text.splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
