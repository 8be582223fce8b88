/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

#define SOURCE_MAX 65536
#define ROWS_MAX   32

struct row {
    bool c[MCDC_CONDITIONS];
    char outcome;
};

/* Reads a source without its comments and preprocessor lines, each run of blanks as one. */
static void read_source(const char *file, char *out, size_t size)
{
    char path[512];
    int c, before = '\n';
    size_t n = 0;
    bool comment = false, directive = false;

    snprintf(path, sizeof path, "%s/%s", PC_SOURCE_DIR, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while ((c = getc(f)) != EOF) {
        if (!comment && before == '/' && c == '*') {
            comment = true;
            n -= n > 0;
        } else if (comment) {
            comment = !(before == '*' && c == '/');
        } else {
            directive = directive ? c != '\n' || before == '\\' : before == '\n' && c == '#';
            if (!directive && !(isspace(c) && (n == 0 || out[n - 1] == ' ')) && n + 1 < size)
                out[n++] = isspace(c) ? ' ' : (char)c;
        }
        before = c;
    }
    out[n] = '\0';
    fclose(f);
}

/* Splits the rows of a decision; returns how many. */
static size_t rows_of(const struct mcdc_decision *d, size_t conditions, struct row *rows)
{
    size_t n = 0;

    for (const char *at = d->rows; *at; n++) {
        assert_true(n < ROWS_MAX && strlen(at) >= conditions + 2 && at[conditions] == '=');
        for (size_t i = 0; i < conditions; i++) {
            assert_true(at[i] == '0' || at[i] == '1');
            rows[n].c[i] = at[i] == '1';
        }
        rows[n].outcome = at[conditions + 1];
        at += conditions + 2;
        at += *at == ' ';
    }
    return n;
}

static bool is_pair(const struct row *a, const struct row *b, size_t conditions, size_t i)
{
    for (size_t j = 0; j < conditions; j++)
        if ((a->c[j] != b->c[j]) != (j == i))
            return false;
    return a->outcome != b->outcome;
}

static void print_row(const struct row *row, size_t conditions)
{
    for (size_t i = 0; i < conditions; i++)
        putchar(row->c[i] ? '1' : '0');
    printf("=%c", row->outcome);
}

/* Prints the pair of condition i; fails without one. */
static void show_pair(const struct mcdc_decision *d, const struct row *rows, size_t n,
                      size_t conditions, size_t i)
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            if (is_pair(&rows[a], &rows[b], conditions, i)) {
                if (d->conditions[i][0] == '!')
                    fail_msg("%s: \"%s\" has a pair", d->text, d->conditions[i]);
                printf("    %-28s ", d->conditions[i]);
                print_row(&rows[a], conditions);
                putchar(' ');
                print_row(&rows[b], conditions);
                putchar('\n');
                return;
            }
    if (d->conditions[i][0] == '!')
        printf("    no pair of %s\n", d->conditions[i] + 1);
    else
        fail_msg("%s: no pair of rows shows that \"%s\" decides", d->text, d->conditions[i]);
}

/* Asks the rule for each row, shows the pairs, and blanks the decision in the source. */
static void check_decision(const struct mcdc_table *table, const struct mcdc_decision *d,
                           char *source)
{
    struct row rows[ROWS_MAX];
    size_t conditions = 0;

    while (conditions < MCDC_CONDITIONS && d->conditions[conditions])
        conditions++;
    size_t n = rows_of(d, conditions, rows);
    printf("%s: %s\n", table->file, d->text);
    for (size_t r = 0; r < n; r++) {
        char got = d->rule(rows[r].c);
        if (got != rows[r].outcome)
            fail_msg("%s: row %zu of \"%s\" gives %c", d->text, r, d->rows, got);
    }
    for (size_t i = 0; i < conditions; i++)
        show_pair(d, rows, n, conditions, i);
    char *at = strstr(source, d->text);
    if (!at)
        fail_msg("%s has no \"%s\"", table->file, d->text);
    memset(at, '.', strlen(d->text));
}

void mcdc_check(const struct mcdc_table *table)
{
    static const char *const decides[] = { "if (", " ? ", "&&", "||", "while (", "switch (" };
    char *source = malloc(SOURCE_MAX);

    assert_non_null(source);
    read_source(table->file, source, SOURCE_MAX);
    for (size_t i = 0; i < table->count; i++)
        check_decision(table, &table->decisions[i], source);
    for (size_t i = 0; i < sizeof decides / sizeof decides[0]; i++) {
        const char *at = strstr(source, decides[i]);
        if (at)
            fail_msg("%s: the table does not have the decision \"%.60s\"", table->file, at);
    }
    free(source);
}
