/* SPDX-License-Identifier: MIT */
/* pcounter schema: what the JSON of the other verbs looks like, as JSON Schemas (docs/adr/041). */
#include "complete/complete.h"
#include "opt/opt.h"

#include <string.h>

struct schema {
    const char *name;
    const char *printed_by; /* its title */
    size_t begin, end;      /* in schema_text */
};

/* Made by the build, of data/schema. */
#include "schemas.inc"

#define SCHEMA_COUNT (sizeof schemas / sizeof schemas[0])

static const struct schema *find_schema(const char *name)
{
    for (size_t i = 0; i < SCHEMA_COUNT; i++)
        if (strcmp(name, schemas[i].name) == 0)
            return &schemas[i];
    return NULL;
}

static int no_schema(const char *name)
{
    const char *names[SCHEMA_COUNT + 1] = { NULL };
    char near[200];

    for (size_t i = 0; i < SCHEMA_COUNT; i++)
        names[i] = schemas[i].name;
    cli_near(name, names, near, sizeof near);
    return near[0] ? cli_usage("schema", "there is no schema \"%s\"; near names: %s", name, near)
                   : cli_usage("schema",
                               "there is no schema \"%s\"; `pcounter schema` without a name lists "
                               "all",
                               name);
}

static void print_list(FILE *out)
{
    int width = 0;

    for (size_t i = 0; i < SCHEMA_COUNT; i++) {
        int n = (int)strlen(schemas[i].name);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < SCHEMA_COUNT; i++)
        fprintf(out, "%-*s  %s\n", width, schemas[i].name, schemas[i].printed_by);
}

/* name: NULL for the list. */
static int print(const char *name, const char *output)
{
    const struct schema *s = name ? find_schema(name) : NULL;
    struct cli_out out;

    if (name && !s)
        return no_schema(name);
    int code = cli_out_open(&out, output);
    if (code)
        return code;
    if (s)
        fwrite(schema_text + s->begin, 1, s->end - s->begin, out.file);
    else
        print_list(out.file);
    return cli_out_commit(&out);
}

static void offer_names(struct complete *c)
{
    for (size_t i = 0; i < SCHEMA_COUNT; i++)
        complete_offer(c, schemas[i].name, schemas[i].printed_by);
}

struct options {
    const char *output;
};
static const struct opt rows[] = {
    { .letter = 'o',
      .name = "output",
      OPT_FILE(struct options, output),
      .brief = "where to write",
      .flags = OPT_ONCE | OPT_LETTER },
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operand = { .first = offer_names,
                                            .most = 1,
                                            .extra = "one name at a time" };
static const struct opt_line line = { .name = "schema", .row = rows, .operand = &operand };

static int run(int argc, char **argv)
{
    struct options o = { .output = NULL };
    struct opt_said said;
    const int code = opt_read(&cli_verb_schema, &line, argc, argv, &o, &said);

    return code >= 0 ? code : print(said.operands > 0 ? said.operand[0] : NULL, o.output);
}

const struct cli_verb cli_verb_schema = {
    .name = "schema",
    .summary = "JSON Schemas of what the other verbs print",
    .run = run,
    .line = &line,
};
