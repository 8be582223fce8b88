/* SPDX-License-Identifier: MIT */
/* pcounter list: chips, registers of a chip, options of the model; the topics of other files. */
#include "text/card_regs.h"
#include "complete/complete.h"
#include "list.h"
#include "opt/opt.h"

#include <string.h>

/* ---- chips ---- */

struct chip_cells {
    char id[16], domains[16], bits[16], idle[16];
    char modes[40], sets[60], sizes[160];
    const char *unit;
    bool has_unit; /* with domains that are known */
    bool assumed;
};

/* Appends " 128 256", and notes whether a size is assumed. */
static int add_sizes(struct chip_cells *c, int n, const struct pc_domain_info *domain,
                     unsigned domains)
{
    for (unsigned d = 0; d < domains; d++) {
        n += snprintf(c->sizes + n, sizeof c->sizes - (size_t)n, "%s%u", n ? " " : "",
                      (unsigned)domain[d].size);
        c->assumed |= domain[d].assumed;
    }
    return n;
}

/* GF100+: "hub 8; gpc 4 x 3; part 4 x 2" and the sizes of each. */
static void fill_sets(const struct pc_chip *chip, struct chip_cells *c)
{
    const struct pc_set_info *set;
    int n = 0, m = 0;

    for (size_t i = 0; (set = pc_chip_set(chip, i)) != NULL; i++) {
        const char *joint = i ? "; " : "";
        n += snprintf(c->sets + n, sizeof c->sets - (size_t)n, "%s%s ", joint,
                      cli_set_name(set->set));
        if (set->set != PC_SET_HUB)
            n += snprintf(c->sets + n, sizeof c->sets - (size_t)n, "%u x ", set->units);
        n += snprintf(c->sets + n, sizeof c->sets - (size_t)n, "%u", set->domains);
        m += snprintf(c->sizes + m, sizeof c->sizes - (size_t)m, "%s%s", joint,
                      cli_set_name(set->set));
        m = add_sizes(c, m, set->domain, set->domains);
    }
}

static void fill_chip(const struct pc_chip *chip, struct chip_cells *c)
{
    struct pc_chip_domain d;
    unsigned domains = 0;

    memset(c, 0, sizeof *c);
    while (pc_chip_get_domain(chip, domains, &d))
        domains++;
    c->has_unit = domains > 0;
    snprintf(c->id, sizeof c->id, "0x%02x", chip->id);
    snprintf(c->domains, sizeof c->domains, "%u", domains);
    snprintf(c->bits, sizeof c->bits, "%u", chip->features & PC_F_CTR40 ? 40u : 32u);
    snprintf(c->idle, sizeof c->idle, "%u", chip->idle_counters);
    fill_sets(chip, c);
    add_sizes(c, (int)strlen(c->sizes), chip->domain, chip->domains);
    c->unit = chip->layout == PC_LAYOUT_NONE ? "no PCOUNTER"
              : c->has_unit                  ? "yes"
                                             : "domains not known";
    if (c->has_unit)
        snprintf(c->modes, sizeof c->modes, "single%s%s%s",
                 chip->features & PC_F_QUAD ? " quad" : "",
                 chip->features & PC_F_RECORD ? " record" : "",
                 chip->features & PC_F_GF100 ? " stream" : "");
}

/* People get "-" for what is not there, and the missing unit where the modes stand. */
static void text_chip(struct list_table *t, const struct pc_chip *chip, struct chip_cells *c)
{
    bool unit = c->has_unit;
    char sizes[200];

    snprintf(sizes, sizeof sizes, "%s%s", c->sets[0] ? c->sets : c->sizes,
             c->assumed ? " (assumed)" : "");
    const char *cell[] = { chip->name,
                           chip->id ? c->id : "-",
                           chip->family,
                           chip->range,
                           unit ? c->domains : "-",
                           unit ? c->bits : "-",
                           chip->idle_counters ? c->idle : "-",
                           unit ? c->modes : c->unit,
                           chip->evidence,
                           sizes };
    list_table_row(t, cell);
}

static int list_chips(const struct list_request *r)
{
    static const char *const titles[] = { "CHIP", "ID",   "FAMILY", "RANGE",    "DOMAINS",
                                          "BITS", "IDLE", "MODES",  "EVIDENCE", "SIGNALS" };
    static const int widths[] = { -6, 5, -7, -11, 7, 4, 4, -18, -20, -1 };
    bool text = r->text;
    struct list_table t = { r, titles, widths, 10, 0, NULL };

    list_table_begin(&t);
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        struct chip_cells c;
        if (!list_wanted(r, chip->name, chip->family))
            continue;
        fill_chip(chip, &c);
        const char *cell[] = { chip->name,
                               c.id,
                               chip->family,
                               chip->range,
                               c.unit,
                               c.domains,
                               c.has_unit ? c.bits : "0",
                               c.idle,
                               c.modes,
                               c.sets,
                               c.sizes,
                               c.assumed ? "yes" : "no",
                               chip->aliases,
                               chip->evidence,
                               chip->notes };
        if (text)
            text_chip(&t, chip, &c);
        else
            list_table_row(&t, cell);
    }
    return list_table_end(&t, "chip");
}

