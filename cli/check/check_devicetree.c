/* SPDX-License-Identifier: MIT */
/* pcounter check --devicetree: a node riscv,pmu, written by hand, for a CVA6. */
#include "check.h"
#include "devicetree.h"
#include "opt/opt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct emit_request emit;
    const char *path;
    struct opt_report report;
    enum cli_format format;
};

struct printer {
    const struct request *r;
    unsigned hazards, notes;
};

static void print_text(const struct printer *p, const struct dt_hazard *h)
{
    cli_print_name(cli_stdout(), p->r->path);
    if (h->line)
        fprintf(cli_stdout(), ":%" PRIu32, h->line);
    fprintf(cli_stdout(), ": %s[%s]: ", h->note ? "note" : "hazard", h->name);
    cli_print_name(cli_stdout(), h->text);
    fprintf(cli_stdout(), "\n  %s\n", h->why);
}

static void print_csv(const struct printer *p, const struct dt_hazard *h)
{
    cli_csv_field(cli_stdout(), p->r->path);
    fprintf(cli_stdout(), ",%" PRIu32 ",%s,%s,", h->line, h->note ? "note" : "hazard", h->name);
    cli_csv_field(cli_stdout(), h->text);
    fputc(',', cli_stdout());
    cli_csv_field(cli_stdout(), h->why);
    cli_csv_end(cli_stdout());
}

static void print_json(const struct printer *p, const struct dt_hazard *h)
{
    fprintf(cli_stdout(),
            "%s\n    { \"line\": %" PRIu32 ", \"severity\": \"%s\", \"hazard\": \"%s\", \"text\": ",
            p->hazards + p->notes > 1 ? "," : "", h->line, h->note ? "note" : "hazard", h->name);
    cli_json_string(cli_stdout(), h->text);
    fputs(", \"why\": ", cli_stdout());
    cli_json_string(cli_stdout(), h->why);
    fputs(" }", cli_stdout());
}

static void print_hazard(void *ctx, const struct dt_hazard *h)
{
    struct printer *p = ctx;

    if (h->note)
        p->notes++;
    else
        p->hazards++;
    if (p->r->format == CLI_JSON)
        print_json(p, h);
    else if (p->r->format == CLI_CSV)
        print_csv(p, h);
    else
        print_text(p, h);
}

static void print_begin(const struct request *r)
{
    if (r->format == CLI_CSV)
        fputs("file,line,severity,hazard,text,why\r\n", cli_stdout());
    if (r->format != CLI_JSON)
        return;
    fputs("{\n  \"$schema\": \"pcounter-check-devicetree-1\",\n  \"file\": ", cli_stdout());
    cli_json_string(cli_stdout(), r->path);
    fputs(",\n  \"core\": ", cli_stdout());
    cli_json_string(cli_stdout(), r->emit.config->name);
    fputs(",\n  \"hazards\": [", cli_stdout());
}

static int print_end(const struct printer *p)
{
    if (p->r->format == CLI_JSON)
        fputs(p->hazards + p->notes ? "\n  ]\n}\n" : "]\n}\n", cli_stdout());
    if (p->r->format == CLI_TEXT)
        fprintf(cli_stdout(), "%u hazard%s, %u note%s\n", p->hazards, p->hazards == 1 ? "" : "s",
                p->notes, p->notes == 1 ? "" : "s");
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
        print_begin(r);
        dt_check(pmu, &r->emit, &report);
        code = print_end(&printer);
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
        return cli_usage("check --devicetree", "one file at a time, not also \"%s\"",
                         said->operand[0]);
    if (!r->emit.config)
        return cli_usage("check --devicetree", "for which core? Say it with --core, like "
                                               "--core cv64a6_imafdc_sv39");
    const int code = emit_check_counter3("check --devicetree", &r->emit);
    return code == CLI_OK ? cli_into(r->report.path, check_file, r) : code;
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
      .brief = "rtl (default) or spec: which events never count, and counter 3" },
    { .name = "counter3",
      OPT_SWITCH(O, emit.counter3),
      .brief = "XLEN 32: counter 3 may be used, the core is repaired" },
    OPT_REPORT(O, report, &opt_plain),
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
    struct request r = { .path = NULL };
    struct opt_said said;
    int code = cli_find_profile("rtl", &r.emit.profile);

    if (code == CLI_OK)
        code = opt_read(verb, &check_devicetree_line, argc, argv, &r, &said);
    if (code >= 0)
        return code;
    r.format = r.report.format;
    return finish(&said, &r);
}
