/* SPDX-License-Identifier: MIT */
/* pcounter check --devicetree: a node riscv,pmu, written by hand, for a CVA6. */
#include "check.h"
#include "devicetree.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct emit_request emit;
    const char *path, *output;
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

static void print_help(bool full)
{
    fputs("usage: pcounter check --devicetree FILE --core NAME [OPTION]...\n"
          "\n"
          "  pcounter check --devicetree board.dts --core cv64a6_imafdc_sv39\n"
          "\n"
          "  --devicetree FILE   source or blob; - is standard input\n"
          "  --core NAME         configuration of CVA6\n"
          "  --profile NAME      rtl (default) or spec: which events never count, and counter 3\n"
          "  --counter3          XLEN 32: counter 3 may be used, the core is repaired\n"
          "  -o, --output FILE   - or none: standard output; .csv and .json choose the format\n"
          "  --format FORMAT     text, csv or json\n"
          "  -q, --quiet         no notes\n"
          "  -h, --help          this screen; everything\n",
          cli_stdout());
    if (full)
        fputs("\nHazards, each with its name; a note alone does not fail the check:\n"
              "  unmapped-event     counters without a selector: something else is counted\n"
              "  overlap, raw-clash OpenSBI refuses the whole node\n"
              "  fixed-counter, fixed-event    mcycle, minstret for events 1 and 2 alone\n"
              "  no-such-counter, empty-bitmap, counter3   the bitmap is wrong for this core\n"
              "  selector, reserved-selector, never-counts the selector counts something else\n"
              "                     or nothing\n"
              "  raw-wide, raw-never   values that CVA6 cuts off; a row that takes none\n"
              "  raw-event, firmware-event, no-such-event, duplicate-event, empty-range\n"
              "  no-counters, ragged-rows, too-many-rows, not-compatible\n"
              "  old-prefix, unknown-property, maps-nothing   OpenSBI reads nothing there\n"
              "  exchanged-events   an event has the selector of another one of the node\n"
              "Notes: other-meaning, no-counters, raw-overlap, no-mcountinhibit.\n"
              "\n"
              "Source is read as far as such nodes go: includes, macros, arithmetic and\n"
              "/delete-property/ are refused.  Blobs need a build with libfdt.\n"
              "\n"
              "Exit codes: 0 no hazard, 1 hazards, 2 no such node, or a file that cannot be\n"
              "read, 4 a limit was reached.\n",
              cli_stdout());
}

static int finish(int argc, char **argv, struct request *r)
{
    if (!r->path)
        return cli_usage("check --devicetree", "a file is needed");
    if (optind < argc)
        return cli_usage("check --devicetree", "one file at a time, not also \"%s\"", argv[optind]);
    if (!r->emit.config)
        return cli_usage("check --devicetree", "for which core? Say it with --core, like "
                                               "--core cv64a6_imafdc_sv39");
    const int code = emit_check_counter3("check --devicetree", &r->emit);
    return code == CLI_OK ? cli_into(r->output, check_file, r) : code;
}

bool check_is_devicetree(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], "--devicetree", 12) == 0)
            return true;
    return false;
}

int check_devicetree(int argc, char **argv)
{
    static const struct option options[] = {
        { "devicetree", required_argument, NULL, 'D' },
        { "core", required_argument, NULL, 'C' },
        { "profile", required_argument, NULL, 'P' },
        { "counter3", no_argument, NULL, '3' },
        { "format", required_argument, NULL, 'F' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    struct request r = { .path = NULL };
    bool has_format = false;
    int c, code = cli_find_profile("rtl", &r.emit.profile);

    opterr = 0;
    while (code == CLI_OK && (c = cli_getopt(argc, argv, ":ho:q", options)) != -1) {
        switch (c) {
        case 'D':
            code = cli_take_once("check --devicetree", "--devicetree", optarg, &r.path);
            break;
        case 'C':
            code = cli_find_core(optarg, &r.emit.config);
            break;
        case 'P':
            code = cli_find_profile(optarg, &r.emit.profile);
            break;
        case '3':
            r.emit.counter3 = true;
            break;
        case 'F':
            has_format = true;
            code = cli_parse_format("check --devicetree", optarg, &r.format) ? CLI_OK : CLI_INPUT;
            break;
        case 'o':
            code = cli_take_once("check --devicetree", "-o", optarg, &r.output);
            break;
        case 'q':
            cli_quiet = true;
            break;
        case 'h':
        case 'H':
            print_help(c == 'H');
            return CLI_OK;
        default:
            return cli_bad_option("check --devicetree", c, argv, options);
        }
    }
    if (code == CLI_OK && !has_format &&
        cli_output_format("check --devicetree", r.output, &r.format))
        return CLI_INPUT;
    return code == CLI_OK ? finish(argc, argv, &r) : code;
}
