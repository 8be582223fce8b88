#!/bin/sh
# SPDX-License-Identifier: MIT
# Formatting, static analysis and house rules. Tools that are not installed are named and left out.
set -eu
cd "$(dirname "$0")/.."
bad=0
sources=$(git ls-files '*.c' '*.h')
have() { command -v "$1" >/dev/null 2>&1 || { echo "lint: $1 is not installed, left out" >&2; return 1; }; }
if have clang-format; then
    # shellcheck disable=SC2086
    clang-format --dry-run -Werror $sources || bad=1
fi
if have cppcheck; then
    # cmd_schema.c, opt_help.c: the texts of schemas and helps, a character each, take it minutes
    cppcheck --quiet --std=c11 --error-exitcode=1 --enable=warning,portability --inline-suppr \
        -i cli/schema/cmd_schema.c -i cli/opt/opt_help.c -Iinclude -Isrc -Icli -Ibuild/dev/tables --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
        src cli || bad=1
fi
if have shellcheck; then
    git ls-files '*.sh' '*.bash' '.ci/run' | xargs shellcheck || bad=1
fi
# Functions that security.md bans: unbounded copies, and starting processes.
if git grep -nE '\b(strcpy|strcat|sprintf|alloca|system|popen|gets)\(' -- src cli; then
    echo 'lint: a banned function is used' >&2
    bad=1
fi
exit $bad
