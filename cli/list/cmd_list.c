/* SPDX-License-Identifier: MIT */
/* pcounter list: chips, registers of a chip, options of the model; the topics of other files. */
#include "text/card_regs.h"
#include "list.h"

#include <getopt.h>
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
    while (pc_chip_domain(chip, domains, &d))
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

static int list_chips(const struct list_request *r, struct cli_out *out)
{
    static const char *const names[] = { "chip",    "id",       "family",        "range",
                                         "unit",    "domains#", "counter_bits#", "idle_counters#",
                                         "modes",   "sets",     "signals",       "assumed",
                                         "aliases", "evidence", "notes" };
    static const char *const titles[] = { "CHIP", "ID",   "FAMILY", "RANGE",    "DOMAINS",
                                          "BITS", "IDLE", "MODES",  "EVIDENCE", "SIGNALS" };
    static const int widths[] = { -6, 5, -7, -11, 7, 4, 4, -18, -20, -1 };
    bool text = r->format == CLI_TEXT;
    struct list_table t = { out->file, r->format, names, titles, widths, text ? 10 : 15, 0 };

    list_table_begin(&t, "chips");
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
    return list_table_end(&t, out, r, "chip");
}

/* ---- registers ---- */

/* Where PDAEMON has registers the table has a column for the addresses that it uses itself. */
static int list_registers(const struct list_request *r, struct cli_out *out)
{
    static const char *const names[] = { "register", "address", "access",   "kept_bits",
                                         "range",    "clause",  "on_write", "io_address" };
    static const char *const titles[] = { "REGISTER",  "ADDRESS", "I[]",    "ACCESS",
                                          "KEPT BITS", "RANGE",   "CLAUSE", "ON WRITE" };
    const bool text = r->format == CLI_TEXT, own = text && r->chip->idle_counters;
    const bool gf100 = r->chip->layout == PC_LAYOUT_GF100; /* with places before the names */
    const int widths[] = {
        gf100 ? -29 : -24, -8, own ? -8 : 0, -6, -10, gf100 ? -6 : -11, -19, -1
    };
    const char *title[8];
    int width[8];
    struct list_table t = { out->file, r->format, names, title, width, text && !own ? 7 : 8, 0 };
    struct cli_reg_walk walk = { 0 };
    struct pc_reg_info reg;

    for (size_t i = 0; i < 8; i++) {
        const size_t to = i > 2 && !own ? i - 1 : i;
        title[to] = titles[i];
        width[to] = widths[i];
    }
    list_table_begin(&t, "registers");
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
    return list_table_end(&t, out, r, "register");
}

/* ---- options ---- */

static int list_options(const struct list_request *r, struct cli_out *out)
{
    static const char *const names[] = { "option", "values", "default", "decision", "about" };
    static const char *const titles[] = { "OPTION", "VALUES", "DEFAULT", "DECISION", "ABOUT" };
    static const int widths[] = { -20, -15, -8, -8, -1 };
    struct list_table t = { out->file, r->format, names, titles, widths, 5, 0 };

    list_table_begin(&t, "options");
    for (size_t i = 0; pc_option_at(i); i++) {
        const struct pc_option_info *o = pc_option_at(i);
        const char *cell[] = { o->name, o->values, o->initial, o->decision, o->about };
        if (list_wanted(r, o->name, o->decision))
            list_table_row(&t, cell);
    }
    return list_table_end(&t, out, r, "option");
}

/* ---- the verb ---- */

static const struct topic {
    const char *name;
    int (*list)(const struct list_request *r, struct cli_out *out);
    bool needs_chip;
    const char *takes; /* letters of the options that mean something to it */
} topics[] = {
    { "chips", list_chips, false, "" },        { "registers", list_registers, true, "a" },
    { "options", list_options, false, "" },    { "domains", list_domains, true, "as" },
    { "signals", list_signals, true, "ads" },  { "sources", list_sources, false, "as" },
    { "filters", list_filters, false, "a" },   { "metrics", list_metrics, false, "am" },
    { "profiler", list_profiler, false, "a" }, { "cores", list_cores, false, "" },
    { "events", list_events, false, "c" },     { "quirks", list_quirks, false, "" },
};

static const char *topic_name(size_t i)
{
    return i < sizeof topics / sizeof topics[0] ? topics[i].name : NULL;
}

/* An option that would be passed over is an error. */
static int check_given(const struct topic *topic, const struct list_request *r,
                       const struct cli_name_files *files)
{
    const struct {
        char letter;
        bool given;
        const char *name;
    } options[] = {
        { 'a', r->chip != NULL, "--chip" },          { 'c', r->core != NULL, "--core" },
        { 'd', r->domain_name != NULL, "--domain" }, { 's', files->count > 0, "--signals" },
        { 'm', r->metrics.files > 0, "--metrics" },
    };

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && !strchr(topic->takes, options[i].letter))
            return cli_usage("list", "%s says nothing about %s", options[i].name, topic->name);
    return CLI_OK;
}

