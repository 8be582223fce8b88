/* SPDX-License-Identifier: MIT */
/* The command line of pcounter idle. */
#include "idle.h"
#include "complete/complete.h"
#include "opt/opt_wave.h"

#include <stdlib.h>
#include <string.h>

void idle_free_options(struct idle_options *o)
{
    for (size_t i = 0; i < o->engines; i++) {
        free(o->engine[i].text);
        pc_expr_free(o->engine[i].expr);
    }
    for (size_t i = 0; i < o->file_texts; i++)
        free(o->file_text[i]);
    free(o->file_text);
    opt_texts_free(&o->map_args);
    opt_texts_free(&o->counter_args);
    opt_texts_free(&o->option_args);
    opt_texts_free(&o->script_options);
    free(o->step);
}

const char *idle_option_at(const struct idle_options *o, size_t i)
{
    const struct opt_texts *of_script = &o->script_options, *of_call = &o->option_args;

    if (i < of_script->count)
        return of_script->text[i];
    i -= of_script->count;
    return i < of_call->count ? of_call->text[i] : NULL; /* the call wins */
}

/* --- the rows --- */

static int take_window(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return idle_parse_window(text, field);
}

static int take_max_windows(const char *verb, const struct opt *row, const char *text, void *field)
{
    uint64_t n;

    (void)row;
    if (!idle_parse_u64(text, strlen(text), &n) || n == 0 || n > UINT32_MAX)
        return cli_usage(verb, "--max-windows takes 1 to 4294967295, not \"%s\"", text);
    *(uint32_t *)field = (uint32_t)n;
    return CLI_OK;
}

static void offer_governors(struct complete *c)
{
    for (size_t i = 0; pc_governor_at(i); i++)
        complete_offer(c, pc_governor_at(i)->name, NULL);
}

static const struct opt_kind window = { .value = "W", .take = take_window };
static const struct opt_kind number = { .value = "N", .take = take_max_windows };
static const struct opt_kind map = { .value = "NAME=EXPR",
                                     .take = opt_take_texts,
                                     .offer = complete_after_equals };
static const struct opt_kind setting = { .value = "NAME=VALUE",
                                         .take = opt_take_texts,
                                         .offer = complete_model_options };
static const struct opt_kind governor = { .value = "GOVERNOR",
                                          .take = opt_take_text,
                                          .offer = offer_governors };

enum { OF_WAVEFORM = OPT_MARK };

#define O struct idle_options
static const struct opt rows[] = {
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, chip),
      .brief = "chip whose idle counters count: GT215 and later (GK20A)" },
    { .letter = 'c',
      .name = "clock",
      OPT_WAVE_TEXT(O, clock),
      .value = "CLOCK",
      .brief = "sampling clock, as in pcounter-stat(1)",
      .more = "clk, 'posedge clk iff rst_n', 'negedge clk', sample, 'every 10ns'",
      .flags = OPT_ONCE },
    { .name = "map",
      OPT_OF(map, O, struct opt_texts, map_args),
      .brief = "NAME=SIGNAL, where 1 is idle; or a file of such lines" },
    { .name = "counter",
      OPT_TEXTS(O, counter_args),
      .value = "N:SETTINGS",
      .brief = "set up a counter, like '0:mask=GR|PCOPY0,mode=not-all'",
      .more = "mask=NAME|NAME and mode=never|all|not-all|always, separated by commas" },
    { .name = "window",
      OPT_OF(window, O, struct idle_window, window),
      .brief = "length of a window, in clocks or time (the whole trace)",
      .more = "100000 or 100000c clocks, or 1.5us, 1ms, ... of time" },
    { .name = "governor",
      OPT_OF(governor, O, const char *, governor_arg),
      .brief = "run a governor: gk20a[,target=N][,max=N][,smooth=N]",
      .more = "needs --window" },
    { .name = "levels",
      OPT_TEXT(O, levels_arg),
      .value = "MHZ,...",
      .brief = "clock rates of the governor's levels (GK20A: 72 to 852)" },
    { .name = "start-level",
      OPT_TEXT(O, start_arg),
      .value = "N",
      .brief = "level at which the governor begins (0)",
      .flags = OPT_RARE },
    { .name = "recorded-level",
      OPT_TEXT(O, recorded_arg),
      .value = "N",
      .brief = "level at which the waveform was recorded (the highest)",
      .flags = OPT_RARE },
    { .name = "script", OPT_SWITCH(O, script), .brief = "FILE is a script of chip, idle and run" },
    { .name = "exact",
      OPT_SWITCH(O, exact),
      .brief = "do not clear the counters at polls, so no clock is lost" },
    { .name = "option",
      OPT_OF(setting, O, struct opt_texts, option_args),
      .brief = "idle-not-all, idle-overflow or idle-absent",
      .more = "see `pcounter list options`",
      .flags = OPT_RARE },
    OPT_X_ROW(O, x, OPT_RARE | OF_WAVEFORM),
    OPT_SAMPLE_ROW(O, post_edge, OPT_RARE | OF_WAVEFORM),
    { .name = "max-windows",
      OPT_OF(number, O, uint32_t, max_windows),
      .brief = "fail if there are more windows (1000000)",
      .flags = OPT_RARE },
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    REP_OPTIONS(O, report, &idle_report_def),
    OPT_QUIET_OF("no notes, no progress"),
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand file = { .first = complete_files };
const struct opt_line idle_line = { .name = "idle", .row = rows, .operand = &file };

