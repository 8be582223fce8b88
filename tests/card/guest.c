/* SPDX-License-Identifier: MIT */
/*
 * A guest of QEMU without an operating system, as a multiboot kernel: finds the card on the PCI
 * bus, maps BAR0, and tells on the serial port which signals count accesses (as client.c does, but
 * by aligned accesses: QEMU cuts others into bytes), what record mode has written to its memory,
 * and what is beyond the card.
 */
#include <stdint.h>

static volatile uint8_t *bar0;
#include "finder.h"

/* ---- the machine ---- */

__attribute__((section(".multiboot"),
               used)) static const uint32_t multiboot[3] = { 0x1badb002, 0, 0u - 0x1badb002 };

static void out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static uint8_t in8(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

static uint32_t in32(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void put(char c)
{
    while (!(in8(0x3fd) & 0x20))
        ;
    out8(0x3f8, (uint8_t)c);
}

static void put_text(const char *text)
{
    while (*text)
        put(*text++);
}

static void put_hex(uint32_t value, unsigned digits)
{
    while (digits-- > 0)
        put("0123456789abcdef"[value >> 4 * digits & 15]);
}

static void put_count(uint32_t count, unsigned signal)
{
    char text[11];
    unsigned at = sizeof text - 1;

    text[at] = '\0';
    do
        text[--at] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    put_text(text + at);
    put(' ');
    put_hex(signal, 2);
    put('\n');
}

static void put_line(const char *what, uint32_t value)
{
    put_text(what);
    put(' ');
    put_hex(value, 8);
    put('\n');
}

/* isa-debug-exit: QEMU's exit code is 2 * code + 1 */
static void end(uint32_t code)
{
    out32(0x501, code);
    for (;;)
        __asm__ volatile("hlt");
}

/* ---- the PCI bus ---- */

static uint32_t config(uint32_t slot, uint32_t at)
{
    out32(0xcf8, 0x80000000 | slot << 11 | at);
    return in32(0xcfc);
}

static void set_config(uint32_t slot, uint32_t at, uint32_t value)
{
    out32(0xcf8, 0x80000000 | slot << 11 | at);
    out32(0xcfc, value);
}

/* BAR0 of the card, at an address of our own */
static void find_card(void)
{
    uint32_t slot = 0;

    while (slot < 32 && (config(slot, 0) & 0xffff) != 0x10de)
        slot++;
    if (slot == 32) {
        put_text("no card\n");
        end(1);
    }
    put_line("card", config(slot, 0));
    put_line("class", config(slot, 8) >> 8);
    set_config(slot, 4, 0);
    set_config(slot, 0x10, 0xffffffff);
    put_line("BAR0", config(slot, 0x10));
    set_config(slot, 0x10, 0xe0000000);
    set_config(slot, 4, 6);
    bar0 = (volatile uint8_t *)0xe0000000;
    put_line("boot", in(0));
}

/* ---- record mode, to a place in memory that is not used ---- */

enum { BUFFER = 0x2000000, NOWHERE = 0x7ff00000 };

static void record(uint32_t where)
{
    volatile uint32_t *packet = (volatile uint32_t *)BUFFER;

    for (unsigned i = 0; i < 8; i++)
        packet[i] = 0xffffffff;
    out(0xa7a4, 1);          /* RECORD_DMA */
    out(0xa7a0, 0x80000001); /* RECORD_CHAN, valid */
    out(0xa720, where + 0x1000);
    out(0xa760, where);
    out(0xa4c0, 0); /* STOP in each cycle */
    out(0xa4e0, 0xffff);
    out(CTRL, 2);
    for (unsigned i = 0; i < 4; i++)
        (void)in(0);
    out(CTRL, 0);
}

void main(void);
void main(void)
{
    find_card();
    find_signals(true, put_count);
    record(BUFFER);
    put_line("packet", *(volatile uint32_t *)BUFFER);
    put_line("packet", *(volatile uint32_t *)(BUFFER + 32));
    record(NOWHERE);
    put_line("packet", *(volatile uint32_t *)BUFFER);
    (void)in(0xfffffc); /* the last word of BAR0, where nothing is */
    put_line("beyond", *(volatile uint32_t *)0xe1000000);
    put_text("end\n");
    end(21);
}

__asm__(".globl _start\n_start:\n movl $0x90000, %esp\n call main\n");
