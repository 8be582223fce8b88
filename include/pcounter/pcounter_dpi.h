/* SPDX-License-Identifier: MIT */
/*
 * The models beside a design in a simulator, through DPI-C.  Types are those of DPI-C: chandle, int
 * unsigned, longint unsigned, string, bit [255:0].  A handle belongs to one thread; NULL for one is
 * fine, and does nothing: an edge at time 0 can come before it is open.
 */
#ifndef PCOUNTER_DPI_H
#define PCOUNTER_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lock-step check of CVA6's module perf_counters: what the SystemVerilog of `pcounter emit
 * dpi-bind` calls.  In each clock out of reset it hands over the module's registers and inputs as
 * they are before the rising edge, then calls pcounter_dpi_clock(), which compares them with the
 * model and steps the model.
 */

/* Opens a check for a configuration ("cv64a6_imafdc_sv39") and profile ("rtl"); NULL if there is
 * none. */
void *pcounter_dpi_open(const char *core, const char *profile);
void pcounter_dpi_close(void *check);
/* Asynchronous reset: every register 0, and clocks are counted from 0 again. */
void pcounter_dpi_reset(void *check);

/*
 * Sets commit port `number`: ack in bit 0, fu in 4:1, op ADD in 5, op JALR in 6, rd in 11:7; 12:
 * rs1 is in 17:13.
 */
void pcounter_dpi_port(void *check, uint32_t number, uint32_t bits);
/* Sets the last-read valid bits of D-cache port `number`, 0 .. 2. */
void pcounter_dpi_ways(void *check, uint32_t number, uint32_t valid);
/* Sets mhpmcounterN and mhpmeventN, 3 .. 8, as the RTL has them. */
void pcounter_dpi_register(void *check, uint32_t number, uint64_t value, uint32_t event);
/*
 * Makes a clock with the rest of the inputs (`lines`: bits enum pc_hpm_line), and data_o in
 * `answer`. Returns how many values differ; the model then goes on from the RTL's registers.
 */
uint32_t pcounter_dpi_clock(void *check, uint32_t lines, uint32_t debug, uint32_t inhibit,
                            uint32_t write, uint32_t address, uint64_t wdata, uint64_t answer);

/*
 * Checks csr_regfile, by a handle of its own (+define+PCOUNTER_CSR): mcycle, minstret,
 * mcountinhibit and the enables by their CSR addresses (b00, b02, 320, 306, 106, 606), ports (ack
 * alone), then the clock.  `mode`: privilege in bits 1:0, V in 2, debug mode in 3.  `op`: 0 no CSR
 * instruction, 1 csrrw, 2 csrrs, 3 csrrc, 4 a read alone; of a CSR that is none of the counters'
 * it is taken as 0.  `cause`: that of the access's trap, 0 for none.  Returns how many values
 * differ: of registers, the cause, and what a read of those registers or of their shadows gives.
 */
void pcounter_dpi_csr_register(void *check, uint32_t address, uint64_t value);
uint32_t pcounter_dpi_csr_clock(void *check, uint32_t exception, uint32_t mode, uint32_t op,
                                uint32_t address, uint64_t operand, uint64_t rdata, uint64_t cause);
/* Returns the differences of the last clock, one on each line, without a newline at the end; valid
 * until the next call.
 */
const char *pcounter_dpi_text(void *check);

/*
 * The whole model, for a bench that compares an instruction-set simulator with the design
 * (examples/cva6-dpi): mcycle, minstret, enables and inhibit are then also the model's.  In each
 * clock out of reset the bench hands over ports and ways, asks what the CSR read that commits in
 * this clock returns, and makes the clock.  A handle is for this or for pcounter_dpi_clock().
 * `mode`: privilege in bits 1:0, V in 2, debug mode in 3.
 */

/* Reads a CSR; the value goes to *value, 0 for a trap. Returns its cause, 0 for none. */
uint32_t pcounter_dpi_read_at(void *check, uint32_t mode, uint32_t address, uint64_t *value);
/*
 * Makes a clock; `op`: 0 no CSR instruction, 1 csrrw, 2 csrrs, 3 csrrc, 4 only a read; with its
 * operand. Returns its cause, as pc_hpm_step() has it.
 */
uint32_t pcounter_dpi_step(void *check, uint32_t lines, uint32_t mode, uint32_t op,
                           uint32_t address, uint64_t operand);

/*
 * A described core (pcounter-core(5)) beside its design: what the SystemVerilog of `pcounter emit
 * dpi-bind --core FILE` calls.  First the description, a line a part, its fields after a tab each:
 *   reset     1 if it also counts between two edges; expression
 *   let       name, expression
 *   vector    name; then for each element, from 0 on:
 *   element   its name or nothing, expression
 *   register  name, width, signal or nothing, value after a reset or nothing; then in their order:
 *   rule      enum pc_core_action, high and low bit or nothing, 1 to go on, when, value, its text
 *   check     name, when, that, its text
 *   signal    a name of the design, as the expressions have it
 * Then the size of each signal, pcounter_dpi_core_ready(), and the edges, each after the values of
 * all signals as they are before it.
 */
void *pcounter_dpi_core_open(void); /* NULL: no memory */
void pcounter_dpi_core_close(void *core);
void pcounter_dpi_core_line(void *core, const char *line);
/* Sets the size of a signal: the bits, from 0 on as in the lines, and the declared index of the
 * lowest. */
void pcounter_dpi_core_size(void *core, uint32_t signal, uint32_t bits, int32_t low);
/*
 * Returns the bits of the widest signal; if they are more than `room`, that of the vectors, the
 * core is not ready. 0: pcounter_dpi_core_text() says what is wrong.
 */
uint32_t pcounter_dpi_core_ready(void *core, uint32_t room);
/* Sets a value: a logic vector of DPI-C, svLogicVecVal, of `room` bits. */
void pcounter_dpi_core_value(void *core, uint32_t signal, const uint32_t *vector);
/* Notes, between two edges, that a signal on which the reset depends has changed, to its value. */
void pcounter_dpi_core_look(void *core);
/* Makes an edge of the clock. Returns how many values differ. */
uint32_t pcounter_dpi_core_edge(void *core);
/* Returns the differences of the last edge, without a newline at the end; valid until the next
 * call. */
const char *pcounter_dpi_core_text(void *core);
/* Returns what was compared so far, in a line. */
const char *pcounter_dpi_core_summary(void *core);

/*
 * PCOUNTER: a unit to compare your own RTL with (examples/pcounter-dpi).  In each clock the test
 * bench hands over the signals as they are before the rising edge and steps the unit, then passes
 * on what the bus wrote at that edge; registers and inputs of both are compared by the test bench.
 */

/* Opens a unit of a chip ("G92") at power-up; NULL if the chip has none, or its domains are sets
 * (GF100-). */
void *pcounter_dpi_unit_open(const char *chip);
void pcounter_dpi_unit_close(void *unit);
/* Resets the unit to power-up. */
void pcounter_dpi_unit_reset(void *unit);
/* Does what pc_unit_write() and pc_unit_read() do: by absolute address, with effect from the next
 * step on. */
void pcounter_dpi_unit_write(void *unit, uint32_t address, uint32_t value);
uint32_t pcounter_dpi_unit_read(void *unit, uint32_t address);
/* Pulses PM_TRIGGER (0) or WRCACHE_FLUSH (1) in each domain's next cycle. */
void pcounter_dpi_unit_pulse(void *unit, uint32_t pulse);
/* Sets the raw signals of a domain, 32 a word; they stay until they are set again. */
void pcounter_dpi_unit_signals(void *unit, uint32_t domain, const uint32_t signals[8]);
/* Makes one rising edge at one instant, in every domain whose bit is set. */
void pcounter_dpi_unit_step(void *unit, uint32_t edges);
/*
 * Returns the inputs of a domain in its last cycle: PRE, START, EVENT, STOP, SETFLAG, CLRFLAG,
 * SWAP and FLAG from bit 0 on, SRC_STATUS in 31:16.
 */
uint32_t pcounter_dpi_unit_inputs(void *unit, uint32_t domain);

#ifdef __cplusplus
}
#endif

#endif
