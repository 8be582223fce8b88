/* SPDX-License-Identifier: MIT */
/*
 * Sets up two counters of a G92, in quad mode: cycles in which PGRAPH is idle, and those of them in
 * which stream output is still busy.  It prints the writes; a driver would make them.
 */
#include "g92_pcounter.h"

#include <stdio.h>

#define DOMAIN 1 /* where PGRAPH is */

static void poke(unsigned address, unsigned value)
{
    printf("w %06x %08x\n", address, value);
}

int main(void)
{
    puts("chip G92");
    poke(G92_PCOUNTER_CTRL(DOMAIN), G92_PCOUNTER_CTRL_MODE_QUAD);
    poke(G92_PCOUNTER_EVENT_SRC(DOMAIN), G92_PCOUNTER_SIGNAL_1_PGRAPH_IDLE);
    poke(G92_PCOUNTER_EVENT_OP(DOMAIN), 0xaaaa); /* source 0 */
    poke(G92_PCOUNTER_STOP_SRC(DOMAIN),
         G92_PCOUNTER_SIGNAL_1_PGRAPH_IDLE << G92_PCOUNTER_STOP_SRC_SRC0_SHIFT |
             G92_PCOUNTER_SIGNAL_1_STRMOUT_BUSY0 << G92_PCOUNTER_STOP_SRC_SRC1_SHIFT);
    poke(G92_PCOUNTER_STOP_OP(DOMAIN), 0x8888); /* source 0 and source 1 */
    return 0;
}
