# SPDX-License-Identifier: MIT
"""Builds wheels of the package for pip (PEP 517), with the shared library, and those that it needs, inside.

Needs cmake, ninja, a C compiler and the libraries of tools/packages.txt (build), and no network where cffi is
installed.  `pip wheel . --config-settings build-dir=FOLDER` chooses the folder of the build.
"""
from __future__ import annotations

import base64
import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Libraries of every Linux with glibc, as PEP 600 lists them; other libraries go into the wheel.
EVERYWHERE = re.compile(r"(libc|libm|libdl|libpthread|librt|libz|libgcc_s|ld-linux.*)\.so\.\d+")
# "1.0.0", or "1.0.0rc1" of a candidate, as PEP 440 writes it.
VERSION = ".".join(re.findall(r'^#define PC_VERSION_[A-Z]+ +(\d+|"[^"]*")', (ROOT / "include/pcounter/base.h").read_text(), re.M)).replace(
    '."-', "").replace('."', "").rstrip('"')
METADATA = f"""Metadata-Version: 2.1
Name: pcounter
Version: {VERSION}
Summary: Hardware performance counters as software
License: MIT
Requires-Python: >=3.9
Requires-Dist: cffi
Requires-Dist: numpy
Description-Content-Type: text/markdown

{(ROOT / "docs/guide/python.md").read_text(encoding="utf-8")}"""


def get_requires_for_build_wheel(config_settings: dict | None = None) -> list[str]:
    """Asks pip for cffi only where the interpreter has none, so that a build needs no network."""
    outside = subprocess.run([sys.executable, "-E", "-c", "import cffi"], capture_output=True, check=False)
    return ["cffi"] if outside.returncode else []


def prepare_metadata_for_build_wheel(folder: str, config_settings: dict | None = None) -> str:
    """Writes the metadata alone, before anything is built."""
    info = Path(folder) / f"pcounter-{VERSION}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA, encoding="utf-8")
    return info.name


def build_wheel(folder: str, config_settings: dict | None = None, metadata_directory: str | None = None) -> str:
    """Builds a wheel into the folder; returns its name."""
    build = Path((config_settings or {}).get("build-dir", ROOT / "build/wheel")).resolve()
    package = _package(build)
    inside = _libraries(package)
    tag = f"py3-none-{_platform([package / _library_name(), *inside.values()])}"
    info = f"pcounter-{VERSION}.dist-info"
    files = {f"pcounter/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files.update({f"pcounter/{name}": path.read_bytes() for name, path in inside.items()})
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pcounter\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"pcounter-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)  # of 1980: the same sources make the same wheel
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(folder: str, config_settings: dict | None = None) -> str:
    """Packs the sources into the folder; returns the name of the file."""
    top = f"pcounter-{VERSION}"
    with tarfile.open(Path(folder) / f"{top}.tar.gz", "w:gz") as sources:
        for path in sorted(ROOT.iterdir()):
            if path.name != ".git" and not path.name.startswith("build"):
                sources.add(path, f"{top}/{path.name}", filter=lambda i: None if "__pycache__" in i.name else i)
        info = tarfile.TarInfo(f"{top}/PKG-INFO")
        info.size = len(METADATA.encode())
        sources.addfile(info, io.BytesIO(METADATA.encode()))
    return f"{top}.tar.gz"


def _package(build: Path) -> Path:
    """Builds the package and its library by cmake; returns its folder."""
    for program, package in (("cmake", "cmake"), ("ninja", "ninja-build"), ("cc", "gcc"), ("objdump", "binutils")):
        if shutil.which(program) is None:
            raise SystemExit(f"pcounter: {program} is missing; apt install {package}, "
                             "or all by `tools/install-packages.sh build`")
    environment = dict(os.environ)
    if not get_requires_for_build_wheel():
        for name in ("PYTHONPATH", "PYTHONNOUSERSITE"):  # of pip's build environment, which hides cffi
            environment.pop(name, None)
    _run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPC_TESTS=OFF", "-DPC_CLI=OFF",
          f"-DPC_PYTHON={sys.executable}"], environment)
    _run(["cmake", "--build", build, "--target", "pcounter_python"], environment)
    return build / "python/pcounter"


def _run(command: list, environment: dict) -> None:
    done = subprocess.run([os.fspath(word) for word in command], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pcounter: cmake failed (`tools/install-packages.sh build` installs what it needs):\n"
                         f"{done.stdout[-4000:]}{done.stderr[-4000:]}")


def _library_name() -> str:
    return "libpcounter.so." + VERSION.split(".")[0]


def _libraries(package: Path) -> dict[str, Path]:
    """Returns the libraries, by name, that the package's library is linked with and that not every Linux has."""
    lines = subprocess.run(["ldd", package / _library_name()], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", lines, re.M))
    return {name: Path(path) for name, path in sorted(found.items()) if not EVERYWHERE.fullmatch(name)}


def _platform(libraries: list[Path]) -> str:
    """Returns the oldest glibc that has all symbols, as PEP 600 names it."""
    machine = platform.machine()
    if platform.libc_ver()[0] != "glibc":
        return f"linux_{machine}"
    text = "".join(subprocess.run(["objdump", "-T", path], check=True, capture_output=True, text=True).stdout for path in libraries)
    versions = {tuple(map(int, found)) for found in re.findall(r"\bGLIBC_(\d+)\.(\d+)", text)}
    return "manylinux_{}_{}_{}".format(*max(versions), machine)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
