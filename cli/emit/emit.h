/* SPDX-License-Identifier: MIT */
/* The formats of `pcounter emit`, a file each; and the SBI event table that check shares. */
#ifndef PC_CLI_EMIT_H
#define PC_CLI_EMIT_H

#include "cli.h"

struct core;

/*
 * A description that is run at once, on the ports of a waveform: one that is missing is unknown,
 * and mcycle and minstret are also there where csr_regfile's other wires are not.
 */
struct emit_ports {
    const struct core *core;
    uint32_t quirks;  /* in force, in place of the profile's */
    bool csr, data_o; /* can it be told what accesses do, and what data_o is? */
};

#define EMIT_UNSEEN "unseen" /* a signal that no waveform has: x */

struct emit_request {
    const struct pc_hpm_config *config;
    const struct pc_hpm_profile *profile; /* which reading decides what never counts */
    bool counter3;                        /* XLEN 32: use it all the same */
    /* core */
    const char *scope;    /* NULL: none was given */
    struct pc_wave *wave; /* NULL: none was given */
    const char *wave_path;
    bool events_only; /* in `scope` of the waveform: those that it has, and no registers */
    const struct emit_ports *ports; /* NULL: for a file */
    /* c-header, rnndb */
    const struct pc_chip *chip;
    const struct pc_names *names; /* of the chip */
};

/*
 * Writes a text of a file into a comment of C, SystemVerilog or a device tree: what a terminal
 * would obey is an escape, and an end of a comment in it is none.
 */
void emit_in_comment(FILE *file, const char *text);

/* Writes the whole of a format; what went wrong with the stream is found when it is closed. */
void emit_perf_json(const struct emit_request *r, FILE *file);
void emit_perf_topic(const struct emit_request *r, FILE *file, enum pc_hpm_topic topic);
void emit_devicetree(const struct emit_request *r, FILE *file);
void emit_c_header(const struct emit_request *r, FILE *file);
void emit_whisper_json(const struct emit_request *r, FILE *file);
void emit_dpi_bind(const struct emit_request *r, FILE *file);
void emit_dpi_csr(const struct emit_request *r, FILE *file); /* its second part */
void emit_core_description(const struct emit_request *r, FILE *file);
/* Its events in `scope` of `wave` alone, with events_only. */
void emit_core_events(const struct emit_request *r, FILE *file);
/* Writes what a rule or check says of itself: its clause, and quirks of the profile that it has. */
void emit_core_said(const struct emit_request *r, FILE *file, const char *clause, uint32_t quirks);
/* Has the profile the quirk? */
bool emit_core_has(const struct emit_request *r, enum pc_hpm_quirk quirk);
/* Is the signal there, as far as is known? */
bool emit_core_sees(const struct emit_request *r, const char *name);
/* Begins the checks, once. */
void emit_core_begin_checks(FILE *file, bool *begun);
/* Do its counters stop in debug mode? */
bool emit_core_stops(const struct emit_request *r);
/* emit_core_csr.c: the counter half of csr_regfile, if its accesses are in the waveform. */
bool emit_has_csr(const struct emit_request *r);
void emit_core_lets(const struct emit_request *r, FILE *file);
void emit_core_registers(const struct emit_request *r, FILE *file, bool csr);
void emit_core_checks(const struct emit_request *r, FILE *file, bool *begun);
/* c-header, perf-json or devicetree of what a description names, or dpi-bind of all that it says,
 * bound to `scope` (NULL: to its own); an exit code. */
int emit_described(const char *format, const char *path, const char *scope, const char *to);
/* Is it a path as SystemVerilog has them: words, dots and brackets? */
bool emit_is_plain(const char *name);
/* Begins a description of the scope of a waveform; an exit code. */
int emit_skeleton(const struct emit_request *r, FILE *file);

/* Registers of a chip, or of two layouts; exit codes. */
int emit_chip_header(const struct emit_request *r, FILE *file);
int emit_rnndb(const struct emit_request *r, FILE *file);

/* A ratio of two events, in %. */
struct emit_metric {
    const char *name, *about, *of, *by; /* by: an event, or "cycles" */
};
/* From *i on, which begins as 0; false: no more. */
bool emit_metric_at(const struct emit_request *r, size_t *i, struct emit_metric *out);
void emit_perf_metrics(const struct emit_request *r, FILE *file);

/* File name of a topic, as upstream has it: "memory". */
const char *emit_topic_name(enum pc_hpm_topic topic);

/* Has the core the hardware of the event?  (It may still never fire: emit_describe says so.) */
bool emit_event_exists(const struct pc_hpm_config *config, unsigned id);

/* One sentence without a full stop: what a count of the event is in this core. */
void emit_describe(const struct emit_request *r, unsigned id, char *out, size_t size);

/* ---- SBI events, as a device tree and OpenSBI number them ---- */

#define EMIT_SBI_CYCLES       0x00001u
#define EMIT_SBI_INSTRUCTIONS 0x00002u
#define EMIT_SBI_READ_MISSES  0x10001u /* of the L1 D-cache */
#define EMIT_MCYCLE_BIT       0x001u
#define EMIT_MINSTRET_BIT     0x004u
#define EMIT_HPM_BITS         0x1f8u /* mhpmcounter3 .. 8 */

/* An SBI hardware or cache event and the CVA6 event that stands for it. */
struct emit_sbi_row {
    uint32_t index; /* type in bits 19:16, code in 15:0 */
    unsigned event;
    const char *name; /* as `perf list` has it */
};
/* Row i of those that this configuration can serve, ascending by index; NULL past the end. */
const struct emit_sbi_row *emit_sbi_at(const struct pc_hpm_config *config, size_t i);
/* Bits of the counters that the node offers; 0 without event counters. */
uint32_t emit_hpm_bitmap(const struct emit_request *r);
/* An exit code: --counter3 is an error where it would do nothing. */
int emit_check_counter3(const char *verb, const struct emit_request *r);

#endif
