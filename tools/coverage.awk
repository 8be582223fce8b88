# SPDX-License-Identifier: MIT
# Reads what `gcov -t -b -c` says of many objects; writes a table, the uncovered places, and JSON.
#   awk -v root=DIR -v json=FILE -v places=FILE -f coverage.awk
# A line or branch of a header counts as taken where any of the objects took it; a header of the models
# is counted in objects of the models and of their tests alone, which are built without optimisation.
BEGIN { root = root "/" }

/^ *-: *0:Source:/ {
    file = $0
    sub(/^ *-: *0:Source:/, "", file)
    ours = index(file, root) == 1
    if (ours) file = substr(file, length(root) + 1)
    ours = ours && file ~ /^(src|cli|include)\//
    next
}
/^ *-: *0:Graph:/ { ours = ours && (file !~ /^src\/model\/.*\.h$/ || $0 ~ /\/src\/model\/|\/tests\//) }
!ours { next }

/^branch +[0-9]+ / {
    branch++
    if (branch > branches[at]) branches[at] = branch
    if ($3 == "taken" && $4 > 0) was_taken[at ":" branch] = 1
    next
}

/^ *[0-9#=*-]+: *[0-9]+:/ {
    colon = index($0, ":")
    count = substr($0, 1, colon - 1)
    rest = substr($0, colon + 1)
    line = rest + 0
    branch = 0
    gsub(/[ *]/, "", count)
    if (line == 0 || count == "-") next
    at = file ":" line
    text[at] = substr(rest, index(rest, ":") + 1)
    if (line > last[file]) last[file] = line
    if (count + 0 > 0) ran[at] = 1
}

function percent(part, all) { return all ? sprintf("%6.2f", 100 * part / all) : "     -" }
function row(name, l, l_ran, b, b_taken) {
    printf "%-34s %6d %6d %s %%   %6d %6d %s %%\n", name, l, l - l_ran, percent(l_ran, l), b, b - b_taken,
           percent(b_taken, b)
}
function head(what) { printf "%-34s %6s %6s %8s   %6s %6s %8s\n", what, "lines", "missed", "", "branch", "missed", "" }
function add(group, f) {
    lines[group] += lines[f]; lines_ran[group] += lines_ran[f]
    all[group] += all[f]; all_taken[group] += all_taken[f]
}
function sorted(set, out,    key, n, i, j, hold) {
    n = 0
    for (key in set) out[++n] = key
    for (i = 2; i <= n; i++) {
        hold = out[i]
        for (j = i - 1; j > 0 && out[j] > hold; j--) out[j + 1] = out[j]
        out[j + 1] = hold
    }
    return n
}
function listed(list, n) { return list (list == "" ? "" : ", ") n }
function count_file(f,    n, b, missed, at) {
    lines[f] = lines_ran[f] = all[f] = all_taken[f] = 0
    for (n = 1; n <= last[f]; n++) {
        at = f ":" n
        if (!(at in text)) continue
        lines[f]++
        missed = 0
        for (b = 1; b <= branches[at]; b++) {
            all[f]++
            if ((at ":" b) in was_taken) all_taken[f]++
            else missed++
        }
        if (!(at in ran)) {
            lost_lines[f] = listed(lost_lines[f], n)
            print at ": never run: " text[at] >places
            continue
        }
        lines_ran[f]++
        if (missed) {
            lost_branches[f] = listed(lost_branches[f], n)
            print at ": " missed " of " branches[at] " branches: " text[at] >places
        }
    }
}
END {
    printf "" >places
    files = sorted(last, name)
    for (i = 1; i <= files; i++) {
        count_file(name[i])
        folder = name[i]
        sub(/\/[^\/]*$/, "", folder)
        folders[folder] = 1
        add(folder, name[i])
        add("all", name[i])
    }
    head("folder")
    n = sorted(folders, list)
    for (i = 1; i <= n; i++) row(list[i], lines[list[i]], lines_ran[list[i]], all[list[i]], all_taken[list[i]])
    row("all", lines["all"], lines_ran["all"], all["all"], all_taken["all"])
    print ""
    head("file")
    printf "{\"files\":[" >json
    for (i = 1; i <= files; i++) {
        f = name[i]
        row(f, lines[f], lines_ran[f], all[f], all_taken[f])
        printf "%s\n{\"file\":\"%s\",\"lines\":%d,\"lines_run\":%d,\"branches\":%d,\"branches_taken\":%d," \
               "\"lines_missed\":[%s],\"branches_missed_at\":[%s]}", (i > 1 ? "," : ""), f, lines[f], lines_ran[f], \
               all[f], all_taken[f], lost_lines[f], lost_branches[f] >json
    }
    printf "\n]}\n" >json
}
