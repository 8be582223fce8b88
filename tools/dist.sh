#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the tarball of a release in FOLDER, its SBOM and their checksums. The same sources make the same bits: files are sorted,
# belong to nobody, have the modes 644 and 755, and the time $SOURCE_DATE_EPOCH, without it that of debian/changelog.
#   tools/dist.sh FOLDER     (in the root of the sources: a git repository, or an unpacked tarball)
set -eu
export LC_ALL=C TZ=UTC
mkdir -p "$1"
folder=$(cd "$1" && pwd)
name=pcounter-$(tools/version.sh)
# Writes the time of the newest entry of debian/changelog, in seconds.
changed() {
    sed -n 's/^ -- .*>  //p;T;q' debian/changelog | date -f - +%s
}
epoch=${SOURCE_DATE_EPOCH:-$(changed)}

# Writes the names of all files, each with a zero byte: those of the repository, or what is there but for builds.
files() {
    if [ $repository = yes ]; then
        git ls-files -z
    else
        find . \( -name build -o -name 'build-*' -o -name .git -o -name __pycache__ \) -prune -o \
            \( -type f -o -type l \) -printf '%P\0'
    fi
}

repository=no
if [ "$(git rev-parse --show-toplevel 2>/dev/null || true)" = "$(pwd -P)" ]; then
    repository=yes
    [ -z "$(git status --porcelain)" ] ||
        echo 'note: files of this repository differ from the last commit; the tarball has them as they are now' >&2
fi
rm -f "$folder/$name".*
files | sort -z | tar --no-recursion --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$epoch" \
    --transform="flags=r;s|^|$name/|" --null --files-from=- -cf "$folder/$name.tar"
gzip -9n "$folder/$name.tar"
hash=$(sha256sum <"$folder/$name.tar.gz" | cut -d ' ' -f 1)
awk -v version="$(tools/version.sh)" -v created="$(date -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)" -v hash="$hash" -f tools/gen_sbom.awk \
    tools/licences.txt tools/packages.txt >"$folder/$name.spdx.json"
(cd "$folder" && sha256sum "$name.tar.gz" "$name.spdx.json" >"$name.sha256")
ls "$folder/$name.tar.gz" "$folder/$name.spdx.json" "$folder/$name.sha256"
