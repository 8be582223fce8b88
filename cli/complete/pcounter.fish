# SPDX-License-Identifier: MIT
# Completion of pcounter and pcounter-mpi for fish: what `pcounter complete` says.
#   pcounter --generate complete-fish | source
function __pcounter_complete
    set -l words (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l typed (commandline -ct)
    set -l plain # what is typed, without its quotes, of which one may still be open
    for quote in '' "'" '"'
        set plain (string unescape -- "$typed$quote") && break
    end
    set -l lines (command $program complete words $words[2..-1] "$plain[1]" 2>/dev/null)
    if test (count $lines) -eq 0 -o "$lines[1]" = files
        set -l option (string match -r -- '^--[a-z-]+=' "$typed")
        for path in (__fish_complete_path (string sub -s (math 1 + (string length -- "$option")) -- "$typed"))
            echo "$option$path"
        end
        return
    end
    printf '%s\n' $lines[2..-1]
end
for program in pcounter pcounter-mpi
    complete -c $program -e
    complete -c $program -f -a '(__pcounter_complete)'
end
