/* SPDX-License-Identifier: MIT */
/*
 * pcounter replay FILE: plays the register accesses of a trace (Linux's mmiotrace) to the
 * modelled chip; with --expect-reads holds what the card answered against the model.
 */
#include "complete/complete.h"
#include "replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int take_address(const char *verb, const struct opt *row, const char *text, void *field)
{
    const char *rest;

    if (!cli_read_hex(text, &rest, field) || *rest != '\0')
        return cli_usage(verb, "--%s %s: a hexadecimal address is expected", row->name, text);
    return CLI_OK;
}

static int take_line(const char *verb, const struct opt *row, const char *text, void *field)
{
    const size_t length = strlen(text);
    struct pc_decimal d;
    size_t used;

    if (pc_decimal_parse(text, length, &d, &used) == PC_OK && used == length &&
        (*(uint64_t *)field = opt_whole(&d, 0, UINT32_MAX)))
        return CLI_OK;
    return cli_usage(verb, "--%s %s: the number of a line is expected", row->name, text);
}

static const struct opt_kind address = { .value = "ADDR", .take = take_address };
static const struct opt_kind line_number = { .value = "N", .take = take_line };

static const struct opt_kind registers = { .value = "GLOB",
                                           .take = opt_take_texts,
                                           .offer = complete_registers };

enum { ABOUT_READS = OPT_MARK, ABOUT_MODEL = OPT_MARK << 1 };

