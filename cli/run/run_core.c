/* SPDX-License-Identifier: MIT */
/* See run_core.h.  As text a row for each read, and for each write that traps. */
#include "run_core.h"
#include "pcounter/unstable/script.h"

#include "core/core_fields.h"
#include "process/interrupt.h"

#include <inttypes.h>

static const char *const instructions[] = { "csrw", "csrs", "csrc", "csrr", NULL };

static const char *const verdicts[] = { "none", "met", "failed", NULL };

static const struct rep_field access_fields[] = {
    { "line", REP_COUNT, .about = "the line of the script", .least = 1 },
    { "instruction", REP_WORD, .about = "what the script does with it", .words = instructions },
    { "register", REP_TEXT, .about = "the CSR, as in the script" },
    { "value", REP_COUNT, .about = "what was read; null: it traps", .flags = REP_NULL },
    { "cause", REP_COUNT, .about = "of the trap; null: it does not", .flags = REP_NULL },
    { "reason", REP_TEXT,
      .about = "why it traps; else why the counter counts or not, or what the register is" },
    { "rule", REP_TEXT, .about = "the clause of the model that says so" },
    { "expectation", REP_WORD, .about = "of the script: none, met or failed", .words = verdicts },
    { .name = NULL },
};

enum { ACCESSES = 3 };
static const struct rep_field fields[] = {
    { "script", REP_TEXT, .about = "the script, as it was given; - is standard input" },
    { "core", REP_TEXT, .about = "the configuration of CVA6" },
    CORE_PROFILE_FIELD,
    { "accesses", REP_LIST, .about = "CSR instructions in the order of the script",
      .flags = REP_ROW, .field = access_fields, .item = "a CSR instruction" },
    { .name = NULL },
};

const struct rep_def run_core_report = {
    .schema = "pcounter-run-core-1",
    .call = "pcounter run",
    .about = "CSR instructions of a script on the counters of a CVA6.",
    .field = fields,
    .columns = "script,core,profile,line,instruction,register,value,cause,reason,rule,expectation",
};

struct core_run {
    struct rep *rep;
    const char *path;
};

static void begin(void *ctx, const struct pc_hpm_config *config,
                  const struct pc_hpm_profile *profile)
{
    struct core_run *r = ctx;

    rep_root(r->rep, REP_CELLS(rep_text(r->path), rep_text(config->name), rep_text(profile->name)));
}

static enum pc_status at_access(void *ctx, const struct pc_csr_access *a, struct pc_error *err)
{
    struct core_run *r = ctx;
    const bool trapped = a->cause != PC_HPM_NO_TRAP, reads = a->op == PC_HPM_CSR_READ;
    FILE *const page = rep_page(r->rep);

    rep_row(r->rep, ACCESSES,
            REP_CELLS(rep_count(a->line), rep_text(instructions[a->op - 1]), rep_text(a->name),
                      trapped || !reads ? rep_null() : rep_count(a->value),
                      trapped ? rep_count((uint64_t)a->cause) : rep_null(), rep_text(a->reason),
                      rep_text(a->rule->clause), rep_text(verdicts[a->expects + a->failed])));
    if (page && (reads || trapped || a->failed)) {
        fprintf(page, "%4" PRIu32 "  %s %s", a->line, instructions[a->op - 1], a->name);
        if (trapped)
            fprintf(page, ": trap %d", (int)a->cause);
        else if (reads)
            fprintf(page, ": 0x%" PRIx64, a->value);
        fprintf(page, "%s\n      %s (%s)\n", a->failed ? ", which is not as expected" : "",
                a->reason, a->rule->clause);
    }
    return cli_interrupted() ? cli_fail(err, 100, "interrupted") : PC_OK;
}

int run_core(const char *path, const char *text, size_t size, const struct rep_request *report)
{
    struct core_run r = { .path = path };
    const struct pc_csr_script_desc desc = {
        .text = text, .size = size, .begin = begin, .access = at_access
    };
    struct pc_script_result result;
    struct pc_error err = { 0 };
    int code = rep_open(&r.rep, &run_core_report, report);

    if (code != CLI_OK)
        return code;
    cli_catch_interrupt(path);
    const enum pc_status status = pc_csr_script_run(&desc, &r, &result, &err);
    if (status != PC_OK)
        return rep_close(r.rep, cli_interrupted() ? CLI_INTERRUPTED : cli_error(&err, path, text));
    return rep_close(r.rep, result.failed > 0 ? CLI_NO : CLI_OK);
}
