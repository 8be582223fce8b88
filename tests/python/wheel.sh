#!/bin/sh
# SPDX-License-Identifier: MIT
# pip builds and installs the package from the sources, without a network; the library lies in the wheel, with those that it
# needs; it counts.
#   wheel.sh PYTHON FOLDER     (in the root of the sources; what is built there stays)
set -eu
skip() {
    echo "*** SKIP the wheel: $1 ***" >&2
    exit 77
}
python=$1
folder=$2
[ -n "${PC_TEST_LONG:-}" ] || skip "a long test (make check-long)"
"$python" -c 'import cffi, numpy' 2>/dev/null || skip "$python has no cffi or numpy"
"$python" -m pip --version >/dev/null 2>&1 || skip "$python has no pip"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $1" >&2
    cat "$work/log" >&2
    exit 1
}
offline=
if unshare -rn true 2>/dev/null; then
    offline='unshare -rn'
fi
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONFIG_FILE=/dev/null

$offline "$python" -m pip wheel . --no-deps -w "$work" --config-settings "build-dir=$folder" >"$work/log" 2>&1 || fail 'pip wheel .'
wheel=$(ls "$work"/pcounter-*-py3-none-manylinux_*.whl) || fail 'the name of the wheel'
"$python" -m zipfile -l "$wheel" >"$work/log"
for file in 'libpcounter\.so' 'libdeflate\.so' 'liblz4\.so' 'libzstd\.so' 'dist-info/LICENSE' 'dist-info/RECORD' 'py\.typed'; do
    grep -q "$file" "$work/log" || fail "no $file in the wheel"
done

"$python" -m venv --without-pip --system-site-packages "$work/venv" >"$work/log" 2>&1 || skip "$python has no venv"
$offline "$python" -m pip --python "$work/venv/bin/python" install . --config-settings "build-dir=$folder" >"$work/log" 2>&1 || fail 'pip install .'
soc=$PWD/examples/soc/soc.fst
(cd / && "$work/venv/bin/python" - "$soc" "$work/venv") >"$work/log" 2>&1 <<'END' || fail 'what is installed'
import sys
import pcounter
rows = pcounter.stat(sys.argv[1], "posedge soc_tb.clk iff soc_tb.rst_n", ["hit"])
assert rows[1]["value"] == 4824, rows
with open("/proc/self/maps", encoding="utf-8") as maps:
    mapped = {line.split()[-1] for line in maps if "/" in line}
for name in ("libpcounter", "libdeflate", "liblz4", "libzstd"):
    assert all(path.startswith(sys.argv[2]) for path in mapped if name in path), mapped
    assert any(name in path for path in mapped), name
END
"$python" -m pip --python "$work/venv/bin/python" uninstall -y pcounter >"$work/log" 2>&1 || fail 'pip uninstall'
[ -z "$(find "$work/venv" -name '*pcounter*')" ] || fail 'files are left behind'
echo "installed, used and removed: ${wheel##*/}"
