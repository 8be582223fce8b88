#!/bin/sh
# SPDX-License-Identifier: MIT
# `make dist` twice gives the same bits: of these sources, and of its own tarball, unpacked elsewhere, with other times, modes,
# time zone and language. The time of $SOURCE_DATE_EPOCH is that of each file. The SBOM names the tarball and each package.
#   dist.sh     (in the root of the sources)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=pcounter-$(tools/version.sh)
fail() { echo "FAILED: $*" >&2; exit 1; }
tools/dist.sh "$work/first" >"$work/names" 2>"$work/messages" || { cat "$work/messages" >&2; exit 1; }
[ "$(wc -l <"$work/names")" = 3 ] || fail "three files were expected: $(cat "$work/names")"
(cd "$work/first" && sha256sum --quiet -c "$name.sha256") || fail 'the checksums are not those of the files'

mkdir "$work/elsewhere" "$work/elsewhere/inner"
tar -C "$work/elsewhere/inner" -xzf "$work/first/$name.tar.gz"
cd "$work/elsewhere/inner/$name"
for file in README.md CMakeLists.txt tests/dist/dist.sh; do [ -f "$file" ] || fail "the tarball has no $file"; done
for file in build .git; do [ ! -e "$file" ] || fail "the tarball has $file"; done
mkdir build && echo made >build/made
find . -exec touch -d 2001-02-03 {} +
chmod -R g+w .
(umask 077 && LC_ALL='' LANG=de_DE.UTF-8 TZ=Asia/Tokyo tools/dist.sh build/dist >/dev/null)
for kind in tar.gz spdx.json sha256; do
    cmp "$work/first/$name.$kind" "build/dist/$name.$kind" || fail "$name.$kind differs"
done

SOURCE_DATE_EPOCH=1000000000 tools/dist.sh "$work/other" >/dev/null
cmp -s "$work/first/$name.tar.gz" "$work/other/$name.tar.gz" && fail 'SOURCE_DATE_EPOCH changes nothing'
[ "$(TZ=UTC tar tvf "$work/other/$name.tar.gz" | grep -vc ' 2001-09-09 01:46 ')" = 0 ] || fail 'files of another time than SOURCE_DATE_EPOCH'
grep -q '"created": "2001-09-09T01:46:40Z"' "$work/other/$name.spdx.json" || fail 'an SBOM of another time'
[ "$(tar tvf "$work/other/$name.tar.gz" | grep -vcE '^(-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) 0/0 ')" = 0 ] || fail 'modes or owners'

ln -s nowhere dangling
tools/dist.sh "$work/link" >/dev/null || fail 'a link that points nowhere is packed as one'
printf 'nothing\n' >tools/packages.txt
if tools/dist.sh "$work/bad" >/dev/null 2>&1; then fail 'a list of packages without a kind was taken'; fi
cd /
python3 "$OLDPWD/tests/dist/sbom.py" "$work/first/$name.spdx.json" "$work/first/$name.tar.gz"
