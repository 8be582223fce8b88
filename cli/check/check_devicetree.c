/* SPDX-License-Identifier: MIT */
/* pcounter check --devicetree: a node riscv,pmu, written by hand, for a CVA6. */
#include "check.h"
#include "core/core.h"
#include "devicetree.h"
#include "opt/opt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct emit_request emit;
    const char *path;
    struct rep_request report;
};

struct printer {
    const struct request *r;
    struct rep *rep;
    unsigned hazards, notes;
};

static void print_text(FILE *out, const struct printer *p, const struct dt_hazard *h)
{
    cli_print_name(out, p->r->path);
    if (h->line)
        fprintf(out, ":%" PRIu32, h->line);
    fprintf(out, ": %s[%s]: ", h->note ? "note" : "hazard", h->name);
    cli_print_name(out, h->text);
    fprintf(out, "\n  %s\n", h->why);
}

static const char *const severities[] = { "hazard", "note", NULL };
static const struct rep_field hazard_fields[] = {
    { "line", REP_COUNT, .about = "the line of the source; 0 of a blob" },
    { "severity", REP_WORD, .about = "a note alone does not fail the check", .words = severities },
    { "hazard", REP_TEXT, .about = "its name", .pattern = "^[a-z0-9-]+$" },
    { "text", REP_TEXT, .about = "what is there" },
    { "why", REP_TEXT, .about = "what is wrong with it" },
    { .name = NULL },
};
enum { HAZARDS = 2, NODE };
static const struct rep_field fields[] = {
    { "file", REP_TEXT, .about = "the file, as it was given" },
    { "core", REP_TEXT, .about = "the configuration of CVA6" },
    { "hazards", REP_LIST, .about = "in the order of the node", .flags = REP_ROW,
      .field = hazard_fields, .item = "a hazard or a note" },
    { "node", REP_LIST, .flags = REP_ROW | REP_TEST | REP_NO_JSON, .field = hazard_fields },
    { .name = NULL },
};
const struct rep_def check_devicetree_report = {
    .schema = "pcounter-check-devicetree-1",
    .call = "pcounter check --devicetree FILE --core NAME",
    .about = "What OpenSBI or Linux would misunderstand in a node riscv,pmu.",
    .field = fields,
    .columns = "file,line,severity,hazard,text,why",
    .test = "hazard",
    .verdict = "severity",
    .passed = "note,none",
    .bare = true,
};

static void print_hazard(void *ctx, const struct dt_hazard *h)
{
    struct printer *p = ctx;

    if (h->note)
        p->notes++;
    else
        p->hazards++;
    if (rep_page(p->rep))
        print_text(rep_page(p->rep), p, h);
    rep_row(p->rep, HAZARDS,
            REP_CELLS(rep_count(h->line), rep_text(severities[h->note]), rep_text(h->name),
                      rep_text(h->text), rep_text(h->why)));
}

/* A node in which all is well is a test that has passed. */
static int print_end(const struct printer *p)
{
    if (p->hazards + p->notes == 0)
        rep_row(p->rep, NODE, REP_CELLS(rep_absent(), rep_text("none"), rep_text("riscv,pmu")));
    if (rep_page(p->rep))
        fprintf(rep_page(p->rep), "%u hazard%s, %u note%s\n", p->hazards,
                p->hazards == 1 ? "" : "s", p->notes, p->notes == 1 ? "" : "s");
    return p->hazards ? CLI_NO : CLI_OK;
}

static enum pc_status read_node(char *data, size_t size, struct dt_pmu *pmu, struct pc_error *err)
{
    static const char magic[] = { (char)0xd0, 0x0d, (char)0xfe, (char)0xed };

    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0
               ? dtb_read(data, size, pmu, err)
               : dts_read(data, cli_drop_mark(data, size), pmu, err);
}

static int check_file(void *ctx)
{
    enum { MOST = 64 << 20 };
    const struct request *r = ctx;
    struct printer printer = { .r = r };
    struct dt_report report = { print_hazard, &printer };
    struct pc_error err;
    char *data;
    size_t size;
    int code = cli_read_file("check", r->path, MOST, &data, &size);

    if (code != CLI_OK)
        return code;
    struct dt_pmu *pmu = malloc(sizeof *pmu);
    enum pc_status status =
        pmu ? read_node(data, size, pmu, &err) : dt_fail(&err, 100, 0, 0, "no memory");
    if (status == PC_OK) {
        code = rep_open(&printer.rep, &check_devicetree_report, &r->report);
        if (code == CLI_OK) {
            rep_root(printer.rep, REP_CELLS(rep_text(r->path), rep_text(r->emit.config->name)));
            dt_check(pmu, &r->emit, &report);
            code = rep_close(printer.rep, print_end(&printer));
        }
    } else {
        code = cli_error(&err, r->path, status == PC_EINPUT ? data : NULL);
    }
    free(data);
    free(pmu);
    return code;
}

static int finish(const struct opt_said *said, struct request *r)
{
    if (!r->path)
        return cli_usage("check --devicetree", "a file is needed");
    if (said->operands > 0)
        return cli_usage("check --devicetree", "only one file at a time; also given: \"%s\"",
                         said->operand[0]);
    if (!r->emit.config)
        return cli_usage("check --devicetree", "for which core? Name it with --core, like "
                                               "--core cv64a6_imafdc_sv39");
    const int code = emit_check_counter3("check --devicetree", &r->emit);
    return code == CLI_OK ? rep_into(&r->report, check_file, r) : code;
}

#define O struct request
static const struct opt rows[] = {
    { .name = "devicetree",
      OPT_FILE(O, path),
      .brief = "source or blob; - is standard input",
      .flags = OPT_ONCE },
    { .name = "core", OPT_CORE(O, emit.config) },
    { .name = "profile",
      OPT_PROFILE(O, emit.profile),
      .brief = "rtl (default) or spec: rules for events and counter 3",
      .more = "which events never count, and whether counter 3 works" },
    { .name = "counter3",
      OPT_SWITCH(O, emit.counter3),
      .brief = "XLEN 32: allow counter 3, for a repaired core" },
    REP_OPTIONS(O, report, &check_devicetree_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
const struct opt_line check_devicetree_line = {
    .name = "check --devicetree",
    .help = "check-devicetree",
    .form = "--devicetree",
    .row = rows,
};

int check_devicetree(const struct cli_verb *verb, int argc, char **argv)
{
    struct request r = { .emit = { .profile = core_profile(NULL) } };
    struct opt_said said;
    int code = opt_read(verb, &check_devicetree_line, argc, argv, &r, &said);

    if (code >= 0)
        return code;
    return finish(&said, &r);
}
