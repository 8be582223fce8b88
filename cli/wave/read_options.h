/* SPDX-License-Identifier: MIT */
/* Options of the verbs that read waveforms: what of a file is believed, tolerated, looked at. */
#ifndef PC_CLI_READ_OPTIONS_H
#define PC_CLI_READ_OPTIONS_H

#include <getopt.h>

#include "cli.h"

struct cli_read_options {
    struct pc_wave_limits limits;
    bool time_backwards, strict;
    const char *given; /* the last of these options on the command line; NULL: none */
};

/* Entries of a verb's long options; cli_read_option() takes what getopt_long() returns. */
enum { CLI_READ_LIMIT = 1000, CLI_TIME_BACKWARDS, CLI_STRICT };
#define CLI_RATIO_OPTION                                                                           \
    {                                                                                              \
        "read-limit", required_argument, NULL, CLI_READ_LIMIT                                      \
    }
#define CLI_READ_OPTIONS                                                                           \
    CLI_RATIO_OPTION, { "time-backwards", no_argument, NULL, CLI_TIME_BACKWARDS },                 \
    {                                                                                              \
        "strict", no_argument, NULL, CLI_STRICT                                                    \
    }
#define CLI_READ_HELP                                                                              \
    "  --read-limit NAME=N  how much of a file is believed: vars (16M), name-bytes (64K),\n"       \
    "                       names-total (1G), depth of scopes (4096), width (1M, up to\n"          \
    "                       64M), ratio of decompression (1000); several with commas\n"            \
    "  --time-backwards     times that run backwards are held until they catch up, and no\n"       \
    "                       error\n"                                                               \
    "  --strict             warnings about the file are errors; VCD: values of signals that\n"     \
    "                       are not declared are all noticed, which is slower\n"

/* "5000", "64K", "2M", "1G" in powers of 1024; 0: no such number, or more than 64 bits. */
uint64_t cli_parse_size(const char *text);
/* NAME=N[,NAME=N]...; an exit code. */
int cli_read_limits(const char *verb, const char *text, struct pc_wave_limits *out);
/* Of a trace, which has no limit but ratio=N; an exit code. */
int cli_ratio_limit(const char *verb, const char *text, uint32_t *out);
/* --memory SIZE: bytes of record memory that the device keeps; an exit code. */
int cli_memory_limit(const char *verb, const char *text, size_t *out);
/* An exit code, or -1 if c is none of them. */
int cli_read_option(const char *verb, int c, struct cli_read_options *out);
/* How the waveform is to be read; the other fields are defaults. */
struct pc_wave_desc cli_wave_desc(const struct cli_read_options *o, const char *path);
/* Those of the reader, for the report (text/warnings.h); nothing is printed. */
void cli_keep_wave_warnings(const struct pc_wave *wave, const char *path);
/* Warnings of the oddities that the reader tolerated so far. */
void cli_wave_warnings(const struct pc_wave *wave, const char *path);

#endif
