# SPDX-License-Identifier: MIT
# Completion of pcounter and pcounter-mpi for fish: what `pcounter complete` says.
#   pcounter --generate complete-fish | source
function __pcounter_answers # false: files, which fish completes itself
    set -l words (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l typed (commandline -ct)
    set -l plain # what is typed, without its quotes, of which one may still be open
    for quote in '' "'" '"'
        set plain (string unescape -- "$typed$quote") && break
    end
    set -l lines (command $program complete words $words[2..-1] "$plain[1]" 2>/dev/null)
    set -g __pcounter_reply $lines[2..-1]
    test (count $lines) -gt 0 && test "$lines[1]" != files
end
for program in pcounter pcounter-mpi
    complete -c $program -e
    complete -c $program -n __pcounter_answers -f -a '$__pcounter_reply'
end
