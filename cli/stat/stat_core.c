/* SPDX-License-Identifier: MIT */
/* The command line of pcounter stat --core. */
#include "stat_core.h"
#include "complete/complete.h"
#include "opt/opt_wave.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "process/jobs.h"

/* ---- events ---- */

static bool same(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

static int no_event(const struct pc_error *found, const char *name)
{
    const char *names[2 * PC_HPM_EVENTS + 1] = { NULL };
    char upper[64], near[200];
    struct pc_error err = *found;
    size_t n = 0;

    for (; n + 1 < sizeof upper && name[n]; n++)
        upper[n] = (char)toupper((unsigned char)name[n]);
    upper[n] = '\0';
    for (size_t i = 1, k = 0; i < PC_HPM_EVENTS; i++) {
        names[k++] = pc_hpm_event_at(i)->name;
        names[k++] = pc_hpm_event_at(i)->short_name;
    }
    cli_near(upper, names, near, sizeof near);
    if (near[0])
        snprintf(err.hint, sizeof err.hint, "did you mean %s?", near);
    else if (!err.hint[0])
        snprintf(err.hint, sizeof err.hint, "`pcounter stat --core NAME -e help` lists the events");
    return cli_error(&err, NULL, NULL);
}

static void add(struct stat_core_options *o, const struct pc_hpm_event *event)
{
    for (size_t i = 0; i < o->events; i++)
        if (o->event[i] == event)
            return;
    if (event->id > 0)
        o->event[o->events++] = event;
}

static int add_event(struct stat_core_options *o, const char *name)
{
    static const char *const always[] = { "cycles", "mcycle", "instret", "minstret",
                                          "instructions" };
    const struct pc_hpm_event *event = NULL;
    struct pc_error err;

    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        if (same(name, always[i])) { /* they are always told, where there are commits */
            o->instructions |= i >= 2;
            return CLI_OK;
        }
    for (size_t i = 1; i < PC_HPM_EVENTS; i++)
        if (same(name, "all"))
            add(o, pc_hpm_event_at(i));
    if (same(name, "all"))
        return CLI_OK;
    if (!event && pc_hpm_event_find(name, &event, &err) != PC_OK)
        return no_event(&err, name);
    add(o, event);
    return CLI_OK;
}

static int add_events(struct stat_core_options *o, const char *list)
{
    int code = CLI_OK;

    while (code == CLI_OK) {
        const size_t n = strcspn(list, ",");
        size_t from = 0, to = n;
        char name[100];
        while (from < to && isspace((unsigned char)list[from]))
            from++;
        while (to > from && isspace((unsigned char)list[to - 1]))
            to--;
        if (from == to)
            return cli_usage("stat", "an event is missing in \"%s\"", list);
        snprintf(name, sizeof name, "%.*s", (int)(to - from), list + from);
        code = add_event(o, name);
        if (list[n] == '\0')
            break;
        list += n + 1;
    }
    return code;
}

/* ---- options ---- */

static int take_events(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct stat_core_options *o = field;

    (void)verb, (void)row;
    o->list |= strcmp(text, "help") == 0;
    return strcmp(text, "help") == 0 ? CLI_OK : add_events(o, text);
}

static int take_quirk(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct stat_core_options *o = field;

    (void)row;
    return core_switch_quirk(verb, text, &o->core.quirks_on, &o->core.quirks_off);
}

static void offer_events(struct complete *c)
{
    complete_last_of_list(c);
    for (size_t i = 1; pc_hpm_event_at(i); i++)
        complete_offer(c, pc_hpm_event_at(i)->name, pc_hpm_event_at(i)->about);
    complete_offer(c, "all", "all of them");
    complete_offer(c, "help", "lists them");
}

/* These take the whole struct. */
static const struct opt_kind events = { .value = "EVENT,...",
                                        .take = take_events,
                                        .offer = offer_events };
static const struct opt_kind quirk = { .value = "NAME=on|off",
                                       .take = take_quirk,
                                       .offer = complete_quirks };

#define O struct stat_core_options
static const struct opt rows[] = {
    { .name = "core", OPT_CORE(O, core.config) },
    { .letter = 'e',
      .name = "event",
      .kind = &events,
      .brief = "events by name or selector; help lists them, all counts all" },
    { .name = "scope",
      OPT_TEXT(O, core.scope),
      .value = "SCOPE",
      .brief = "scope of perf_counters, as in pcounter-check(1)",
      .flags = OPT_ONCE },
    { .name = "map",
      OPT_FILE(O, core.map),
      .brief = "names of ports, as in pcounter-check(1)",
      .flags = OPT_ONCE },
    { .name = "profile",
      OPT_PROFILE(O, core.profile),
      .brief = "rtl (default) or spec: how the counters behave" },
    { .name = "quirk", .kind = &quirk, .brief = "set one difference between the two profiles" },
    { .name = "while-enabled",
      OPT_SWITCH(O, while_enabled),
      .brief = "count each window in which mcountinhibit is 0, and the sum" },
    OPT_WINDOW_ROWS(O, window, 0),
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, core.threads) },
    REP_OPTIONS(O, report, &stat_core_def),
    OPT_QUIET_OF("no notes, no progress"),
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand waveform = { .first = complete_files };
const struct opt_line stat_core_line = {
    .name = "stat",
    .help = "stat-core",
    .form = "--core",
    .row = rows,
    .operand = &waveform,
};

