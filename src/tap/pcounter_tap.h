/* SPDX-License-Identifier: MIT */
/* The functions that the SystemVerilog of `pcounter emit tap` imports by DPI-C: int is 32 bits,
 * longint 64. */
#ifndef PC_PCOUNTER_TAP_H
#define PC_PCOUNTER_TAP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Connects at the first call.  0: pcounter does not count.  -1: another tap is in this simulation.
 */
int pcounter_tap_open(const char *identity, unsigned clocks, int precision);
/* Declares the next bits of a clock's row, from the lowest on; 0: no memory. */
int pcounter_tap_signal(unsigned clock, const char *name, unsigned bits, int left, int right);
/* Declares a clock, after its signals; the bits of its row. */
long long pcounter_tap_clock(unsigned clock, const char *name, int falling);
/* Ends the declarations.  0: no values are wanted, and the simulation should end. */
int pcounter_tap_begin(void);
/* Sends a row, as an array of svLogicVecVal. 1: pcounter asks to end the simulation. */
int pcounter_tap_edge(unsigned clock, long long now, const void *row);
void pcounter_tap_end(long long now);

#ifdef __cplusplus
}
#endif

#endif
