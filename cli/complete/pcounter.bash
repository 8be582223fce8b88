# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion of pcounter and pcounter-mpi for bash: what `pcounter complete` says.
#   source <(pcounter --generate complete-bash)
_pcounter()
{
    local what reply program=${1/#\~\//$HOME/}
    COMPREPLY=()
    {
        IFS= read -r what || what=files
        while IFS= read -r reply; do
            COMPREPLY+=("$reply")
        done
    } < <(command -- "$program" complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    case $what in
    files) ;; # nothing more: then bash completes files
    open) compopt -o nospace +o default 2>/dev/null ;;
    *) compopt +o default 2>/dev/null ;;
    esac
}
complete -o default -F _pcounter pcounter pcounter-mpi
