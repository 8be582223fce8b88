/* SPDX-License-Identifier: MIT */
/* pcounter compile: what the inputs of a domain are to mean, to register writes. */
#include "complete/complete.h"
#include "compile.h"

#include <stdlib.h>
#include <string.h>

/* The place of an error: lines are the inputs, then the events. */
static int refused(const struct compile_job *j, const struct pc_error *err)
{
    if (err->line >= 1 && err->line <= PC_INPUT_COUNT)
        return compile_error(&j->input[err->line - 1], err);
    if (err->line > PC_INPUT_COUNT && err->line <= PC_INPUT_COUNT + j->event_count)
        return compile_error(&j->event[err->line - PC_INPUT_COUNT - 1], err);
    return cli_error(err, NULL, NULL);
}

static int compile(struct compile_job *j)
{
    static const char *const modes[] = { "SINGLE", "QUAD", "RECORD" };
    struct compile_asked asked = { .names = &j->names, .mode = modes[j->mode] };
    enum pc_input_id input[COMPILE_EVENTS];
    struct pc_program program;
    struct pc_error err;
    enum pc_status status =
        j->event_count
            ? pc_compile_events(&j->request, j->pinned, j->event_count, input, &program, &err)
            : pc_compile(&j->request, &program, &err);

    if (status != PC_OK)
        return refused(j, &err);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        asked.input[i] = j->input[i].expr ? j->input[i].text : NULL;
    for (unsigned i = 0; i < j->event_count; i++) {
        asked.input[input[i]] = j->event[i].text;
        asked.name[input[i]] = j->event[i].name[0] ? j->event[i].name : NULL;
    }
    return compile_print(&j->o->report, &asked, &program);
}

/* ---- options ---- */

static const uint64_t most_count = UINT32_MAX, most_threshold = (UINT64_C(1) << 40) - 1;

static int take_number(const char *verb, const struct opt *row, const char *text, void *field)
{
    const uint64_t *most = row->of;

    (void)verb;
    return compile_number(opt_called(row), text, *most, field);
}

static int take_events(const char *verb, const struct opt *row, const char *text, void *field)
{
    const char **events = field;

    if (*events)
        return cli_usage(verb, "one -e: put commas between the events");
    return opt_take_text(verb, row, text, field);
}

static int take_buffer(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return compile_record_buffer(text, field);
}

static const struct opt_kind number = { .value = "N", .take = take_number };
static const struct opt_kind events = { .value = "LIST",
                                        .take = take_events,
                                        .offer = complete_chip_names };
static const struct opt_kind buffer = { .value = "START:LIMIT[:short]", .take = take_buffer };
static const struct opt_kind swap = { .value = "SIGNAL",
                                      .take = opt_take_text,
                                      .offer = complete_swaps };
static const struct opt_kind mux = { .value = "SOURCE=VALUE",
                                     .take = opt_take_texts,
                                     .offer = complete_sources };
static const struct opt_kind signals = { .value = "LIST",
                                         .take = opt_take_text,
                                         .offer = complete_chip_names };

static const char *const modes[] = { "single", "quad", "record", NULL };
static const char *const periods[] = { "one", "all", NULL };

enum { OF_SINGLE = OPT_MARK };

