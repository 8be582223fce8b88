#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that everything to which the documents refer exists: relative links, decisions by number (docs/adr/NNN), files by path,
# folders and files that docs/ARCHITECTURE.md names; every decision is in the index, every folder of the
# sources and the tests and every verb in ARCHITECTURE.md; unknowns (U-001) are in the files that
# docs/hardware/unknowns.md names; headings that links go to, targets of make, options, libraries to link.
# docs.sh   (in the root of the sources)
set -eu
export LC_ALL=C
bad=0
tried=0
complain() { echo "$*" >&2; bad=1; }
list() { find "$@" -type f | grep -v '/\.' | sort; }
pages=$(list ./*.md docs examples | grep '\.md$')

# links
for page in $pages; do
    # shellcheck disable=SC2016 # a backtick is a backtick
    for target in $(sed 's/`[^`]*`//g' "$page" | grep -o ']([^)# ]*[)#]' | sed 's/^](//; s/.$//' | grep -v '^http' || true); do
        tried=$((tried + 1))
        [ -e "$(dirname "$page")/$target" ] || complain "$page: a link to $target, which is not there"
    done
done

# headings of the same page
for page in $pages; do
    for heading in $(grep -o '](#[^)]*)' "$page" | sed 's/^](#//; s/)$//' || true); do
        tried=$((tried + 1))
        sed -n 's/^##* //p' "$page" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g' | grep -qx "$heading" ||
            complain "$page: a link to #$heading, which is no heading"
    done
done

# what is typed: make TARGET, in examples and between backticks; `--option`
for page in $pages; do
    # shellcheck disable=SC2016 # a backtick is a backtick
    for target in $(grep -o '^    make [a-z-]*\|`make [a-z-]*`' "$page" | sed 's/.*make //; s/`//' || true); do
        tried=$((tried + 1))
        grep -q "^$target:" Makefile || complain "$page: make $target is no target of the Makefile"
    done
    # shellcheck disable=SC2016 # a backtick is a backtick
    for option in $(grep -o '`--[a-z-]*' "$page" | sed 's/^`--//' || true); do
        tried=$((tried + 1))
        grep -rqF -e "\"$option\"" -e "--$option" cli tools tests/cli || complain "$page: there is no option --$option"
    done
done
needs=$(sed -n 's/^ *set(PC_NEEDS "\([^"]*\)").*/\1/p' cmake/libraries.cmake)
for page in examples/core/README.md examples/cva6-dpi/README.md examples/pcounter-dpi/README.md; do
    grep -qF -- "libpcounter.a $needs\"" "$page" || complain "$page does not link what a static library needs: $needs"
done

# Blocks of the guide: commands and what they print (console), Python and C are tested; sh is commands alone; for any other
# text a remark names the test that compares it.
for page in README.md docs/guide/*.md; do
    awk '/^```/ { inside = !inside; if (inside && !/^```(console|python|c|sh)$/ && !(/^```text$/ && remark)) print FILENAME ": " FNR }
         /^```sh$/, /^```$/ { if (/^\$ /) print FILENAME ": " FNR }
         /^<!-- test: / { remark = 1; next } /./ { remark = 0 }' "$page"
done >"${TMPDIR:-/tmp}/pc_docs.$$"
while read -r line; do complain "a block of the guide is not of a kind that is tested: $line"; done <"${TMPDIR:-/tmp}/pc_docs.$$"
# shellcheck disable=SC2013 # one word a line
for test in $(sed -n 's/^<!-- test: \(.*\) -->$/\1/p' docs/guide/*.md); do
    tried=$((tried + 1))
    [ -e "$test" ] || complain "the guide names the test $test, which is not there"
done

# decisions: the number is the file's name and its heading, and each is in the index
for file in docs/adr/[0-9]*.md; do
    name=${file##*/}
    number=${name%%-*}
    head -n 1 "$file" | grep -q "^# $number: " || complain "$file: its heading has another number"
    grep -q "^| \[$number\]($name) | ..*" docs/adr/README.md || complain "$file is not in the index"
    [ "$(find docs/adr -name "$number-*" | wc -l)" -eq 1 ] || complain "the number $number is used twice"
