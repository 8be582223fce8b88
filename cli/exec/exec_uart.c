/* SPDX-License-Identifier: MIT */
/*
 * A UART of 8250 kind that prints and never receives.  Its registers are bytes that stand side by
 * side, or in every fourth byte: the two places of a register do not meet, so both are understood.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

enum { IIR = 2, LCR = 3, LSR = 5, DIVISOR = 0x80, NO_INTERRUPT = 1, EMPTY = 0x60 };

static bool is_register(unsigned offset, unsigned which)
{
    return offset == which || offset == 4 * which;
}

bool exec_is_uart(const struct machine *m, uint64_t address)
{
    return m->r->has_uart && address - m->r->uart < sizeof m->uart.reg;
}

uint64_t exec_uart_load(struct machine *m, uint64_t address)
{
    const unsigned offset = (unsigned)(address - m->r->uart);

    if (is_register(offset, LSR))
        return EMPTY;
    if (is_register(offset, IIR))
        return NO_INTERRUPT;
    if (offset == 0 && !(m->uart.lcr & DIVISOR))
        return 0;
    return m->uart.reg[offset];
}

void exec_uart_store(struct machine *m, uint64_t address, uint64_t value)
{
    const unsigned offset = (unsigned)(address - m->r->uart);
    const unsigned char byte = (unsigned char)value;

    if (offset == 0 && !(m->uart.lcr & DIVISOR))
        exec_print(m, &byte, 1);
    else
        m->uart.reg[offset] = byte;
    if (is_register(offset, LCR))
        m->uart.lcr = byte;
}

#endif
