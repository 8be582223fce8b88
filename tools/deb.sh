#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the Debian packages into FOLDER, from a copy of the sources, and looks at them by lintian: errors fail.
#   tools/deb.sh FOLDER     (in the root of the sources)
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
copy=$folder/pcounter
rm -rf "$copy" "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
mkdir "$copy"
tar --exclude=./build --exclude='./build-*' --exclude=./.git -cf - . | tar -C "$copy" -xf -
version=$(tools/version.sh debian)
head -n 1 debian/changelog | grep -q "^pcounter ($version-[0-9.]*) " || { echo "debian/changelog does not begin with $version" >&2; exit 1; }
(cd "$copy" && dpkg-buildpackage -b -us -uc) >"$folder/build.log" 2>&1 || {
    tail -n 30 "$folder/build.log" >&2
    exit 1
}
rm -rf "$copy"
lintian --allow-root --fail-on error "$folder"/*.changes
ls "$folder"/*.deb
