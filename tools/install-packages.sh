#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages of tools/packages.txt that are missing.
#   tools/install-packages.sh build          what building the program needs
#   tools/install-packages.sh build check    what the tests need as well
# Does nothing where all are present. Without root it says what to install and fails.
set -eu
list=$(dirname "$0")/packages.txt
missing=
for kind in "$@"; do
    # shellcheck disable=SC2013 # one word a line
    for package in $(awk -v kind="$kind" '$1 == kind { print $2 }' "$list"); do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || missing="$missing $package"
    done
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null 2>&1 || {
    echo "pcounter: this system has no apt-get; please install the equivalents of:$missing" >&2
    exit 1
}
run=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        run=sudo
    else
        echo "pcounter: packages are missing and this is not root. Please run:" >&2
        echo "    sudo apt-get install$missing" >&2
        exit 1
    fi
fi
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq >&2
# shellcheck disable=SC2086 # a list of words on purpose
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null
