/* SPDX-License-Identifier: MIT */
/* Reads names and values of a command line: chips, cores, registers, numbers, words. */
#ifndef PC_CLI_REGS_TEXT_H
#define PC_CLI_REGS_TEXT_H

#include "cli.h"

/* Finds the chip of that name; NULL after saying what is near. */
const struct pc_chip *cli_find_chip(const char *name);
/* Finds the chip of a name in a line of a file. */
const struct pc_chip *cli_find_chip_at(const char *name, const char *path, uint32_t line);
/* --core and --profile: which CVA6, and as its documents or its RTL has it.  An exit code, after
 * saying what is near. */
int cli_find_core(const char *name, const struct pc_hpm_config **out);
int cli_find_profile(const char *name, const struct pc_hpm_profile **out);
/* CLI_OK, or after saying so the exit code of a chip without PCOUNTER. */
int cli_check_registers(const struct pc_chip *chip);

/*
 * Reads a number, decimal, or hexadecimal with 0x; *rest: after it. Zeros in front are refused: C
 * reads 010 as 8, and 00040002 is how traces print hexadecimal.
 */
bool cli_read_number(const char *text, const char **rest, uint64_t *out);
/* Reads hexadecimal with or without 0x, as traces, dumps and scripts have addresses and words. */
bool cli_read_hex(const char *text, const char **rest, uint64_t *out);
/* Parses the whole text as a number of up to 32 bits. */
bool cli_parse_u32(const char *text, uint32_t *out);
bool cli_parse_hex32(const char *text, uint32_t *out);

/* Finds a register by name or by address (0xa7c4, a7c4); an exit code, after saying what is
 * wrong. */
int cli_find_register(const struct pc_chip *chip, const char *text, struct pc_reg_info *out);

/* "CTRL[1]", "gpc0.1.CTRL" */
struct cli_reg_name {
    char text[64];
};
struct cli_reg_name cli_reg_name(const struct pc_reg_info *reg);

/* "hub", "gpc", "part": GF100+; "" of PC_SET_ALL */
const char *cli_set_name(enum pc_set set);

/* Returns the value of a field by name; 0 if the chip's register has no such field. */
uint32_t cli_field(const struct pc_reg_info *reg, const char *name, uint32_t word);
uint32_t cli_field_value(const struct pc_field_info *field, uint32_t word);

/*
 * option_text.c: one of the words (ends with NULL), else a usage error that names them.
 */
int cli_parse_word(const char *verb, const char *option, const char *text, const char *const *words,
                   int *out);
/* An option for one file or expression: another one of it would be forgotten.  An exit code. */
int cli_take_once(const char *verb, const char *option, const char *value, const char **slot);
/* --sample was given: has the clock edges to sample at? */
int cli_check_sample(const char *verb, const struct pc_wave_clock *clock);
/* Writes up to four of `names` (NULL ends them) that look like `wanted`, with commas. */
void cli_near(const char *wanted, const char *const *names, char *out, size_t size);
/* A clock that is no signal (error 520) may be one of the words there are: they join the hint. */
void cli_near_clock(const char *wanted, struct pc_error *err);
/* ".csv", in letters of either case; path: NULL has none. */
bool cli_has_suffix(const char *path, const char *suffix);
/* "x.tab" has one, "report", ".hidden" and "-" have none. */
bool cli_has_any_suffix(const char *path);
/* Reports that no format was found by the name of an output. With a suffix it would hold something
 * else than it says, which is an error; `known` are those that choose one. An exit code. */
int cli_refuse_suffix(const char *verb, const char *output, const char *known);
/* `*` is any text, `?` any character, of any case; brackets stand for themselves, as in CTRL[1]. */
bool cli_matches(const char *pattern, const char *text);
/* Matches a path of a waveform, whose letters have a case. */
bool cli_matches_path(const char *pattern, const char *path);
/* Matches the whole path, or its last part; without a wildcard the text may stand anywhere. */
bool cli_matches_part(const char *pattern, const char *path);
/* Matches one of several patterns so; without any, everything matches. */
bool cli_matches_one(const char *const *pattern, size_t count, const char *path);

#endif
