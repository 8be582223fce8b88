/* SPDX-License-Identifier: MIT */
/* Rows of options, of all verbs: what a table has to be, so that parser, help and completion agree.
 */
#include "opt/opt_table.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define G(title)
#define V(name) &cli_verb_##name,
static const struct cli_verb *const verbs[] = {
#include "verbs.def"
};
#undef V
#undef G

enum { VERBS = sizeof verbs / sizeof verbs[0] };

enum { LONGEST = 60 };

/* A help line is short; a list of the words that a value can be is as long as it has to be. */
static void check_brief(const struct opt *row, const char *brief)
{
    assert_int_not_equal(brief[0], '\0');
    assert_int_not_equal(brief[strlen(brief) - 1], '.'); /* a phrase, not a sentence */
    if ((row->brief || row->kind->brief) && strlen(brief) > LONGEST)
        fail_msg("--%s: over %d characters, move what is more to .more: %s", row->name, LONGEST,
                 brief);
}

static void check_row(const struct opt *row, const struct opt *before)
{
    char brief[1000];
    size_t words = 0;

    assert_non_null(row->kind);
    opt_brief(row, brief, sizeof brief);
    check_brief(row, brief);
    opt_more(row, brief, sizeof brief);
    assert_true(brief[0] == '\0' || brief[strlen(brief) - 1] != '.');
    for (; before < row; before++) {
        assert_string_not_equal(before->name, row->name);
        assert_true(row->letter == 0 || row->letter != before->letter);
    }
    if (row->flags & OPT_LETTER)
        assert_int_not_equal(row->letter, 0);
    if (row->flags & OPT_NEXT)
        assert_true(row->flags & OPT_MAYBE);
    if (row->flags & (OPT_ONCE | OPT_MAYBE))
        assert_non_null(opt_value(row));
    while (row->kind->word && row->kind->word(row, words) && words < 100)
        words++;
    assert_true(!row->kind->word || (words > 1 && words < 100));
}

/* Every screen fits into 80 columns, and has each option at the begin of a line. */
static void check_help(const struct cli_verb *verb, const struct opt_line *line)
{
    char *text = NULL, head[100];
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    assert_non_null(file);
    opt_print_help(file, verb, line, true);
    assert_int_equal(fclose(file), 0);
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1)
        if (strcspn(p, "\n") > 80)
            fail_msg("%s: %.*s", line->name, (int)strcspn(p, "\n"), p);
    for (const struct opt *row = line->row; row->name; row++) {
        opt_head(row, head, sizeof head);
        assert_non_null(strstr(text, head));
    }
    assert_memory_equal(text, "usage: pcounter ", 16);
    free(text);
}

static void check_line(const struct cli_verb *verb, const struct opt_line *line)
{
    const struct opt_table table = opt_table(line->row);
    size_t rows = 0;

    assert_memory_equal(line->name, verb->name, strlen(verb->name));
    assert_non_null(opt_help_text(line->help ? line->help : verb->name));
    for (; line->row[rows].name; rows++)
        check_row(&line->row[rows], line->row);
    assert_in_range(rows, 3, OPT_ROWS);
    assert_null(table.longs[rows].name);
    for (size_t i = 0; i < rows; i++)
        assert_ptr_equal(opt_row_of(line->row, table.longs[i].val), &line->row[i]);
    const struct opt_operand *o = line->operand;
    if (o && o->least > 0)
        assert_non_null(o->missing);
    if (o && o->most > 0)
        assert_non_null(o->extra);
    check_help(verb, line);
}

static void rows_are_right(void **state)
{
    size_t lines = 0;

    (void)state;
    for (size_t i = 0; i < VERBS; i++) {
        const struct opt_line *const line[] = { verbs[i]->line, verbs[i]->other };
        for (size_t n = 0; n < 2; n++)
            if (line[n]) {
                check_line(verbs[i], line[n]);
                lines++;
            }
    }
    assert_in_range(lines, 1, 2 * VERBS);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rows_are_right) };

    return cmocka_run_group_tests_name("cli_rows", tests, NULL, NULL);
}
