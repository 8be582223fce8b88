/* SPDX-License-Identifier: MIT */
/*
 * From the multiboot loader (32 bits, no paging) to 64 bits with every vector register enabled;
 * then bare.c.  The first GiB is where it is in memory.
 */
        .set CR4_BITS, 1 << 5 | 1 << 9 | 1 << 10 | 1 << 18 /* PAE OSFXSR OSXMMEXCPT OSXSAVE */
        .set XCR0_BITS, 0xe7                               /* x87 SSE AVX, all of AVX-512 */
        .set EFER, 0xc0000080
        .set STAR, 0xc0000081
        .set LSTAR, 0xc0000082
        .set CODE, 8
        .set DATA, 16
        .set MAGIC, 0x1badb002
        .set FLAGS, 1 << 16 /* the addresses follow */

        .section .start, "awx"
        .balign 4
header: .long MAGIC, FLAGS, -(MAGIC + FLAGS)
        .long header, bare_begin, bare_data_end, bare_end, start

        .code32
        .globl start
start:  mov $stack, %esp
        mov %ebx, info
        mov $tables, %edi /* a table of 512 pages of 2 MiB */
        mov $0x83, %eax
1:      mov %eax, (%edi)
        add $0x200000, %eax
        add $8, %edi
        cmp $tables + 4096, %edi
        jne 1b
        movl $tables + 3, tables + 4096
        movl $tables + 4096 + 3, tables + 8192
        mov $tables + 8192, %eax
        mov %eax, %cr3
        mov $CR4_BITS, %eax
        mov %eax, %cr4
        mov $EFER, %ecx
        rdmsr
        or $0x101, %eax /* LME SCE */
        wrmsr
        mov %cr0, %eax
        and $~0xc, %eax /* EM TS */
        or $0x80000002, %eax
        mov %eax, %cr0
        lgdt gdt_at
        ljmp $CODE, $wide

        .code64
wide:   mov $DATA, %eax
        mov %eax, %ds
        mov %eax, %es
        mov %eax, %ss
        xor %ecx, %ecx
        xor %edx, %edx
        mov $XCR0_BITS, %eax
        xsetbv
        mov $STAR, %ecx
        mov $CODE, %edx /* and the data behind it */
        xor %eax, %eax
        wrmsr
        mov $LSTAR, %ecx
        xor %edx, %edx
        mov $entry, %eax
        wrmsr
        mov info, %edi
        call bare_load
        mov %rax, %rsp
        xor %edx, %edx /* nothing to be called at exit */
        jmp *bare_entry

/* A system call of the program, which runs in ring 0 like all here: back by a jump. */
entry:  mov %rsp, kept
        mov $stack, %rsp
        push %rcx
        push %r11
        push %rdi
        push %rsi
        push %rdx
        push %r10
        push %r8
        push %r9
        mov %r10, %rcx
        push %rax
        mov %rsp, %r9 /* the number */
        call bare_call
        add $8, %rsp
        pop %r9
        pop %r8
        pop %r10
        pop %rdx
        pop %rsi
        pop %rdi
        popfq
        pop %rcx
        mov kept, %rsp
        jmp *%rcx

        .balign 8
gdt:    .quad 0, 0x00af9b000000ffff, 0x00cf93000000ffff
gdt_at: .word gdt_at - gdt - 1
        .long gdt
info:   .long 0
kept:   .quad 0

        .section .bss
        .balign 4096
tables: .skip 3 * 4096
        .skip 65536
stack:
        .section .note.GNU-stack, "", @progbits