#define O struct compile_options
static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, chip) },
    { .letter = 'd',
      .name = "domain",
      OPT_DOMAIN(O, domain_name),
      .brief = "domain: 0 (default), 1, ...; on GF100+ like gpc1.0" },
    { .letter = 'm',
      .name = "mode",
      OPT_WORD(O, mode, modes),
      .value = "MODE",
      .brief = "quad (default where the chip has it), single or record" },
    { .letter = 'e',
      .name = "events",
      OPT_OF(events, O, const char *, events),
      .brief = "events, separated by commas, each on its own counter" },
    REP_OPTIONS(O, report, &compile_report),
    { .name = "pre-count",
      OPT_OF(number, O, uint64_t, pre_count),
      .of = &most_count,
      .brief = "single mode: PRE is taken N+1 times (CTR_PRE)",
      .flags = OPT_RARE | OF_SINGLE },
    { .name = "stop-count",
      OPT_OF(number, O, uint64_t, stop_count),
      .of = &most_count,
      .brief = "single mode: N+1 periods (CTR_STOP)",
      .flags = OPT_RARE | OF_SINGLE },
    { .name = "threshold",
      OPT_OF(number, O, uint64_t, threshold),
      .of = &most_threshold,
      .brief = "single mode: CTR_START counts periods with N events and more",
      .flags = OPT_RARE | OF_SINGLE },
    { .name = "period",
      OPT_WORD(O, period, periods),
      .value = "one|all",
      .brief = "single mode: CTR_EVENT restarts with each period, or goes on",
      .flags = OPT_RARE | OF_SINGLE },
    { .name = "swap",
      OPT_OF(swap, O, const char *, swap),
      .brief = "quad mode: signal that swaps the counters (GF100+: user_0)",
      .more = "from G84 on; keep: no write selects it",
      .flags = OPT_RARE },
    { .name = "mux",
      OPT_OF(mux, O, struct opt_texts, mux),
      .brief = "set REGISTER=VALUE[/MASK] first; repeatable",
      .more = "a register, or a source of `pcounter list sources`; MASK keeps the other bits",
      .flags = OPT_RARE },
    { .name = "record",
      OPT_OF(signals, O, const char *, record),
      .brief = "record mode: up to 12 signals, counted at PRE_SRC0 and on",
      .flags = OPT_RARE },
    { .name = "record-buffer",
      OPT_OF(buffer, O, struct compile_buffer, buffer),
      .brief = "address of the buffer for its packets (short ones)",
      .flags = OPT_RARE },
    { .name = "signals", OPT_SIGNALS(O, name_files), .flags = OPT_RARE },
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand inputs = { .first = complete_inputs, .rest = complete_inputs };
static const struct opt_line line = { .name = "compile", .row = rows, .operand = &inputs };

static int compile_arguments(struct compile_job *j, char **argument, int count)
{
    const struct compile_options *o = j->o;

    if (!o->chip)
        return cli_usage("compile", "which chip? Name it with -a, like -a G92");
    if (count == 0 && !o->events && !o->record)
        return cli_usage("compile", "which input? Give it like event='rise(s10) & !s11'");
    j->mode = o->mode >= 0                    ? o->mode
              : o->record || o->has_buffer    ? PC_COUNT_RECORD
              : o->chip->features & PC_F_QUAD ? PC_COUNT_QUAD
                                              : PC_COUNT_SINGLE;
    if (o->single_option && j->mode != PC_COUNT_SINGLE)
        return cli_usage("compile", "%s is about single mode: -m single", o->single_option);
    if (o->swap && j->mode != PC_COUNT_QUAD)
        return cli_usage("compile", "--swap is about quad mode: -m quad");
    if ((o->record || o->has_buffer) && j->mode != PC_COUNT_RECORD)
        return cli_usage("compile",
                         "--record and --record-buffer are about record mode: -m record");
    int code = cli_check_dashes("compile", cli_dashes(o->name_files.path, o->name_files.count));
    if (code == CLI_OK)
        code = cli_check_registers(o->chip);
    if (code == CLI_OK)
        code = cli_names_open("compile", o->chip, &o->name_files, &j->names.table);
    if (code == CLI_OK)
        code = compile_request(j, argument, count);
    return code == CLI_OK ? compile(j) : code;
}

static int run(int argc, char **argv)
{
    struct compile_options o = { .mode = -1 };
    struct opt_said said;
    int code = opt_read(&cli_verb_compile, &line, argc, argv, &o, &said);
    struct compile_job *j = code < 0 ? calloc(1, sizeof *j) : NULL;

    if (code < 0 && !j)
        code = cli_no_memory();
    if (j) {
        o.single_option = opt_marked(&said, OF_SINGLE);
        o.has_buffer = opt_given(&said, "record-buffer");
        j->o = &o;
        code = compile_arguments(j, said.operand, (int)said.operands);
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
            pc_expr_free(j->input[i].expr);
        for (unsigned i = 0; i < COMPILE_EVENTS; i++)
            pc_expr_free(j->event[i].expr);
        pc_names_close(j->names.table);
    }
    free(j);
    opt_texts_free(&o.mux);
    return code;
}

const struct cli_verb cli_verb_compile = {
    .name = "compile",
    .summary = "turn logic expressions into the registers of a domain",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &compile_report, NULL },
};
