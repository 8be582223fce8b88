/* SPDX-License-Identifier: MIT */
/* Options of the verbs that read waveforms: what of a file is believed, tolerated, looked at. */
#ifndef PC_CLI_READ_OPTIONS_H
#define PC_CLI_READ_OPTIONS_H

#include "cli.h"

struct cli_read_options {
    struct pc_wave_limits limits;
    bool time_backwards, strict;
    uint64_t unit_factor; /* of --time-unit, as struct pc_wave_desc has it */
    int unit_exponent;
    bool texts; /* an expression compares a text: strings are vectors */
};

/* Parses "5000", "64K", "2M", "1G" in powers of 1024; 0: no such number, or more than 64 bits. */
uint64_t cli_parse_size(const char *text);
/* NAME=N[,NAME=N]...; an exit code. */
int cli_read_limits(const char *verb, const char *text, struct pc_wave_limits *out);
/* Reads a time unit, like 1ps or 10 ns; an exit code. */
int cli_read_unit(const char *verb, const char *text, struct cli_read_options *out);
/* Takes the limit of a trace, which has only ratio=N; returns an exit code. */
int cli_ratio_limit(const char *verb, const char *text, uint32_t *out);
/* --memory SIZE: bytes of record memory that the device keeps; an exit code. */
int cli_memory_limit(const char *verb, const char *text, size_t *out);
/* Returns how the waveform is to be read; the other fields are defaults. */
struct pc_wave_desc cli_wave_desc(const struct cli_read_options *o, const char *path);
/*
 * pc_wave_open(), of a file that is noted as read: PC_EARG where this call writes it.  All of the
 * program's waveforms are opened here.
 */
enum pc_status cli_wave_open(const struct pc_wave_desc *desc, struct pc_wave **out,
                             struct pc_error *err);
/* Those of the reader, for the report (text/warnings.h); nothing is printed. */
void cli_keep_wave_warnings(const struct pc_wave *wave, const char *path);
/* Warnings of the oddities that the reader tolerated so far. */
void cli_wave_warnings(const struct pc_wave *wave, const char *path);

#endif
