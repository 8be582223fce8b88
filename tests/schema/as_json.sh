#!/bin/sh
# SPDX-License-Identifier: MIT
# pcounter as a transcript calls it: what the call prints as JSON and as JSON lines, if it does, goes to
# the folder PC_SCHEMA_OUT, beside how it was called. PC_SCHEMA_PROGRAM is the program.
set -u
case " $* " in
*' -o '* | *--output* | *' -h '* | *help* | *--version* | *' settle '*--script*) exec "$PC_SCHEMA_PROGRAM" "$@" ;;
esac
out=$PC_SCHEMA_OUT/t$$
cat >"$out.in"
for format in json jsonl; do
    "$PC_SCHEMA_PROGRAM" "$@" --format $format >"$out.$format" 2>/dev/null <"$out.in"
    echo "pcounter $* --format $format" >"$out.$format.call"
    # rows without end take minutes to validate, and say nothing new
    { [ -s "$out.$format" ] && [ "$(wc -c <"$out.$format")" -lt 100000 ]; } || rm "$out.$format"
done
"$PC_SCHEMA_PROGRAM" "$@" <"$out.in"
code=$?
rm "$out.in"
exit $code
