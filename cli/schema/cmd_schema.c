/* SPDX-License-Identifier: MIT */
/* pcounter schema: what the JSON of the other verbs looks like, as JSON Schemas (docs/adr/041). */
#include "text/regs_text.h"

#include <getopt.h>
#include <string.h>

struct schema {
    const char *name;
    const char *printed_by; /* its title */
    size_t begin, end;      /* in schema_text */
};

/* Made by the build, of data/schema. */
#include "schemas.inc"

#define SCHEMA_COUNT (sizeof schemas / sizeof schemas[0])

static const char *schema_name(size_t i)
{
    return i < SCHEMA_COUNT ? schemas[i].name : NULL;
}

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

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    const char *output = NULL;
    int c;

    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":o:qh", options)) != -1) {
        const int code = cli_common_option(&cli_verb_schema, c, argv, options, &output);
        if (code >= 0)
            return code;
    }
    if (argc - optind > 1)
        return cli_usage("schema", "one name at a time");
    return print(argv[optind], output);
}

const struct cli_verb cli_verb_schema = {
    .name = "schema",
    .summary = "JSON Schemas of what the other verbs print",
    .run = run,
    .word = schema_name,
    .brief = "usage: pcounter schema [OPTION]... [NAME]\n"
             "\n"
             "  pcounter schema                    names, and what prints such a JSON\n"
             "  pcounter schema pcounter-stat-1    one of them\n"
             "\n"
             "  -o, --output FILE - or none: standard output\n"
             "  -q, --quiet       no notes\n"
             "  -h, --help        this screen; everything\n",
    .full =
        "NAME is what a JSON of this program says as its \"$schema\". The schemas are of the\n"
        "draft 2020-12 and strict: a member that they do not name is an error, and so is one\n"
        "that is missing. Each member has a line that says what it is, and in which unit. The\n"
        "number at the end of a name goes up when a reader of the old one could go wrong; a\n"
        "member that comes in addition is no such change.\n"
        "\n"
        "Of several files some verbs print an array: each of its elements says its own schema.\n"
        "Names with -lines- are of --format jsonl: one schema is of every line of it.\n"
        "\n"
        "Exit codes: 0 ok, 2 no such schema.\n",
};
