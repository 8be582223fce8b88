#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian packages are built, lintian finds no error, and they are installed in a clean Debian 12, made by
# debootstrap; there the demo runs, Python counts, and a program is compiled with the development files.
#   deb.sh FOLDER     (in the root of the sources)
set -eu
skip() {
    echo "*** SKIP the Debian packages: $1 ***" >&2
    exit 77
}
[ -n "${PC_TEST_LONG:-}" ] || skip "a long test (make check-long)"
[ "$(id -u)" = 0 ] || skip "only root makes a clean system"
for program in debootstrap dpkg-buildpackage lintian dh dh_python3; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done
folder=$1
root=$folder/root
tools/deb.sh "$folder"
rm -rf "$root"
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" >"$folder/debootstrap.log" 2>&1 || {
    tail -n 5 "$folder/debootstrap.log" >&2
    skip "debootstrap failed: no mirror, or this system does not let it"
}
mkdir "$root/packages"
cp "$folder"/*.deb "$root/packages"
rm -f "$root"/packages/*-dbgsym_*.deb
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
inside apt-get update -qq
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config' >"$folder/install.log" 2>&1 || {
    tail -n 20 "$folder/install.log" >&2
    exit 1
}

mkdir -p "$root/demo/tools" "$root/demo/examples"
cp tools/demo.sh "$root/demo/tools"
cp -r examples/soc examples/emulator "$root/demo/examples"
inside sh -c 'cd /demo && tools/demo.sh /usr/bin/pcounter' | grep '^22 counts equal the registers of the design itself'
inside python3 -c '
import pcounter
rows = pcounter.stat("/demo/examples/soc/soc.fst", "posedge soc_tb.clk iff soc_tb.rst_n", ["hit"])
assert rows[1]["value"] == 4824, rows
assert pcounter.report("bus", "/demo/examples/soc/soc.fst")["buses"]
gpu = pcounter.Gpu("G92")
gpu.regs.CTRL[1].MODE = "QUAD"
assert gpu.read(0xa7c4) == 1'
inside sh -c 'cd /tmp && gcc -O1 -I /usr/share/pcounter /demo/examples/emulator/card.c /usr/share/pcounter/pcounter-model.c -o card && ./card G92' |
    grep 'signal .* 1001  each read'
# shellcheck disable=SC2016 # the system inside has these
inside sh -c 'cd /tmp && printf "#include <pcounter/pcounter.h>\nint main(void) { return !pc_chip_find(\"G92\"); }\n" >a.c &&
    gcc a.c $(pkg-config --cflags --libs pcounter) -o a && ./a'
inside apt-get purge -y -qq pcounter libpcounter0.1 libpcounter-dev python3-pcounter >/dev/null 2>&1
[ -z "$(find "$root/usr" -name '*pcounter*' -not -path '*/demo/*')" ] || { echo 'the packages leave files behind' >&2; exit 1; }
echo 'installed, used and removed'
