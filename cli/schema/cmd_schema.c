/* SPDX-License-Identifier: MIT */
/* pcounter schema: what the JSON of the other verbs looks like, as JSON Schemas (docs/adr/041). */
#include "complete/complete.h"
#include "opt/opt.h"
#include "report/report.h"

#include <string.h>

static const struct cli_verb *const verbs[] = {
#define G(title)
#define V(name) &cli_verb_##name,
#include "verbs.def"
#undef V
#undef G
};

/* All of them, by name. */
enum { MOST = 100 };
struct entry {
    const char *name;
    char printed_by[60];
    const struct rep_def *def;
    bool lines; /* of its lines, or of all */
};
struct all {
    struct entry entry[MOST];
    size_t count;
};

static void add(struct all *all, struct entry e)
{
    size_t at = all->count;

    if (all->count == MOST)
        return;
    for (; at > 0 && strcmp(all->entry[at - 1].name, e.name) > 0; at--)
        all->entry[at] = all->entry[at - 1];
    all->entry[at] = e;
    all->count++;
}

static void add_report(struct all *all, const struct rep_def *def, bool lines)
{
    struct entry e = { .name = lines ? def->lines : def->schema, .def = def, .lines = lines };

    snprintf(e.printed_by, sizeof e.printed_by, "%s --format %s", def->call,
             lines ? "jsonl" : "json");
    if (e.name)
        add(all, e);
}

static void find_all(struct all *all)
{
    all->count = 0;
    for (size_t v = 0; v < sizeof verbs / sizeof verbs[0]; v++)
        for (size_t i = 0; verbs[v]->reports && verbs[v]->reports[i]; i++) {
            add_report(all, verbs[v]->reports[i], false);
            add_report(all, verbs[v]->reports[i], true);
        }
}

static int no_schema(const struct all *all, const char *name)
{
    const char *names[MOST + 1] = { NULL };
    char near[200];

    for (size_t i = 0; i < all->count; i++)
        names[i] = all->entry[i].name;
    cli_near(name, names, near, sizeof near);
    return near[0] ? cli_usage("schema", "unknown schema \"%s\"; did you mean %s?", name, near)
                   : cli_usage("schema",
                               "unknown schema \"%s\"; `pcounter schema` without a name lists "
                               "all",
                               name);
}

static void print_list(FILE *out, const struct all *all)
{
    int width = 0;

    for (size_t i = 0; i < all->count; i++) {
        int n = (int)strlen(all->entry[i].name);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < all->count; i++)
        fprintf(out, "%-*s  %s\n", width, all->entry[i].name, all->entry[i].printed_by);
}

/* name: NULL for the list. */
static int print(const char *name, const char *output)
{
    const struct entry *e = NULL;
    struct cli_out out;
    struct all all;

    find_all(&all);
    for (size_t i = 0; name && i < all.count; i++)
        if (strcmp(name, all.entry[i].name) == 0)
            e = &all.entry[i];
    if (name && !e)
        return no_schema(&all, name);
    int code = cli_out_open(&out, output);
    if (code)
        return code;
    if (e)
        rep_schema(out.file, e->def, e->lines);
    else
        print_list(out.file, &all);
    return cli_out_commit(&out);
}

static void offer_names(struct complete *c)
{
    struct all all;

    find_all(&all);
    for (size_t i = 0; i < all.count; i++)
        complete_offer(c, all.entry[i].name, all.entry[i].printed_by);
}

static const struct opt_operand operand = { .first = offer_names,
                                            .most = 1,
                                            .extra = "one name at a time" };
static const struct opt_line line = { .name = "schema",
                                      .row = opt_output_alone,
                                      .operand = &operand };

static int run(int argc, char **argv)
{
    struct opt_output_alone o = { .output = NULL };
    struct opt_said said;
    const int code = opt_read(&cli_verb_schema, &line, argc, argv, &o, &said);

    return code >= 0 ? code : print(said.operands > 0 ? said.operand[0] : NULL, o.output);
}

const struct cli_verb cli_verb_schema = {
    .name = "schema",
    .summary = "print the JSON Schemas of reports",
    .run = run,
    .line = &line,
};
