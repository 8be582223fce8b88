#!/bin/sh
# SPDX-License-Identifier: MIT
# What the tests run: lines and branches, a folder and a file at a time, by gcov alone.
#   tools/coverage.sh           forget old counts, build, run the tests, report
#   tools/coverage.sh -r        only report what has been counted until now
# With -c first, figures below tests/coverage-floors.txt are an error (tools/coverage_check.py).
# The report is printed and stays in build/coverage: coverage.txt, missed.txt (each line never run,
# each branch never taken) and coverage.json.
set -eu
cd "$(dirname "$0")/.."
build=build/coverage
jobs=${JOBS:-2}
check=
if [ "${1-}" = -c ]; then
    check=1
    shift
fi
if [ "${1-}" != -r ]; then
    cmake --preset coverage >/dev/null
    cmake --build --preset coverage -j "$jobs"
    find "$build" -name '*.gcda' -delete
fi
gcov=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
gcov=$(dirname "$(command -v "$gcov")")/gcov-$("$gcov" -dumpversion)
command -v "$gcov" >/dev/null || gcov=gcov
case ${1-} in
-r) ;;
*) ctest --preset coverage -j "$jobs" --no-tests=error ;;
esac
# An object without counts was never linked into anything that ran: all of it is missed.
find "$build/CMakeFiles/pc_model.dir" "$build/CMakeFiles/pc_lang.dir" "$build/CMakeFiles/pc_wave.dir" \
    "$build/CMakeFiles/pcounter.dir" "$build/src" "$build/cli" "$build/tests/mcdc" "$build/tests/model" -name '*.gcno' | sort |
    xargs "$gcov" -t -b -c 2>/dev/null |
    LC_ALL=C awk -v root="$PWD" -v json="$build/coverage.json" -v places="$build/missed.txt" \
        -f tools/coverage.awk | tee "$build/coverage.txt"
echo "what was missed: $build/missed.txt; as JSON: $build/coverage.json"
[ -z "$check" ] || python3 tools/coverage_check.py . "$build/coverage.json"
