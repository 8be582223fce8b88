#!/bin/sh
# SPDX-License-Identifier: MIT
# bochs.sh EXPECTED IMAGE PROGRAM [ARGUMENT...]: runs the program on a machine with AVX-512, made by
# Bochs; it must print the expected line and nothing else. The image (start.S, bare.c) loads it.
set -eu
expected=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cd/isolinux"
cp "$1" "$work/cd/image"
cp "$2" "$work/cd/program"
shift 2
cp /usr/lib/ISOLINUX/isolinux.bin "$work/cd/isolinux"
for module in ldlinux libcom32 mboot; do
    cp "/usr/lib/syslinux/modules/bios/$module.c32" "$work/cd/isolinux"
done
cat >"$work/cd/isolinux/isolinux.cfg" <<END
DEFAULT program
PROMPT 0
LABEL program
    KERNEL mboot.c32
    APPEND /image --- /program $*
END
xorriso -as mkisofs -quiet -o "$work/cd.iso" -b isolinux/isolinux.bin -c isolinux/catalog \
    -no-emul-boot -boot-load-size 4 -boot-info-table "$work/cd" 2>"$work/xorriso"
cat >"$work/machine" <<END
cpu: model=corei7_icelake_u, ips=100000000, reset_on_triple_fault=0
megs: 512
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$work/cd.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
display_library: term
log: $work/log
panic: action=fatal
clock: sync=none
END
echo c >"$work/commands"
# A screen of text, and a debugger that waits to be told to go on, are what Debian's Bochs has.
TERM=xterm script -qec \
    "timeout --foreground -s KILL 900 bochs -q -f $work/machine -rc $work/commands" \
    /dev/null </dev/null >"$work/screen" 2>&1 || true
if [ "$(cat "$work/serial")" != "$expected
end" ]; then
    echo "expected \"$expected\" and \"end\", got:" >&2
    cat "$work/serial" >&2
    tail -n 40 "$work/log" >&2
    exit 1
fi
