#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion in a real shell, on a terminal of script(1)'s: lines with tabs are typed, and the words
# that arrive at the program are those that were meant, to the byte; no name in a waveform is run.
#   complete_shell.sh PROGRAM bash|zsh|fish
set -u
program=$(realpath "${1:?usage: complete_shell.sh PROGRAM bash|zsh|fish}")
shell=$2
skip() {
    echo "*** SKIP completion in $shell: $1 ***"
    exit 77
}
command -v "$shell" >/dev/null || skip "$shell is not installed"
command -v script >/dev/null || skip 'script(1) is not installed'
script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip 'there are no pseudo-terminals here'
work=$(mktemp -d "${TMPDIR:-/tmp}/complete-XXXXXX") # a dot would be one between scopes
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home" "$work/folder with blanks"
cd "$work" || exit 1
# what the shell calls: completion is answered, other words are written down
cat >bin/pcounter <<END
#!/bin/sh
if [ "\$1" = complete ]; then # it gives up after two seconds: if the machine had no time for it, again
    for _ in 1 2 3 4 5 6 7 8; do
        code=0
        "$program" "\$@" || code=\$?
        [ \$code = 4 ] || break
    done
    exit \$code
fi
{ printf '<%s>' "\$@"; echo; } >>"$work/said"
END
chmod +x bin/pcounter

# names that a shell must not run; IFS stands for the blank that a name cannot have
cat >evil.vcd <<END
\$timescale 1ns \$end
\$scope module top \$end
\$var wire 1 ! clk \$end
\$var wire 1 " \\a;touch\$IFS$work/run1 \$end
\$var wire 1 # \\b\$(touch\$IFS$work/run2) \$end
\$var wire 1 \$ \\c\`touch\$IFS$work/run3\` \$end
\$var wire 1 % \\d'"|&<>!*? \$end
\$var wire 1 ' (touch\$IFS$work/run4) \$end
\$var wire 1 & bus[3] \$end
\$upscope \$end
\$enddefinitions \$end
#0
0!
END
cp evil.vcd 'folder with blanks/other wave.vcd'

# --- lines to type, ^ is the tab, and the words that come of them ---
cat >lines <<'END'
pcounter sta^evi^--clo^top.cl^
pcounter stat evil.vcd -e top.\\a^
pcounter stat evil.vcd -e top.\\b^
pcounter stat evil.vcd -e top.\\c^
pcounter stat evil.vcd -e top.\\d^
pcounter stat evil.vcd -e top.\\\(^
pcounter stat evil.vcd -e 'n=top.\a^
pcounter stat evil.vcd -e 'n=top.\b^
pcounter stat evil.vcd -e 'n=top.\c^
pcounter stat evil.vcd -e 'n=top.\d^
pcounter stat evil.vcd -e "top.\\a^
pcounter stat evil.vcd -e "top.\\b^
pcounter stat evil.vcd -e "top.\\c^
pcounter stat evil.vcd --event=top.bu^
pcounter stat fold^other^--clock 'posedge top.c^
pcounter check --quirk or_ports=of^
pcounter stat --form^perf^-aG20^ --x=ta^
pcounter decode -a G92 CTRL\[1^ --output=evi^
pcounter list --form^ js^ signals -a G92 -d 1 -o lin^
pcounter explain PC-E020^3
END
cat >wanted <<END
<stat><evil.vcd><--clock><top.clk>
<stat><evil.vcd><-e><top.\\a;touch\$IFS$work/run1 >
<stat><evil.vcd><-e><top.\\b\$(touch\$IFS$work/run2) >
<stat><evil.vcd><-e><top.\\c\`touch\$IFS$work/run3\` >
<stat><evil.vcd><-e><top.\\d'"|&<>!*? >
<stat><evil.vcd><-e><top.\\(touch\$IFS$work/run4) >
<stat><evil.vcd><-e><n=top.\\a;touch\$IFS$work/run1 >
<stat><evil.vcd><-e><n=top.\\b\$(touch\$IFS$work/run2) >
<stat><evil.vcd><-e><n=top.\\c\`touch\$IFS$work/run3\` >
<stat><evil.vcd><-e><n=top.\\d'"|&<>!*? >
<stat><evil.vcd><-e><top.\\a;touch\$IFS$work/run1 >
<stat><evil.vcd><-e><top.\\b\$(touch\$IFS$work/run2) >
<stat><evil.vcd><-e><top.\\c\`touch\$IFS$work/run3\` >
<stat><evil.vcd><--event=top.bus[3]>
<stat><folder with blanks/other wave.vcd><--clock><posedge top.clk>
<check><--quirk><or_ports=off>
<stat><--format><perfetto><-aG200><--x=taint>
<decode><-a><G92><CTRL[1]><--output=evil.vcd>
<list><--format><json><signals><-a><G92><-d><1><-o><lines>
<explain><PC-E0203>
END

# --- the shells ---
# shellcheck disable=SC2016 # for them, not for this one
case $shell in
bash)
    {
        echo "PATH=$work/bin:\$PATH; PS1='\$ '; PROMPT_COMMAND='echo >>$work/ready'; bind 'set bell-style none'"
        "$program" --generate complete-bash
    } >rc
    start="bash --noprofile --rcfile $work/rc -i"
    ;;
zsh)
    mkdir home/functions
    "$program" --generate complete-zsh >home/functions/_pcounter
    {
        echo "PATH=$work/bin:\$PATH; PS1='\$ '; precmd() { echo >>$work/ready }"
        echo 'fpath=($ZDOTDIR/functions $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep'
    } >home/.zshrc
    start='zsh -i'
    ;;
fish)
    mkdir -p home/.config/fish/completions
    "$program" --generate complete-fish >home/.config/fish/completions/pcounter.fish
    echo "set -x PATH $work/bin \$PATH; set fish_greeting; function fish_prompt; echo >>$work/ready; echo '> '; end" \
        >home/.config/fish/config.fish
    start=fish
    ;;
*) skip 'no such shell' ;;
esac

# wait_for FILE COUNT: waits until there are so many
wait_for() {
    turns=600
    until [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; do
        turns=$((turns - 1))
        [ $turns -gt 0 ] || return 0
        sleep 0.1
    done
}
: >said
{
    wait_for ready 1
    sleep 0.2
    typed=0
    while IFS= read -r line; do
        typed=$((typed + 1))
        printf '%s\r' "$line" | tr '^' '\t'
        wait_for said $typed
        [ "$(wc -l <said)" -ge $typed ] || break
    done <lines
    printf 'exit\r'
    sleep 0.5
} | HOME=$work/home ZDOTDIR=$work/home XDG_CONFIG_HOME=$work/home/.config XDG_DATA_HOME=$work/home TERM=dumb \
    timeout 1000 script -qec "$start" /dev/null >terminal 2>&1
bad=0
diff wanted said >&2 || bad=1
for file in run*; do
    [ ! -e "$file" ] || { echo "FAILED: a name was run: $file" >&2; bad=1; }
done
[ $bad -eq 0 ] || { cat -v terminal; exit 1; }
echo "$(wc -l <said) lines of $shell, 0 failed"
