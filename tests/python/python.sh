#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh PYTHON PACKAGE_FOLDER PROGRAM
set -eu
here=$(dirname "$0")
if [ -z "$2" ] || ! "$1" -c 'import numpy, pytest' 2>/dev/null; then
    echo "*** SKIP the Python package: $1 has no cffi, numpy or pytest, or this build has sanitizers ***" >&2
    exit 77
fi
"$1" -m mypy --version >/dev/null 2>&1 || echo '*** SKIP the types of the Python package: mypy is not installed ***' >&2
export PYTHONPATH="$2" PC_PROGRAM="$3" PYTHONDONTWRITEBYTECODE=1
# A library that is built as a shared one lies in the build's folder.
[ -n "$(find "$2/pcounter" -name 'libpcounter.so.*')" ] || LD_LIBRARY_PATH=$(dirname "$2")
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}"
exec "$1" -m pytest -q -p no:cacheprovider "$here"
