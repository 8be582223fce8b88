#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian packages are built in a clean Debian 12, made by debootstrap, with what debian/control asks for and nothing
# else; lintian finds no error. They are installed in another one: there the demo runs, a card is on a command's bus, Python
# counts, and a program is compiled with the development files.
#   deb.sh FOLDER     (in the root of the sources)
set -eu
skip() {
    echo "*** SKIP the Debian packages: $1 ***" >&2
    exit 77
}
[ -n "${PC_TEST_LONG:-}" ] || skip "a long test (make check-long)"
[ "$(id -u)" = 0 ] || skip "only root makes a clean system"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
trap 'rm -rf "$folder/build" "$folder/root"' EXIT
rm -rf "$folder/build" "$folder/root"
debootstrap --variant=minbase bookworm "$folder/root" >"$folder/debootstrap.log" 2>&1 || {
    tail -n 5 "$folder/debootstrap.log" >&2
    skip "debootstrap failed: no mirror, or this system does not let it"
}
# Runs a command in the clean system $root, which has /proc and /sys for as long; of the environment it gets a proxy alone.
# shellcheck disable=SC2016 # the inner shell's
inside() {
    unshare -m sh -c 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" && exec chroot "$0" "$@"' "$root" \
        env -i ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}
# Says why a step failed, from its log.
logged() {
    log=$folder/$1.log
    shift
    "$@" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        exit 1
    }
}

root=$folder/root
logged update inside apt-get update -qq
cp -a "$root" "$folder/build"

root=$folder/build
mkdir "$root/pcounter"
tar --exclude=./build --exclude='./build-*' --exclude=./.git -cf - . | tar -C "$root/pcounter" -xf -
logged depends inside apt-get install -y -qq --no-install-recommends dpkg-dev gcc libc6-dev lintian
logged depends inside sh -c 'cd /pcounter && apt-get build-dep -y -qq --no-install-recommends ./'
logged build inside sh -c 'cd /pcounter && tools/deb.sh /packages'

root=$folder/root
mkdir "$root/packages"
cp "$folder"/build/packages/*.deb "$root/packages"
rm -f "$root"/packages/*-dbgsym_*.deb
rm -rf "$folder/build"
logged install inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb libunicorn2 pciutils gcc libc6-dev pkg-config'

mkdir -p "$root/demo/tools" "$root/demo/examples"
cp tools/demo.sh "$root/demo/tools"
cp -r examples/soc examples/emulator "$root/demo/examples"
inside sh -c 'cd /demo && tools/demo.sh /usr/bin/pcounter' | grep '^22 counts equal the registers of the design itself'
if [ "$(dpkg --print-architecture)" = amd64 ]; then
    inside pcounter card -a G92 -- lspci -n >"$folder/card.log" 2>&1 || true
    grep -qx '01:00.0 0300: 10de:0410 (rev a1)' "$folder/card.log" || { cat "$folder/card.log" >&2; exit 1; }
fi
# Unicorn is found: what is wrong is the program.
if inside pcounter exec --core cv64a6_imafdc_sv39 /bin/true >"$folder/exec.log" 2>&1 || grep PC-E1320 "$folder/exec.log" >&2; then exit 1; fi
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
inside apt-get purge -y -qq pcounter libpcounter1 libpcounter-dev python3-pcounter >/dev/null 2>&1
[ -z "$(find "$root/usr" -name '*pcounter*' -not -path '*/demo/*')" ] || { echo 'the packages leave files behind' >&2; exit 1; }
echo 'installed, used and removed'