/* --- what does not go together --- */

/* Can a viewer show such windows?  An exit code. */
static int check_view(const struct idle_options *o, enum timeline_format view)
{
    if (view == TIMELINE_NONE || view == TIMELINE_HTML)
        return CLI_OK;
    if (o->script)
        return cli_usage("idle",
                         "--format %s needs times, and a script has clocks only: --format html "
                         "shows those",
                         timeline_name(view));
    if (!o->window.text || o->window.in_clocks)
        return cli_usage("idle",
                         "--format %s has windows by their times: give --window with a unit, "
                         "like --window 100us; --format html can also show clocks",
                         timeline_name(view));
    return CLI_OK;
}

/* Checks which options are given together; an exit code, or -1. */
static int check(const struct idle_options *o, const struct opt_said *said)
{
    const char *of_waveform = opt_marked(said, OF_WAVEFORM | OPT_READ);

    if (o->script && (o->clock || o->map_args.count))
        return cli_usage("idle", "%s belongs to a waveform; a script has its own clocks and words",
                         o->clock ? "--clock" : "--map");
    if (o->script && of_waveform)
        return cli_usage("idle", "%s is about a waveform; a script has none", of_waveform);
    if (!o->script && !o->map_args.count)
        return cli_usage("idle",
                         "which signals show that an engine is idle? Name them with --map, like "
                         "--map 'GR=!top.gpu.busy'");
    if (!o->script && !o->clock)
        return cli_usage("idle", "sampled by which clock? Name it with --clock, like --clock "
                                 "top.clk; `pcounter info FILE` names the clocks of a waveform");
    if (opt_given(said, "max-windows") && !o->window.text)
        return cli_usage("idle", "--max-windows is about --window: without one the trace is one");
    for (size_t i = 0; i < o->report.outputs; i++)
        if (check_view(o, rep_timeline(&o->report, i)))
            return CLI_INPUT;
    if (!o->governor_arg && (o->levels_arg || o->start_arg || o->recorded_arg))
        return cli_usage("idle", "%s needs --governor",
                         o->levels_arg  ? "--levels"
                         : o->start_arg ? "--start-level"
                                        : "--recorded-level");
    if (o->governor_arg && !o->window.text)
        return cli_usage("idle", "--governor needs --window: how often does the driver poll? gk20a "
                                 "polls every 100ms");
    return -1;
}

int idle_parse_options(const struct cli_verb *verb, int argc, char **argv, struct idle_options *o)
{
    struct opt_said said;

    *o = (struct idle_options){ .chip = pc_chip_find("GK20A"), .max_windows = 1000000 };
    const int code = opt_read(verb, &idle_line, argc, argv, o, &said);
    if (code >= 0)
        return code;
    o->chip_given = opt_given(&said, "chip");
    o->sample = opt_given(&said, "sample");
    if (said.operands == 0)
        return cli_usage("idle", "which waveform? The last argument is a file, or - for standard "
                                 "input");
    if (said.operands > 1)
        return cli_usage("idle",
                         "only one file at a time; also given: \"%s\" (quote words with blanks)",
                         said.operand[1]);
    o->path = said.operand[0];
    if (cli_check_dashes("idle",
                         cli_dashes(&o->path, 1) + cli_dashes(o->map_args.text, o->map_args.count)))
        return CLI_INPUT;
    return check(o, &said);
}