/* ---- registers ---- */

/* Where PDAEMON has registers the table has a column for the addresses that it uses itself. */
static int list_registers(const struct list_request *r)
{
    static const char *const titles[] = { "REGISTER",  "ADDRESS", "I[]",    "ACCESS",
                                          "KEPT BITS", "RANGE",   "CLAUSE", "ON WRITE" };
    const bool text = r->text, own = text && r->chip->idle_counters;
    const bool gf100 = r->chip->layout == PC_LAYOUT_GF100; /* with places before the names */
    const int widths[] = {
        gf100 ? -29 : -24, -8, own ? -8 : 0, -6, -10, gf100 ? -6 : -11, -19, -1
    };
    const char *title[8];
    int width[8];
    struct list_table t = { r, title, width, own ? 8 : 7, 0, NULL };
    struct cli_reg_walk walk = { 0 };
    struct pc_reg_info reg;

    for (size_t i = 0; i < 8; i++) {
        const size_t to = i > 2 && !own ? i - 1 : i;
        title[to] = titles[i];
        width[to] = widths[i];
    }
    list_table_begin(&t);
    while (cli_reg_next(r->chip, &walk, &reg)) {
        struct cli_reg_name name = cli_reg_name(&reg);
        const struct cli_io_address io = cli_io_address(r->chip, &reg);
        char address[16], mask[16];
        if (!list_wanted(r, name.text, reg.name))
            continue;
        snprintf(address, sizeof address, "0x%06x", (unsigned)reg.address);
        snprintf(mask, sizeof mask, "0x%08x", (unsigned)reg.rw_mask);
        const char *access = !reg.writable ? "r" : reg.readable ? "rw" : "w";
        const char *cell[9], **next = cell;
        *next++ = name.text;
        *next++ = address;
        if (own)
            *next++ = io.text;
        *next++ = access;
        *next++ = mask;
        *next++ = reg.range;
        *next++ = reg.clause;
        *next++ = reg.effect;
        *next++ = io.text;
        list_table_row(&t, cell);
    }
    return list_table_end(&t, "register");
}

/* ---- options ---- */

static int list_options(const struct list_request *r)
{
    static const char *const titles[] = { "OPTION", "VALUES", "DEFAULT", "DECISION", "ABOUT" };
    static const int widths[] = { -20, -15, -8, -8, -1 };
    struct list_table t = { r, titles, widths, 5, 0, NULL };

    list_table_begin(&t);
    for (size_t i = 0; pc_option_at(i); i++) {
        const struct pc_option_info *o = pc_option_at(i);
        const char *cell[] = { o->name, o->values, o->initial, o->decision, o->about };
        if (list_wanted(r, o->name, o->decision))
            list_table_row(&t, cell);
    }
    return list_table_end(&t, "option");
}

/* ---- the verb ---- */

/* Options that some lists have no use for. */
enum {
    CHIP = OPT_MARK,
    CORE = OPT_MARK << 1,
    DOMAIN = OPT_MARK << 2,
    SIGNALS = OPT_MARK << 3,
    METRICS = OPT_MARK << 4,
    ALL = CHIP | CORE | DOMAIN | SIGNALS | METRICS
};

static const struct topic {
    const char *name;
    int (*list)(const struct list_request *r);
    const struct rep_def *def;
    bool needs_chip;
    unsigned takes;
} topics[] = {
    { "chips", list_chips, &list_chips_def, false, 0 },
    { "registers", list_registers, &list_registers_def, true, CHIP },
    { "options", list_options, &list_options_def, false, 0 },
    { "domains", list_domains, &list_domains_def, true, CHIP | SIGNALS },
    { "signals", list_signals, &list_signals_def, true, CHIP | DOMAIN | SIGNALS },
    { "sources", list_sources, &list_sources_def, false, CHIP | SIGNALS },
    { "filters", list_filters, &list_filters_def, false, CHIP },
    { "metrics", list_metrics, &list_metrics_def, false, CHIP | METRICS },
    { "profiler", list_profiler, &list_profiler_def, false, CHIP },
    { "cores", list_cores, &list_cores_def, false, 0 },
    { "events", list_events, &list_events_def, false, CORE },
    { "quirks", list_quirks, &list_quirks_def, false, 0 },
};