/* An exit code, or -1 to go on. */
static int parse(int argc, char **argv, struct stat_core_options *o)
{
    struct opt_said said;
    const int code = opt_read(o->verb, &stat_core_line, argc, argv, o, &said);

    if (code >= 0)
        return code;
    for (size_t i = 0; o->list && i < o->report.outputs; i++)
        if (rep_is(&o->report, i, "jsonl"))
            return cli_usage("stat", "-e help is a list and no report: it has --format json");
    if (o->list)
        return stat_core_list(o);
    if (said.operands == 0)
        return cli_usage("stat", "one waveform is needed, a file or - for standard input");
    if (said.operands > 1)
        return cli_usage("stat", "with --core only one waveform at a time; also given: \"%s\"",
                         said.operand[1]);
    o->core.path = said.operand[0];
    o->core.profile = core_profile(o->core.profile);
    o->core.threads = cli_jobs(o->core.threads, &o->core.path, 1);
    if (cli_check_dashes("stat", cli_dashes(&o->core.path, 1) + cli_dashes(&o->core.map, 1)) ||
        cli_window_check("stat", &o->window))
        return CLI_INPUT;
    return -1;
}

/* ---- the verb ---- */

/* Instructions that are asked for can be counted. */
static int check_instructions(const struct stat_core_options *o, const struct core *c)
{
    struct pc_error err;

    if (!o->instructions || c->port[CORE_ACK].present)
        return CLI_OK;
    cli_fail(&err, 1037, "minstret cannot be counted: its wires are missing");
    snprintf(err.hint, sizeof err.hint, "missing: %s; --map can name them",
             core_port_name(CORE_ACK));
    return cli_error(&err, o->core.path, NULL);
}

/* Every event that is asked for has its wires. */
static int check_events(const struct stat_core_options *o, const struct core *c)
{
    enum core_port want[CORE_PORTS + 1];
    char missing[300];
    struct pc_error err;
    size_t n = 0;
    const int code = check_instructions(o, c);

    if (code != CLI_OK)
        return code;
    if (o->while_enabled && !c->port[CORE_INHIBIT].present) {
        cli_fail(&err, 1037, "--while-enabled needs mcountinhibit_i, which is missing");
        return cli_error(&err, o->core.path, NULL);
    }
    for (unsigned i = 0; i < CORE_COUNTER_3; i++)
        if (i != CORE_WRITE && i != CORE_ADDRESS && i != CORE_WDATA && i != CORE_RDATA)
            want[n++] = (enum core_port)i;
    want[n] = CORE_PORTS;
    for (size_t i = 0; i < o->events; i++) {
        if (c->events >> o->event[i]->id & 1)
            continue;
        cli_fail(&err, 1037, "%s cannot be counted: its wires are missing", o->event[i]->name);
        core_missing(c, want, missing, sizeof missing);
        snprintf(err.hint, sizeof err.hint, "missing: %s; --map can name them", missing);
        return cli_error(&err, o->core.path, NULL);
    }
    return CLI_OK;
}

static int count(struct stat_core_options *o, struct core *c)
{
    struct stat_core_result r = { .window = NULL };
    struct rep *rep;
    int code = check_events(o, c);

    if (code == CLI_OK)
        code = core_find_window(c, &o->window);
    if (code == CLI_OK)
        code = rep_open(&rep, &stat_core_def, &o->report);
    if (code != CLI_OK)
        return code;
    code = stat_core_run(o, c, &r);
    if (code == CLI_OK) {
        core_warn(c);
        code = stat_core_report(rep, o, c, &r);
    }
    code = rep_close(rep, code);
    free(r.window);
    return code;
}

int stat_core(const struct cli_verb *verb, int argc, char **argv)
{
    struct stat_core_options o = { .core = { .verb = "stat", .inputs_only = true }, .verb = verb };
    struct core c = { .options = NULL };
    struct pc_error err;
    o.core.read = &o.read;
    int code = parse(argc, argv, &o);

    if (code >= 0)
        return code;
    if (!o.core.config->perf_counter_en && o.events > 0) {
        cli_fail(&err, 1040, "%s has no event counters", o.core.config->name);
        return cli_error(&err, NULL, NULL);
    }
    code = core_open(&c, &o.core);
    if (code == CLI_OK)
        code = count(&o, &c);
    core_close(&c);
    return code;
}
