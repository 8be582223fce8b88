/* SPDX-License-Identifier: MIT */
/* pcounter exec: a bare-metal program with CVA6's counters, instruction by instruction. */
#include "exec.h"
#include "complete/complete.h"
#include "core/core.h"
#include "process/interrupt.h"
#include "wave/read_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int report(const struct exec_request *r, const struct exec_counts *counts)
{
    struct rep *rep;
    const int code = rep_open(&rep, &exec_report_def, &r->report);

    if (code)
        return code;
    exec_report(r, counts, rep);
    return rep_close(rep, CLI_OK);
}

/* Runs the program; its output is in the file however the run ends. */
static enum pc_status run_it(struct exec_request *r, const struct exec_image *image,
                             struct exec_counts *counts, int *code, struct pc_error *err)
{
    struct cli_out console;

    if (r->console) {
        *code = cli_out_open(&console, r->console);
        if (*code != CLI_OK)
            return PC_OK;
        r->console_file = console.file;
    }
    const enum pc_status status = exec_run(r, image, counts, err);
    if (r->console)
        *code = cli_out_commit(&console);
    return status;
}

static int execute(struct exec_request *r)
{
    struct exec_image image;
    struct exec_counts counts = { .partial = false };
    struct pc_error err;
    char *data = NULL;
    size_t size;
    int code = cli_read_file("exec", r->path, EXEC_MAX_BYTES, &data, &size);

    for (size_t i = 0; code == CLI_OK && (i == 0 || i < r->report.outputs); i++)
        code = cli_check_output(r->report.outputs ? r->report.output[i].path : NULL);
    if (code != CLI_OK) {
        free(data);
        return code;
    }
    enum pc_status status = exec_read_elf(data, size, &image, &err);
    if (status == PC_OK)
        cli_catch_interrupt(r->path);
    if (status == PC_OK)
        status = run_it(r, &image, &counts, &code, &err);
    free(data);
    if (code != CLI_OK)
        return code;
    if (status != PC_OK && !counts.partial)
        return cli_error(&err, r->path, NULL);
    if (r->config->commit_ports > 1 && (r->profile->quirks & PC_HPM_Q_OR_PORTS))
        cli_note(1320, "one instruction a clock: the core counts two of a kind that retire in "
                       "one clock once");
    code = report(r, &counts);
    if (status != PC_OK)
        code = cli_error(&err, r->path, NULL);
    else if (code == CLI_OK && counts.partial)
        code = CLI_INTERRUPTED;
    return code != CLI_OK ? code : counts.exit_code ? CLI_NO : CLI_OK;
}

/* K, M or G may follow. */
static int take_number(const char *verb, const struct opt *row, const char *text, void *field)
{
    uint64_t *out = field;

    *out = cli_parse_size(text);
    return *out > 0
               ? CLI_OK
               : cli_usage(verb, "%s takes a number above 0 (K, M or G may follow), not \"%s\"",
                           opt_called(row), text);
}

static int take_pages(const char *verb, const struct opt *row, const char *text, void *field)
{
    const int code = take_number(verb, row, text, field);
    const uint64_t *value = field;

    if (code == CLI_OK && (*value % 4096 != 0 || *value > UINT64_C(1) << 30))
        return cli_usage(verb, "--memory takes whole pages of 4096 bytes, up to 1G");
    return code;
}

/* 0x10000000, or decimal */
static int take_address(const char *verb, const struct opt *row, const char *text, void *field)
{
    uint64_t *out = field;
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 0);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0
               ? CLI_OK
               : cli_usage(verb, "%s takes an address like 0x10000000, not \"%s\"", opt_called(row),
                           text);
}

static const struct opt_kind address = { .value = "ADDRESS", .take = take_address };
static const struct opt_kind number = { .value = "N", .take = take_number };
static const struct opt_kind pages = { .value = "SIZE", .take = take_pages };

#define O struct exec_request
static const struct opt rows[] = {
    { .name = "core", OPT_CORE(O, config) },
    { .name = "profile", OPT_PROFILE(O, profile), .brief = "rtl (default) or spec" },
    { .name = "limit",
      OPT_OF(number, O, uint64_t, limit),
      .brief = "stop after N instructions (1000000000)" },
    { .name = "memory",
      OPT_OF(pages, O, uint64_t, memory),
      .brief = "bytes of memory from the lowest segment on (16M), up to 1G" },
    { .name = "uart",
      OPT_OF(address, O, uint64_t, uart),
      .brief = "provide a UART at ADDRESS, which prints" },
    { .name = "console",
      OPT_FILE(O, console),
      .brief = "write what the UART prints to FILE, not to stderr" },
    REP_OPTIONS(O, report, &exec_report_def),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand program = { .first = complete_files };
static const struct opt_line line = { .name = "exec", .row = rows, .operand = &program };

static int run(int argc, char **argv)
{
    struct exec_request r = { .profile = core_profile(NULL),
                              .limit = 1000000000,
                              .memory = 16 << 20 };
    struct opt_said said;
    int code = opt_read(&cli_verb_exec, &line, argc, argv, &r, &said);

    if (code >= 0)
        return code;
    if (!r.config)
        return cli_usage("exec", "on which core? Name it with --core, like "
                                 "--core cv64a6_imafdc_sv39");
    if (said.operands != 1)
        return cli_usage("exec", "one program is needed");
    r.path = said.operand[0];
    r.has_uart = opt_given(&said, "uart");
    for (size_t i = 0; r.console && (i == 0 || i < r.report.outputs); i++)
        if (cli_same_output(r.console, r.report.outputs ? r.report.output[i].path : NULL))
            return cli_usage("exec", "--console and the report are one file");
    return execute(&r);
}

const struct cli_verb cli_verb_exec = {
    .name = "exec",
    .summary = "run a bare-metal program with CVA6's counters",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &exec_report_def, NULL },
};