static void offer_topics(struct complete *c)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        complete_offer(c, topics[i].name, NULL);
}

struct job {
    const char *what;
    const char *unused; /* an option that was given, and that this list has no use for; NULL */
    struct rep_request report;
    struct list_request r;
    struct cli_name_files files;
};

static const struct topic *find_topic(const char *name)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(name, topics[i].name) == 0)
            return &topics[i];
    return NULL;
}

/*
 * Prints the list for programs, then the one for people, if both are wanted: what there is to say
 * is said with the first.
 */
static int print(struct list_request *r, const struct topic *topic)
{
    int code = CLI_OK;

    if (rep_has_rows(r->rep))
        code = topic->list(r);
    if (code != CLI_OK || !r->page)
        return code;
    const bool quiet = cli_quiet;
    cli_quiet |= rep_has_rows(r->rep);
    r->text = true;
    code = topic->list(r);
    cli_quiet = quiet;
    return code;
}

static int list(struct job *job)
{
    const char *what = job->what;
    struct list_request *r = &job->r;
    const struct topic *topic = find_topic(what);
    int code = CLI_OK;

    if (!topic)
        return cli_usage("list",
                         "unknown list \"%s\"; the lists are chips, registers, options, "
                         "domains, signals, sources, filters, metrics, profiler, cores, events, "
                         "quirks",
                         what);
    if (job->unused)
        return cli_usage("list", "%s says nothing about %s", job->unused, topic->name);
    if (job->files.count && !r->chip)
        return cli_usage("list", "--signals names the signals of a chip: with -a");
    if (topic->needs_chip && !r->chip)
        return cli_usage("list", "%s of which chip? Name it with -a, like -a G92", what);
    if (r->chip)
        code = cli_check_registers(r->chip);
    if (code == CLI_OK && r->chip)
        code = cli_names_open("list", r->chip, &job->files, &r->names);
    if (code == CLI_OK)
        code = rep_open(&r->rep, topic->def, &job->report);
    if (code == CLI_OK) {
        r->page = rep_page(r->rep);
        r->rows = topic->def->field[0].field;
        code = rep_close(r->rep, print(r, topic));
    }
    pc_names_close(r->names);
    return code;
}

#define O struct job
static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, r.chip), .brief = "the chip", .flags = CHIP },
    { .letter = 'd',
      .name = "domain",
      OPT_DOMAIN(O, r.domain_name),
      .brief = "list signals of this domain: 1, hub0, gpc0.1",
      .flags = DOMAIN },
    { .name = "signals",
      OPT_SIGNALS(O, files),
      .brief = "names of your own, which override those of the chip",
      .flags = SIGNALS },
    { .name = "metrics",
      OPT_METRICS(O, r.metrics),
      .brief = "metrics of your own, as in pcounter-plan(1)",
      .flags = METRICS },
    { .name = "core",
      OPT_CORE(O, r.core),
      .value = "CORE",
      .brief = "configuration of CVA6 whose events to list",
      .flags = CORE },
    REP_OPTIONS(O, report, &list_chips_def),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand topic_and_pattern = {
    .first = offer_topics,
    .least = 1,
    .most = 2,
    .missing = "a list of what: chips, registers, options, domains, signals, sources, filters, "
               "metrics, profiler, cores, events or quirks?",
    .extra = "one pattern at a time",
};
static const struct opt_line line = { .name = "list", .row = rows, .operand = &topic_and_pattern };

static int run(int argc, char **argv)
{
    struct job job = { .what = NULL };
    struct opt_said said;
    const int code = opt_read(&cli_verb_list, &line, argc, argv, &job, &said);

    if (code >= 0)
        return code;
    job.what = said.operand[0];
    if (said.operands == 2)
        job.r.pattern = said.operand[1];
    const struct topic *topic = find_topic(job.what);
    job.unused = topic ? opt_marked(&said, ALL & ~topic->takes) : NULL;
    if (cli_check_dashes("list", cli_dashes(job.files.path, job.files.count) +
                                     cli_dashes(job.r.metrics.file, job.r.metrics.files)))
        return CLI_INPUT;
    return list(&job);
}

const struct cli_verb cli_verb_list = {
    .name = "list",
    .summary = "list chips, registers, signals, metrics, options, core events",
    .run = run,
    .line = &line,
    .reports =
        (const struct rep_def *const[]){
            &list_chips_def, &list_registers_def, &list_options_def, &list_domains_def,
            &list_signals_def, &list_sources_def, &list_filters_def, &list_metrics_def,
            &list_profiler_def, &list_cores_def, &list_events_def, &list_quirks_def, NULL },
};
