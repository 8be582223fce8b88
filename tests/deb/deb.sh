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
tools/dist.sh "$folder/dist" >/dev/null
tar -C "$root" -xzf "$folder"/dist/pcounter-*.tar.gz
mv "$root"/pcounter-* "$root/pcounter"
logged depends inside apt-get install -y -qq --no-install-recommends dpkg-dev gcc libc6-dev lintian
logged depends inside sh -c 'cd /pcounter && apt-get build-dep -y -qq --no-install-recommends ./'
logged build inside sh -c 'cd /pcounter && tools/deb.sh /packages'

root=$folder/root
mkdir "$root/packages"
cp "$folder"/build/packages/*.deb "$root/packages"
rm -f "$root"/packages/*-dbgsym_*.deb
rm -rf "$folder/build"
logged install inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb libunicorn2 pciutils gcc libc6-dev pkg-config'

# Uses what is installed as debian/tests does, with only those sources that these need.
mkdir -p "$root/demo/tools" "$root/demo/examples" "$root/demo/debian"
cp tools/demo.sh "$root/demo/tools"
cp -r examples/soc examples/emulator "$root/demo/examples"
cp -r debian/tests "$root/demo/debian"
for test in $(sed -n 's/^Tests: //p' debian/tests/control | tr -d ,); do
    logged "$test" inside sh -c "cd /demo && debian/tests/$test"
    echo "debian/tests/$test passed"
done
if [ "$(dpkg --print-architecture)" = amd64 ]; then
    inside pcounter card -a G92 -- lspci -n >"$folder/card.log" 2>&1 || true
    grep -qx '01:00.0 0300: 10de:0410 (rev a1)' "$folder/card.log" || { cat "$folder/card.log" >&2; exit 1; }
fi
inside apt-get purge -y -qq pcounter libpcounter1 libpcounter-dev python3-pcounter >/dev/null 2>&1
[ -z "$(find "$root/usr" -name '*pcounter*' -not -path '*/demo/*')" ] || { echo 'the packages leave files behind' >&2; exit 1; }
echo 'installed, used and removed'
