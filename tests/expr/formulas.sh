#!/bin/sh
# SPDX-License-Identifier: MIT
# data/formulas.csv can be made again from nothing. Some seconds, so with PC_TEST_LONG only.
#   formulas.sh MAKE_FORMULAS FORMULAS.CSV
set -eu
[ -n "${PC_TEST_LONG-}" ] || { echo "SKIP: PC_TEST_LONG is not set"; exit 77; }
"$1" | cmp - "$2"
echo "$(wc -l < "$2") lines are the same"
