#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the version of these sources, from include/pcounter/base.h: 1.0.0-rc1; "debian" 1.0.0~rc1.
#   tools/version.sh [debian]
set -eu
version=$(sed -n 's/^#define PC_VERSION_\([A-Z]*\) *"\{0,1\}\([^"]*\)"\{0,1\}$/\1 \2/p' "$(dirname "$0")/../include/pcounter/base.h" |
    awk '$1 == "SUFFIX" { suffix = $2; next } { numbers = numbers dot $2; dot = "." } END { print numbers suffix }')
case $version in
[0-9]*.[0-9]*.[0-9]*) ;;
*) echo "include/pcounter/base.h does not have the version as expected: $version" >&2 && exit 1 ;;
esac
case ${1-} in
'') echo "$version" ;;
debian) echo "$version" | tr - '~' ;;
*) echo 'usage: tools/version.sh [debian]' >&2 && exit 2 ;;
esac
