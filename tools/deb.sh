#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the Debian packages into FOLDER, source and binary, out of the tarball of a release, and looks at them by lintian: errors and
# warnings fail.
#   tools/deb.sh FOLDER     (in the root of the sources)
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
version=$(tools/version.sh)
debian=$(tools/version.sh debian)
head -n 1 debian/changelog | grep -q "^pcounter ($debian-[0-9.]*) " || { echo "debian/changelog does not begin with $debian" >&2; exit 1; }
rm -rf "$folder/pcounter-$version" "$folder"/pcounter_* "$folder"/*.deb
tools/dist.sh "$folder" >/dev/null
mv "$folder/pcounter-$version.tar.gz" "$folder/pcounter_$debian.orig.tar.gz"
rm "$folder/pcounter-$version".*
tar -C "$folder" -xzf "$folder/pcounter_$debian.orig.tar.gz"
(cd "$folder/pcounter-$version" && dpkg-buildpackage -us -uc) >"$folder/build.log" 2>&1 || {
    tail -n 30 "$folder/build.log" >&2
    exit 1
}
rm -rf "$folder/pcounter-$version"
# These packages are not made for an upload, which would close a bug, and debian/ is in the tarball.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,no-debian-changes "$folder"/*.changes
ls "$folder"/*.deb
