/* SPDX-License-Identifier: MIT */
/* The words of a call, by getopt_long(), into the struct of the verb. */
#include "opt/opt.h"

#include "opt/opt_table.h"

#include <stdlib.h>
#include <string.h>

static int has_value(const struct opt *row)
{
    return !row->kind->value        ? no_argument
           : row->flags & OPT_MAYBE ? optional_argument
                                    : required_argument;
}

struct opt_table opt_table(const struct opt *rows)
{
    struct opt_table out = { .letters = "" };
    char *letter = out.letters;
    size_t n = 0;

    *letter++ = ':'; /* a missing value is told apart */
    for (; n < OPT_ROWS && rows[n].name; n++) {
        const bool by_letter = rows[n].letter && rows[n].kind != &opt_help; /* -h is not --help */
        out.longs[n] = (struct option){ rows[n].name, has_value(&rows[n]), NULL,
                                        by_letter ? rows[n].letter : OPT_FIRST + (int)n };
        if (!rows[n].letter)
            continue;
        *letter++ = rows[n].letter;
        if (has_value(&rows[n]) != no_argument)
            *letter++ = ':';
        if (has_value(&rows[n]) == optional_argument)
            *letter++ = ':';
    }
    return out;
}

const struct opt *opt_row_of(const struct opt *rows, int c)
{
    if (c >= OPT_FIRST)
        return &rows[c - OPT_FIRST];
    for (; rows->name; rows++)
        if (rows->letter && rows->letter == c)
            return rows;
    return NULL;
}

const char *opt_called(const struct opt *row)
{
    static _Thread_local char ring[4][64];
    static _Thread_local unsigned next;
    char *out = ring[next++ % 4];

    if (row->flags & OPT_LETTER)
        snprintf(out, sizeof ring[0], "-%c", row->letter);
    else
        snprintf(out, sizeof ring[0], "--%s", row->name);
    return out;
}

/* --- the line of a verb --- */

/* "--core x", "--core=x"; after a "--" there are arguments only. */
static bool has_option(const char *option, int argc, char *const *argv)
{
    const size_t n = strlen(option);

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], option, n) == 0 && (argv[i][n] == '\0' || argv[i][n] == '='))
            return true;
    return false;
}

const struct opt_line *opt_line_of(const struct cli_verb *verb, int argc, char *const *argv)
{
    return verb->other && has_option(verb->other->form, argc, argv) ? verb->other : verb->line;
}

/* --- values --- */

static void *field_of(const struct opt *row, void *values)
{
    return (char *)values + row->field;
}

/* Returns the value for an option that may be given without one. */
static const char *next_word(const struct opt *row, int argc, char *const *argv)
{
    if (optarg || !(row->flags & OPT_NEXT) || optind >= argc)
        return optarg;
    return argv[optind][0] == '-' && argv[optind][1] != '\0' ? NULL : argv[optind];
}

static int take(const char *verb, const struct opt *row, const char *text, void *values, bool again)
{
    const char **slot = field_of(row, values);

    if (row->flags & OPT_ONCE && again && cli_take_once(verb, opt_called(row), text, slot))
        return CLI_INPUT;
    return row->kind->take(verb, row, text, slot);
}

static int end_rows(const struct opt_said *said, void *values)
{
    const struct opt *rows = said->line->row;

    for (size_t i = 0; rows[i].name; i++) {
        const bool given = said->given >> i & 1;
        if (rows[i].kind->end &&
            rows[i].kind->end(said->line->name, &rows[i], given, field_of(&rows[i], values)))
            return CLI_INPUT;
    }
    return CLI_OK;
}

/* The option that makes the form wants a value, and "--core -h" has -h in its place. */
static bool asks_for_help(const struct opt_line *line, const struct opt *row)
{
    return optarg && line->form && strcmp(line->form + 2, row->name) == 0 &&
           (strcmp(optarg, "-h") == 0 || strcmp(optarg, "--help") == 0);
}

int opt_read(const struct cli_verb *verb, const struct opt_line *line, int argc, char **argv,
             void *values, struct opt_said *said)
{
    const struct opt_table table = opt_table(line->row);
    int c;

    *said = (struct opt_said){ .line = line };
    opterr = 0;
    optind = 0; /* from the beginning: a call can be read again */
    while ((c = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        const struct opt *row = c == ':' ? NULL : opt_row_of(line->row, c);
        if (!row)
            return opt_refuse(verb, line, c, argv, table.longs);
        if (row->kind == &opt_help || asks_for_help(line, row)) {
            const bool full = row->kind == &opt_help ? c >= OPT_FIRST : optarg[1] == '-';
            opt_print_help(cli_stdout(), verb, line, full);
            return CLI_OK;
        }
        const uint64_t bit = UINT64_C(1) << (row - line->row);
        const int code =
            take(line->name, row, next_word(row, argc, argv), values, (said->given & bit) != 0);
        if (code)
            return code;
        said->given |= bit;
    }
    said->operand = argv + optind;
    said->operands = (size_t)(argc - optind);
    return end_rows(said, values) ? CLI_INPUT : opt_check_operands(said) ? CLI_INPUT : -1;
}

/* --- what was said --- */

bool opt_given(const struct opt_said *said, const char *name)
{
    for (size_t i = 0; said->line->row[i].name; i++)
        if (strcmp(said->line->row[i].name, name) == 0)
            return said->given >> i & 1;
    return false;
}

const char *opt_marked(const struct opt_said *said, unsigned flags)
{
    for (size_t i = 0; said->line->row[i].name; i++)
        if (said->given >> i & 1 && said->line->row[i].flags & flags)
            return opt_called(&said->line->row[i]);
    return NULL;
}

int opt_check_operands(const struct opt_said *said)
{
    const struct opt_operand *o = said->line->operand;

    if (o && said->operands < o->least)
        return cli_usage(said->line->name, "%s", o->missing);
    if (!o || o->most == 0 || said->operands <= o->most)
        return CLI_OK;
    const char *place = strstr(o->extra, "%s");
    if (!place)
        return cli_usage(said->line->name, "%s", o->extra);
    return cli_usage(said->line->name, "%.*s%s%s", (int)(place - o->extra), o->extra,
                     said->operand[o->most], place + 2);
}
