"""The packages in node_modules -> fakeserver/page/vendor: modules as they were published, licences, a record of them.

`python -m tests.page.vendor` after a change of package.json. The page has no build step, so the one thing changed is
how a module names another: browsers find files, not packages.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules"
VENDOR = HERE.parents[1] / "fakeserver" / "page" / "vendor"

# The file here, the package, the file there.
TAKEN = (
    ("preact.js", "preact", "dist/preact.mjs"),
    ("hooks.js", "preact", "hooks/dist/hooks.mjs"),
    ("htm.js", "htm", "dist/htm.module.js"),
    ("LICENSE.preact.txt", "preact", "LICENSE"),
    ("LICENSE.htm.txt", "htm", "LICENSE"),
)


def vendored() -> dict[str, bytes]:
    """Each file by its name, and the record of them."""
    files = {name: _read(package, path) for name, package, path in TAKEN}
    record = {"files": [_row(*taken, files[taken[0]]) for taken in TAKEN]}
    return {**files, "vendored.json": json.dumps(record, indent=2).encode() + b"\n"}


def _read(package: str, path: str) -> bytes:
    text = (PACKAGES / package / path).read_text("utf-8")
    text = re.sub(r"\n//# sourceMappingURL=\S+", "", text)  # the map is not here
    text = text.replace('from"preact"', 'from"./preact.js"')
    return (text.rstrip() + "\n").encode()


def _row(name: str, package: str, path: str, data: bytes) -> dict[str, str]:
    about = json.loads((PACKAGES / package / "package.json").read_text("utf-8"))
    return {
        "file": name,
        "package": package,
        "version": about["version"],
        "license": about["license"],
        "from": path,
        "sha256": hashlib.sha256(data).hexdigest(),
    }


if __name__ == "__main__":
    VENDOR.mkdir(exist_ok=True)
    for file, content in vendored().items():
        (VENDOR / file).write_bytes(content)