#define O struct replay_options
static const struct opt rows[] = {
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, chip),
      .brief = "chip of a trace that does not read the boot id" },
    { .name = "base",
      OPT_OF(address, O, uint64_t, base),
      .brief = "address of BAR0, instead of the one in PCIDEV" },
    { .name = "from",
      OPT_OF(address, O, uint64_t, from),
      .brief = "only registers from this address on" },
    { .name = "to",
      OPT_OF(address, O, uint64_t, to),
      .brief = "only registers before this address" },
    { .name = "from-line",
      OPT_OF(line_number, O, uint64_t, from_line),
      .brief = "only accesses from this line on" },
    { .name = "to-line",
      OPT_OF(line_number, O, uint64_t, to_line),
      .brief = "only accesses up to this line" },
    { .name = "expect-reads",
      OPT_SWITCH(O, expect),
      .brief = "compare reads of configuration and states with the trace" },
    { .name = "strict",
      OPT_SWITCH(O, strict),
      .brief = "compare all reads, including counters and signals",
      .flags = ABOUT_READS },
    { .name = "ignore",
      OPT_OF(registers, O, struct opt_texts, ignore),
      .brief = "do not compare these registers: 'CTRL[3]', 'part1.*'",
      .flags = ABOUT_READS },
    { .name = "keep-going",
      OPT_SWITCH(O, keep_going),
      .brief = "report all differences, not just the first",
      .flags = ABOUT_READS },
    { .name = "annotate",
      OPT_SWITCH(O, annotate),
      .brief = "print each access with its register, fields and effect" },
    { .name = "clock",
      OPT_OF(opt_hertz, O, uint64_t, clock),
      .brief = "let cycles pass between accesses by their timestamps" },
    { .name = "with",
      OPT_FILE(O, with),
      .value = "STIMULUS",
      .brief = "run the set, play, clock ... lines of STIMULUS",
      .more = "as for `pcounter run --with`",
      .flags = OPT_ONCE | ABOUT_MODEL },
    { .name = "memory",
      OPT_MEMORY(O, memory),
      .brief = "limit of the record memory that the device keeps (64M)",
      .flags = OPT_RARE | ABOUT_MODEL },
    PCI_OPTIONS(O, card),
    { .name = "read-limit",
      OPT_RATIO(O, max_ratio),
      .brief = "limit of the decompression ratio of a trace (1000)",
      .flags = OPT_RARE },
    REP_OPTIONS(O, report, &replay_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand trace = {
    .first = complete_files,
    .least = 1,
    .most = 1,
    .missing = "a trace is expected: FILE, or - for standard input",
    .extra = "one trace at a time: %s is left over",
};
static const struct opt_line line = { .name = "replay", .row = rows, .operand = &trace };

/* Refuses options that exclude each other; returns an exit code. */
static int check_options(const struct replay_options *o, const struct opt_said *said)
{
    if (o->from >= o->to)
        return cli_usage("replay", "--from and --to leave no address between them");
    if (o->from_line > o->to_line)
        return cli_usage("replay", "--from-line and --to-line leave no line between them");
    if (opt_marked(said, ABOUT_READS) && !o->expect)
        return cli_usage("replay", "--strict, --ignore and --keep-going are about --expect-reads");
    if (!o->card.address && opt_marked(said, PCI_ABOUT_CARD))
        return cli_usage("replay", "%s is about a card: --card ADDR is missing",
                         opt_marked(said, PCI_ABOUT_CARD));
    if (o->card.address && opt_marked(said, ABOUT_MODEL))
        return cli_usage("replay", "%s is about the model, not about a card",
                         opt_marked(said, ABOUT_MODEL));
    return cli_check_dashes("replay", cli_dashes(&o->path, 1) + cli_dashes(&o->with, 1));
}

static void summarise(const struct replay *r)
{
    const struct replay_counts *n = &r->counts;

    cli_note(1201, "%s: %s write%s and %s read%s made, %s read%s compared, %s differ%s",
             r->chip ? r->chip->name : "no chip", cli_grouped(n->writes), n->writes == 1 ? "" : "s",
             cli_grouped(n->reads), n->reads == 1 ? "" : "s", cli_grouped(n->compared),
             n->compared == 1 ? "" : "s", cli_grouped(n->differ),
             n->differ && !r->options->keep_going ? " (stopped there; --keep-going)" : "");
    for (size_t i = 0; i < r->options->ignore.count; i++)
        if (!r->ignored[i])
            cli_note(1205, "--ignore %s: no register of that name was read%s",
                     r->options->ignore.text[i],
                     n->differ && !r->options->keep_going ? " before the difference" : "");
    if (n->outside)
        cli_note(1202, "%s access%s of the card %s outside of the window (--from, --to)",
                 cli_grouped(n->outside), n->outside == 1 ? "" : "es",
                 n->outside == 1 ? "was" : "were");
    if (n->other_lines && !(n->writes | n->reads | n->odd))
        cli_warning(1206, "none of %s is in the lines that --from-line and --to-line leave",
                    cli_count(n->other_lines, "access"));
    else if (!(n->writes | n->reads | n->outside | n->odd | n->elsewhere))
        cli_warning(1206, "there is no access in the trace");
    if (n->elsewhere && !(n->writes | n->reads | n->outside | n->odd | n->other_lines))
        cli_warning(1204,
                    "none of %s is in the registers of the card, which begin at 0x%" PRIx64
                    " (PCIDEV, or --base)",
                    cli_count(n->elsewhere, "access"), r->card.base);
    if (n->odd)
        cli_warning(1203, "%s access%s left out: not of 4 bytes at a multiple of 4",
                    cli_grouped(n->odd), n->odd == 1 ? " was" : "es were");
}

static int replay(const struct replay_options *o)
{
    struct replay r = { .options = o };
    int code = rep_open(&r.rep, &replay_report, &o->report);

    if (code)
        return code;
    r.ignored = calloc(o->ignore.count + 1, sizeof *r.ignored);
    code = r.ignored ? CLI_OK : cli_no_memory();
    if (code == CLI_OK && o->card.address)
        code = replay_pci_open(&r);
    if (code == CLI_OK)
        code = replay_drive(&r);
    if (o->card.address)
        replay_pci_close(&r);
    if (code == CLI_OK && pci_stopped()) {
        fputs("pcounter: interrupted\n", stderr);
        code = CLI_INTERRUPTED;
    }
    if (code == CLI_OK)
        summarise(&r);
    replay_report_end(&r, code == CLI_OK && !r.incomplete && (!r.counts.differ || o->keep_going));
    free(r.ignored);
    code = rep_close(r.rep, code);
    return code == CLI_OK && r.counts.differ ? CLI_NO : code;
}

static int run(int argc, char **argv)
{
    struct replay_options o = { .to = UINT64_C(1) << 32, .from_line = 1, .to_line = UINT32_MAX };
    struct opt_said said;
    int code = opt_read(&cli_verb_replay, &line, argc, argv, &o, &said);

    if (code < 0) {
        o.has_base = opt_given(&said, "base");
        o.has_window = opt_given(&said, "from") || opt_given(&said, "to");
        o.path = said.operand[0];
        o.card.hz = o.clock;
        code = check_options(&o, &said);
        if (code == CLI_OK)
            code = replay(&o);
    }
    opt_texts_free(&o.ignore);
    return code;
}

const struct cli_verb cli_verb_replay = {
    .name = "replay",
    .summary = "replay a driver's traced register accesses, and compare reads",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &replay_report, NULL },
};