struct job {
    const char *what, *output;
    bool has_format;
    struct list_request r;
    struct cli_name_files files;
};

static int list(void *ctx)
{
    struct job *job = ctx;
    const char *what = job->what;
    struct list_request *r = &job->r;
    const struct topic *topic = NULL;
    struct cli_out out;
    int code = CLI_OK;

    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(what, topics[i].name) == 0)
            topic = &topics[i];
    if (!topic)
        return cli_usage("list",
                         "there is no list of \"%s\"; there are chips, registers, options, "
                         "domains, signals, sources, filters, metrics, profiler, cores, events, "
                         "quirks",
                         what);
    code = check_given(topic, r, &job->files);
    if (code != CLI_OK)
        return code;
    if (job->files.count && !r->chip)
        return cli_usage("list", "--signals names the signals of a chip: with -a");
    if (topic->needs_chip && !r->chip)
        return cli_usage("list", "%s of which chip? Say it with -a, like -a G92", what);
    if (r->chip)
        code = cli_check_registers(r->chip);
    if (code == CLI_OK && r->chip)
        code = cli_names_open("list", r->chip, &job->files, &r->names);
    if (code == CLI_OK) {
        cli_out_open(&out, NULL);
        code = topic->list(r, &out);
    }
    pc_names_close(r->names);
    return code;
}

static const struct option long_options[] = {
    { "chip", required_argument, NULL, 'a' },
    { "core", required_argument, NULL, 'c' },
    { "domain", required_argument, NULL, 'd' },
    { "signals", required_argument, NULL, 's' },
    { "metrics", required_argument, NULL, 'm' },
    { "format", required_argument, NULL, 'f' },
    { "output", required_argument, NULL, 'o' },
    { "quiet", no_argument, NULL, 'q' },
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

/* One option; an exit code, or -1 to go on. */
static int take_option(int c, char **argv, struct job *job)
{
    switch (c) {
    case 'a':
        job->r.chip = cli_find_chip(optarg);
        return job->r.chip ? -1 : CLI_INPUT;
    case 'c':
        return cli_find_core(optarg, &job->r.core) == CLI_OK ? -1 : CLI_INPUT;
    case 'd':
        job->r.domain_name = optarg;
        return -1;
    case 's':
        return cli_names_add("list", &job->files, optarg) ? CLI_INPUT : -1;
    case 'm':
        return cli_metric_file("list", &job->r.metrics, optarg) ? CLI_INPUT : -1;
    case 'f':
        job->has_format = true;
        return cli_parse_format("list", optarg, &job->r.format) ? -1 : CLI_INPUT;
    default:
        return cli_common_option(&cli_verb_list, c, argv, long_options, &job->output);
    }
}

static int run(int argc, char **argv)
{
    struct job job = { .output = NULL };
    int c;

    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":a:d:o:qh", long_options)) != -1) {
        int code = take_option(c, argv, &job);
        if (code >= 0)
            return code;
    }
    if (optind == argc)
        return cli_usage("list",
                         "a list of what: chips, registers, options, domains, signals, sources, "
                         "filters, metrics, profiler, cores, events or quirks?");
    if (argc - optind > 2)
        return cli_usage("list", "one pattern at a time");
    if (argc - optind == 2)
        job.r.pattern = argv[optind + 1];
    job.what = argv[optind];
    if (cli_check_dashes("list", cli_dashes(job.files.path, job.files.count) +
                                     cli_dashes(job.r.metrics.file, job.r.metrics.files)))
        return CLI_INPUT;
    if (!job.has_format && cli_output_format("list", job.output, &job.r.format))
        return CLI_INPUT;
    return cli_into(job.output, list, &job);
}

