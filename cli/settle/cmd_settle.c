/* SPDX-License-Identifier: MIT */
/* pcounter settle: questions that the documents leave open, and a card that answers them. */
#include "settle/settle.h"

#include "complete/complete.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define O struct settle_options

static void offer_experiments(struct complete *c)
{
    struct experiment e;

    for (size_t i = 0; settle_experiment(i, &e); i++)
        complete_offer(c, e.name, e.ask);
}

/* CHANNEL:BUFFER */
static int take_memory(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct settle_memory *m = field;
    uint64_t channel = 0, buffer = 0;
    const char *rest;

    (void)row;
    if (!cli_read_hex(text, &rest, &channel) || *rest != ':' ||
        !cli_read_hex(rest + 1, &rest, &buffer) || *rest || channel > UINT32_MAX ||
        buffer > UINT32_MAX || buffer % 0x100)
        return cli_usage(
            verb,
            "--record %s: CHANNEL:BUFFER is expected, two hexadecimal words; BUFFER is "
            "a multiple of 100",
            text);
    *m = (struct settle_memory){ true, (uint32_t)channel, (uint32_t)buffer };
    return CLI_OK;
}

static const struct opt_kind memory = { .value = "CHANNEL:BUFFER", .take = take_memory };
static const struct opt_range times = { 1, 1000, " times" };

static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, chip), .brief = "the chip" },
    { .name = "script",
      OPT_SWITCH(O, script),
      .brief = "print the experiment as a script, for `pcounter run`" },
    { .name = "card",
      .kind = &opt_form,
      .value = "ADDR",
      .brief = "ask this PCI card; then -h shows its options" },
    REP_OPTIONS(O, report, &settle_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand experiments = { .first = offer_experiments,
                                                .rest = offer_experiments };
static const struct opt_line line = { .name = "settle", .row = rows, .operand = &experiments };

static const struct opt card_rows[] = {
    PCI_OPTIONS(O, card),
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, chip),
      .brief = "the chip that the card must have" },
    { .name = "repeat", OPT_U32(O, repeat, &times), .brief = "ask each question N times (3)" },
    { .name = "clock",
      OPT_OF(opt_hertz, O, uint64_t, card.hz),
      .brief = "rate of the cycles that `run` waits (27M)" },
    { .name = "record",
      OPT_OF(memory, O, struct settle_memory, memory),
      .brief = "channel and buffer that record mode may write to" },
    { .name = "may-hang",
      OPT_SWITCH(O, may_hang),
      .brief = "also ask questions after which a domain hangs" },
    OPT_OUTPUT(O, output, "write the answers to FILE, as JSON"),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_line card_line = {
    .name = "settle --card",
    .help = "settle-card",
    .form = "--card",
    .row = card_rows,
    .operand = &experiments,
};

static int run_on_card(int argc, char **argv)
{
    O o = { .repeat = 3 };
    struct opt_said said;
    const int code = opt_read(&cli_verb_settle, &card_line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    if (o.output && cli_has_any_suffix(o.output) && !cli_has_suffix(o.output, ".json"))
        return cli_usage("settle --card", "-o %s: answers are written as JSON: FILE.json",
                         o.output);
    o.name = said.operand;
    o.names = said.operands;
    return settle_card(&o);
}

static int run(int argc, char **argv)
{
    O o = { .chip = NULL };
    struct opt_said said;

    if (opt_line_of(&cli_verb_settle, argc, argv) != &line)
        return run_on_card(argc, argv);
    const int code = opt_read(&cli_verb_settle, &line, argc, argv, &o, &said);
    if (code >= 0)
        return code;
    o.name = said.operand;
    o.names = said.operands;
    if (!o.chip)
        return cli_usage("settle", "the chip is missing: -a G92, or --card ADDR asks a card");
    if (o.script && o.names != 1)
        return cli_usage("settle", "--script takes the name of one experiment");
    return settle_table(&o);
}

const struct cli_verb cli_verb_settle = {
    .name = "settle",
    .summary = "ask a card what the documents leave open",
    .run = run,
    .line = &line,
    .other = &card_line,
    .reports = (const struct rep_def *const[]){ &settle_report, NULL },
};
