#!/bin/sh
# SPDX-License-Identifier: MIT
# What the tests run: lines and branches, a folder and a file at a time, by gcov alone.
#   tools/coverage.sh           forget old counts, build, run the tests, report
#   tools/coverage.sh -r        only report what has been counted until now
# The report is printed and stays in build/coverage: coverage.txt, missed.txt (each line never run,
# each branch never taken) and coverage.json.
set -eu
cd "$(dirname "$0")/.."
build=build/coverage
jobs=${JOBS:-2}
if [ "${1-}" != -r ]; then
    cmake --preset coverage >/dev/null
    cmake --build --preset coverage -j "$jobs"
    find "$build" -name '*.gcda' -delete
    ctest --preset coverage -j "$jobs" --no-tests=error
fi
gcov=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
gcov=$(dirname "$(command -v "$gcov")")/gcov-$("$gcov" -dumpversion)
command -v "$gcov" >/dev/null || gcov=gcov
# An object without counts was never linked into anything that ran: all of it is missed.
find "$build/CMakeFiles/pcounter.dir" "$build/cli" -name '*.gcno' | sort |
    xargs "$gcov" -t -b -c 2>/dev/null |
    LC_ALL=C awk -v root="$PWD" -v json="$build/coverage.json" -v places="$build/missed.txt" \
        -f tools/coverage.awk | tee "$build/coverage.txt"
echo "what was missed: $build/missed.txt; as JSON: $build/coverage.json"