const struct cli_verb cli_verb_list = {
    .name = "list",
    .summary = "chips, registers, signals, metrics, options; cores and their events",
    .run = run,
    .word = topic_name,
    .brief = "usage: pcounter list chips [PATTERN]\n"
             "       pcounter list registers -a CHIP [PATTERN]\n"
             "       pcounter list options [PATTERN]\n"
             "       pcounter list signals -a CHIP [-d DOMAIN] [--signals FILE] [PATTERN]\n"
             "       pcounter list domains -a CHIP [PATTERN]\n"
             "       pcounter list sources|filters|metrics|profiler [-a CHIP] [PATTERN]\n"
             "       pcounter list cores|quirks [PATTERN]\n"
             "       pcounter list events [--core CORE] [PATTERN]\n"
             "\n"
             "  pcounter list chips\n"
             "  pcounter list chips tesla\n"
             "  pcounter list registers -a G92 '*_OP[1]'\n"
             "  pcounter list events --core cv64a6_imafdc_sv39 '*CACHE*'\n"
             "  pcounter list registers -a GK104 'gpc0.1.*'\n"
             "  pcounter list signals -a G92 -d 1 'vfetch*'\n"
             "\n"
             "  -a, --chip CHIP   the chip\n"
             "  -d, --domain DOM  signals of this domain: 1, hub0, gpc0.1\n"
             "  --signals FILE    names of one's own, over those of the chip\n"
             "  --metrics FILE    metrics of one's own, as of pcounter-plan(1)\n"
             "  --core CORE       configuration of CVA6 whose events are meant\n"
             "  -o, --output FILE - or none: standard output; .csv and .json choose the format\n"
             "  --format FORMAT   text, csv or json\n"
             "  -q, --quiet       no notes\n"
             "  -h, --help        this screen; everything\n",
    .full = "A PATTERN has * and ? and is compared without regard to case; brackets stand for\n"
            "themselves.  For chips it meets the name or the family, for registers the name\n"
            "with or without what belongs to it (CTRL[1], gpc0.1.CTRL, CTRL), for options the\n"
            "name or the decision (D-41).\n"
            "\n"
            "Columns of `list chips`:\n"
            "  ID        the number that the chip reports\n"
            "  RANGE     generation, as a half-open range of chips in the order of this list\n"
            "  DOMAINS   counter domains, each with its own clock\n"
            "  BITS      width of the widest counters\n"
            "  IDLE      idle counters of the power management processor\n"
            "  MODES     counting modes; stream: stream-out of GF100 and later (D-75)\n"
            "  EVIDENCE  who says that the unit is there, with these domains, or is not: doc,\n"
            "            the document (a list, a list of domains, its text; todo, unchecked: it\n"
            "            leaves that open), traces of drivers, nouveau; none: like its relatives.\n"
            "            CSV and JSON have notes as well\n"
            "  SIGNALS   size of each domain; (assumed) where no document says it for all\n"
            "            of them.  On GF100 and later the domain sets, units x domains: hub 8;\n"
            "            gpc 4 x 3; part 4 x 2; --format csv has their sizes\n"
            "\n"
            "Columns of `list registers`, by address:\n"
            "  REGISTER  CTRL[1] is in domain 1; on GF100 and later hub0.CTRL, gpc0.1.CTRL and\n"
            "            part1.0.CTRL are in a domain of the hub, of a GPC, of a partition,\n"
            "            gpc0.DSET_CTRL is in the set of GPC 0, MAIN_CONTROL in no set;\n"
            "            PMC.ENABLE and PDAEMON.COUNTER_MASK[1] are around the unit, no CLAUSE\n"
            "  ACCESS    r, w or rw\n"
            "  KEPT BITS bits of a write that are stored\n"
            "  RANGE     chips that have it; CLAUSE: where the document defines it\n"
            "  ON WRITE  what a write does besides storing\n"
            "\n"
            "`list domains` shows clock and size of each domain, `list signals` their signals:\n"
            "  POS         position, as a SRC register takes it\n"
            "  NAME        s2a in expressions is the signal at 0x2a, with or without a name\n"
            "  MUX         group of `list sources` that selects it; FILTER[N]: the bit that\n"
            "              lets it through, see `list filters`\n"
            "  CONFIDENCE  user, doc, trace (of the vendor's driver), nouveau (no one else\n"
            "              names it), assumed (so is its place), unknown (what it means),\n"
            "              SUSPECT (sources disagree)\n"
            "  ORIGIN      where the name is from; unit: driven by the counter unit itself\n"
            "Of GPCs and partitions the first is shown; -d gpc2.0 shows another.  A row of a\n"
            "FILE is chip,domain,position,name[,description[,mux]], see pcounter-signals(5).\n"
            "\n"
            "`list sources` shows the register fields that select signals, `list metrics` what\n"
            "documents and drivers write to count something, with the formula and unit of the\n"
            "metric where they are known, and metrics of a FILE; `list profiler` the metrics\n"
            "of the vendor's profiler and the events that they read.\n"
            "\n"
            "`list options` shows the switches of the model, one for each reading of the\n"
            "documents that can be disputed; `option NAME=VALUE` in a script sets one.\n"
            "\n"
            "`list cores` shows CVA6's configurations, `list events` what their event counters\n"
            "count: selector value, name as in perf, what one count is (clock, occurrence,\n"
            "retirement) and what is really counted.  With --core that is said for the caches\n"
            "and TLBs of this core, and NEVER stands where the event cannot happen.  A PATTERN\n"
            "meets the name or the manual's name.  `list quirks` shows where the RTL and the\n"
            "manuals differ, for `pcounter check --quirk`.\n"
            "\n"
            "Where nothing matches a note says so, text is empty, and CSV and JSON have no rows.\n"
            "\n"
            "Exit codes: 0 ok, 1 nothing matches, 2 no such chip, domain, core or list, an option\n"
            "that the list has no use for, or a mistake in a FILE, 3 the chip has no PCOUNTER,\n"
            "4 a limit was reached: a FILE is too large.\n",
};
