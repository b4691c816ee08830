import json
import subprocess
import sys

import pytest

from tests.ingest.file_samples import HTML, encrypted_pdf

_WITHOUT = """
import json, sys
for name in sys.argv[2:]:
    sys.modules[name] = None
from narrative_core.ingest.file_worker import answer
print(json.dumps(answer(sys.argv[1], sys.stdin.buffer.read())))
"""


@pytest.mark.parametrize(
    ("file_format", "data", "packages"),
    [
        ("HTML", HTML, ["lxml_html_clean"]),
        ("HTML", HTML, ["trafilatura"]),
        ("PDF", encrypted_pdf(""), ["pypdf"]),
        ("PDF", encrypted_pdf("", algorithm="AES-256"), ["cryptography", "Crypto"]),
    ],
)
def test_what_is_not_installed_is_named_and_the_file_not_called_damaged(
    file_format: str, data: bytes, packages: list[str]
) -> None:
    command = [sys.executable, "-c", _WITHOUT, file_format, *packages]
    reason = json.loads(subprocess.run(command, input=data, capture_output=True, check=True).stdout)["reason"]
    assert reason.startswith(f"cannot be read as {file_format}: a package is not installed (")
    assert packages[0] in reason
    assert reason.endswith("). Install it with: pip install -r requirements.txt")
