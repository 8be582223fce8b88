/* SPDX-License-Identifier: MIT */
/* What the tests of CVA6's counters share: models by name, CSR instructions, clocks. */
#ifndef PC_HPM_TEST_H
#define PC_HPM_TEST_H

#include "test.h"

enum { B00 = 0xb00, B02 = 0xb02, INHIBIT = 0x320, MCEN = 0x306, SCEN = 0x106, HCEN = 0x606 };

#define RV64  "cv64a6_imafdc_sv39"
#define RV64H "cv64a6_imafdch_sv39"
#define RV32  "cv32a6_imac_sv32"
#define FPGA  "cv32a6_ima_sv32_fpga" /* no event counters */
#define M32   "cv32a60x"             /* M-mode alone */

/* A model of the configuration in spec or rtl, with quirks switched. */
struct pc_hpm *hpm_new(const char *config, const char *profile, uint32_t on, uint32_t off);
struct pc_hpm *hpm_of(const struct pc_hpm_config *config, const char *profile, uint32_t on,
                      uint32_t off);

struct pc_hpm_mode mode_m(void);
struct pc_hpm_mode mode_of(unsigned privilege, bool v);

/* One CSR instruction; each checks that it does not trap. */
void csrw(struct pc_hpm *h, unsigned address, uint64_t value);
uint64_t csrr(struct pc_hpm *h, unsigned address);

/* The cause of an instruction in a mode. */
enum pc_hpm_cause csr_try(struct pc_hpm *h, struct pc_hpm_mode mode, enum pc_hpm_csr_op op,
                          unsigned address, uint64_t operand);

/* A counter's whole value, without time passing. */
uint64_t peek(const struct pc_hpm *h, unsigned counter);
void poke(struct pc_hpm *h, unsigned counter, uint64_t value);
void select_event(struct pc_hpm *h, unsigned counter, unsigned event);

/* One clock of these inputs. */
struct pc_hpm_out clock_of(struct pc_hpm *h, const struct pc_hpm_in *in);

/* A port that retires such an instruction. */
struct pc_hpm_port port_of(enum pc_hpm_fu fu, enum pc_hpm_op op, unsigned rd);

/* Random inputs of a clock; without an access. */
void random_in(struct test_rng *rng, struct pc_hpm_in *in);

#endif