done
# docs/adr/012 (of sources, too); in a decision also [012](...), (012) and `docs/adr/012, 014`
for number in $(list src cli tests bench tools include docs examples ./*.md CMakeLists.txt | tr '\n' '\0' |
    xargs -0 grep -ohI 'adr/[0-9][0-9][0-9]\(, [0-9][0-9][0-9]\)*' | grep -o '[0-9][0-9][0-9]' | sort -u) \
    $(grep -oh '([0-9][0-9][0-9])\|[a-z] [0-9][0-9][0-9][).:,]' docs/adr/[0-9]*.md | grep -o '0[0-9][0-9]' | sort -u); do
    tried=$((tried + 1))
    set -- docs/adr/"$number"-*.md
    [ -e "$1" ] || complain "decision $number is referred to, and is not there"
done

# unknowns: each has its id in the file that it names, and nobody cites one that is not listed
unknown=$(sed -n 's/^| \(U-[0-9]*\) .*| \([^ |]*\) |$/\1 \2/p' docs/hardware/unknowns.md)
[ "$(printf '%s\n' "$unknown" | wc -l)" -eq "$(grep -c '^| U-' docs/hardware/unknowns.md)" ] || complain "docs/hardware/unknowns.md: a row without a file"
while read -r id file; do
    tried=$((tried + 1))
    grep -qs -e "$id" "$file" || complain "docs/hardware/unknowns.md: $file does not say $id"
done <<EOF
$unknown
EOF
for id in $(list src cli tests include data docs man | tr '\n' '\0' | xargs -0 grep -ohI 'U-[0-9][0-9][0-9]' | sort -u); do
    tried=$((tried + 1))
    grep -q "^| $id |" docs/hardware/unknowns.md || complain "$id is cited, and docs/hardware/unknowns.md does not list it"
done

# paths in documents: `src/model/engine/graph.c`, `tests/wave/fst_*.c`; words in capitals stand for something
for page in $pages; do
    # shellcheck disable=SC2016 # the same
    for path in $(grep -o '`[^` ]*`' "$page" | tr -d '`' | grep '^\(src\|tests\|include\|cli\|bench\|tools\|data\|docs\|examples\|man\)/[A-Za-z0-9_/.*-]*$' | grep -v '[A-Z]\{3\}' || true); do
        tried=$((tried + 1))
        # shellcheck disable=SC2086 # the pattern is expanded on purpose
        set -- $path
        [ -e "$1" ] || complain "$page: $path is not there"
    done
done

# ARCHITECTURE.md: bare names of files in a paragraph are those of the folder it begins with
awk '/^[0-9]+\. `/ { folder = $2; gsub(/[`:]/, "", folder) }
     /^[A-Z#]/ { folder = "" }
     folder ~ /\/$/ { line = $0
         while (match(line, /`[a-z0-9_*]+\.(c|h|def)`/)) {
             print folder substr(line, RSTART + 1, RLENGTH - 2); line = substr(line, RSTART + RLENGTH) } }' \
    docs/ARCHITECTURE.md >"${TMPDIR:-/tmp}/pc_docs.$$"
while read -r path; do
    tried=$((tried + 1))
    # shellcheck disable=SC2086 # as above
    set -- $path
    [ -e "$1" ] || complain "docs/ARCHITECTURE.md: $path is not there"
done <"${TMPDIR:-/tmp}/pc_docs.$$"
rm -f "${TMPDIR:-/tmp}/pc_docs.$$"
for folder in src/*/ tests/*/ cli/ bench/ data/ examples/ man/ tools/ cmake/; do
    tried=$((tried + 1))
    grep -q "\`${folder%/}/\?\`\|\`$folder" docs/ARCHITECTURE.md || complain "docs/ARCHITECTURE.md does not name $folder"
done

for verb in $(list cli | sed -n 's|^.*/cmd_\([a-z]*\)\.c$|\1|p'); do
    tried=$((tried + 1))
    sed -n '/^| verb |/,/^$/p' docs/ARCHITECTURE.md | grep -q "\`$verb\`" || complain "docs/ARCHITECTURE.md does not say what $verb does"
done

# The functions that a verb's row names are called in a folder of one of its verbs.
sed -n '/^| verb |/,/^$/p' docs/ARCHITECTURE.md | while IFS='|' read -r _ verbs way; do
    # shellcheck disable=SC2016 # a backtick is a backtick
    for function in $(printf '%s' "$way" | grep -o '`pc_[a-z0-9_]*`' | tr -d '`' || true); do
        # shellcheck disable=SC2016 # the same
        for verb in $(printf '%s' "$verbs" | grep -o '`[a-z]*`' | tr -d '`'); do
            grep -rqsw "$function" "cli/$verb" && continue 2
        done
        echo "docs/ARCHITECTURE.md:$verbs: $function is not called there"
    done
done >"${TMPDIR:-/tmp}/pc_docs.$$"
while read -r line; do complain "$line"; done <"${TMPDIR:-/tmp}/pc_docs.$$"
rm -f "${TMPDIR:-/tmp}/pc_docs.$$"

# The changelog begins with the version that the headers are of.
version=$(tools/version.sh)
grep '^## ' CHANGELOG.md | head -n 1 | grep -qE "^## $version( |$)" || complain "CHANGELOG.md does not begin with $version"
[ $tried -gt 150 ] || complain "only $tried references were found"
[ $bad -eq 0 ] && echo "$tried passed, 0 failed"
exit $bad
