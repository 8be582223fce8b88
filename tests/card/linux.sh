# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # names of qemu.sh
# Part of qemu.sh: Debian's kernel for virtual machines, with this test's client over stock
# libpciaccess, and pcounter, which asks the card, as all there is.
# The kernel is taken from the folder PC_TEST_KERNEL (its boot/vmlinuz*), or by apt.
linux() {
    kernel=$(find "${PC_TEST_KERNEL:-/nonexistent}" -path "*/boot/vmlinuz*" 2>/dev/null | head -1)
    if [ -z "$kernel" ] && command -v apt-get >/dev/null; then
        package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | awk '$1 == "Depends:" { print $2; exit }')
        mkdir "$work/deb"
        (cd "$work/deb" && apt-get -q -o APT::Sandbox::User=root download "$package") >/dev/null 2>&1 &&
            dpkg -x "$work"/deb/*.deb "$work/deb" && kernel=$(find "$work/deb" -path "*/boot/vmlinuz*" | head -1)
    fi
    [ -n "$kernel" ] || { echo "*** SKIP Linux in QEMU: no kernel (linux-image-cloud-amd64 by apt) ***" >&2; return; }
    root="$work/root"
    mkdir -p "$root/proc" "$root/sys" "$root/dev"
    "$cc" -O2 -static -o "$root/init" "$here/linux_init.c" || { fail "the first process"; return; }
    "$cc" -O2 -o "$root/client" "$here/client.c" -lpciaccess 2>"$work/why" ||
        { echo "*** SKIP Linux in QEMU: $(head -1 "$work/why") ***" >&2; return; }
    cp "$program" "$root/pcounter"
    { ldd "$root/client"; ldd "$root/pcounter"; } | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
    python3 "$here/cpio.py" "$root" | gzip -1 >"$work/initrd"
    for card in G80:"201 1001 1202 3003" G92:"201 1001 1202 3003" GT215:"201 1001 1202"; do
        timeout 600 "$program" card -a "${card%%:*}" --option quad-exit=empty --option flag-import=register --qemu -- \
            qemu-system-x86_64 -accel tcg -m 256 -nodefaults -display none \
            -serial stdio -no-reboot -kernel "$kernel" -initrd "$work/initrd" -append "console=ttyS0 quiet panic=-1" \
            >"$work/out" 2>"$work/err"
        is "Linux's end" $? 0
        is "signals of ${card%%:*} in Linux" \
            "$(tr -d '\r' <"$work/out" | grep -E '^[0-9]+ [0-9a-f]{2}$' | grep -Ev ' (27|34|a3)$' | sort -n | cut -d' ' -f1 | xargs)" "${card#*:}"
        is "questions to ${card%%:*} in Linux" "$(tr -d '\r' <"$work/out" | sed -n '/^[a-z-]* \{2,\}[a-z0-9]*$/p' | sort | xargs)" \
            "flag-import register pm-trigger-latency 4 quad-entry keep quad-exit empty"
    done
}
linux
