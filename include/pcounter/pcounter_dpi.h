/* SPDX-License-Identifier: MIT */
/*
 * Lock-step check of CVA6's module perf_counters from a simulator, through DPI-C: what the
 * SystemVerilog of `pcounter emit dpi-bind` calls.  In each clock out of reset it hands over
 * the module's registers and inputs as they are before the rising edge, then calls
 * pcounter_dpi_clock(), which compares them with the model and steps the model.
 * A check belongs to one thread.  Types are those of DPI-C: chandle, int unsigned, longint
 * unsigned, string.
 */
#ifndef PCOUNTER_DPI_H
#define PCOUNTER_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For a configuration ("cv64a6_imafdc_sv39") and profile ("rtl"); NULL if there is none. */
void *pcounter_dpi_open(const char *core, const char *profile);
/*
 * NULL is fine, here and below, and checks nothing: an edge at time 0 can come before the checker
 * is open.
 */
void pcounter_dpi_close(void *check);
/* Asynchronous reset: every register 0, and clocks are counted from 0 again. */
void pcounter_dpi_reset(void *check);

/*
 * Commit port `number`: ack in bit 0, fu in 4:1, op ADD in 5, op JALR in 6, rd in 11:7; 12: rs1 is
 * in 17:13.
 */
void pcounter_dpi_port(void *check, uint32_t number, uint32_t bits);
/* Last-read valid bits of D-cache port `number`, 0 .. 2. */
void pcounter_dpi_ways(void *check, uint32_t number, uint32_t valid);
/* mhpmcounterN and mhpmeventN, 3 .. 8, as the RTL has them. */
void pcounter_dpi_register(void *check, uint32_t number, uint64_t value, uint32_t event);
/*
 * The rest of the inputs (`lines`: bits enum pc_hpm_line), and data_o in `answer`.  Returns
 * how many values differ; the model then goes on from the RTL's registers.
 */
uint32_t pcounter_dpi_clock(void *check, uint32_t lines, uint32_t debug, uint32_t inhibit,
                            uint32_t write, uint32_t address, uint64_t wdata, uint64_t answer);
/* The differences of the last clock, a line each, none behind the last; lives until the next call.
 */
const char *pcounter_dpi_text(void *check);

#ifdef __cplusplus
}
#endif

#endif
