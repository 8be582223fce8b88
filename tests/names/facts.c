/* SPDX-License-Identifier: MIT */
/*
 * Every row of the collected facts is in the tables of the project, with its name, position and
 * confidence, and the tables have nothing else.
 */
#include "csv.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { CHIP, LAYOUT, SET, DOMAIN, POSITION, NAME, DESCRIPTION, CONFIDENCE, NOUVEAU, FIELDS = 10 };

static enum pc_set set_of(const char *name)
{
    return strcmp(name, "hub") == 0    ? PC_SET_HUB
           : strcmp(name, "gpc") == 0  ? PC_SET_GPC
           : strcmp(name, "part") == 0 ? PC_SET_PART
                                       : PC_SET_ALL;
}

/* The first domain of the device that is domain d of the set; false if the chip has none. */
static bool find_domain(const struct pc_chip *chip, const char *set, const char *d, unsigned *out)
{
    struct pc_chip_domain place;

    for (*out = 0; pc_chip_domain(chip, *out, &place); ++*out)
        if (place.set == set_of(set) && place.domain == strtoul(d, NULL, 10))
            return true;
    return false;
}

static void check_base(const struct pc_chip *chip, unsigned domain, unsigned position)
{
    struct pc_chip_domain place;
    struct pc_chip of_set;

    assert_true(pc_chip_domain(chip, domain, &place));
    test_ok(pc_chip_of_set(chip, place.set, &of_set, NULL), NULL);
    assert_int_equal(of_set.domain[place.domain].trailer_base, position);
    assert_false(of_set.domain[place.domain].assumed);
}

/* "pcopy[1]..unk07" has a word that is missing */
static void close_gap(char *name)
{
    char *gap = strstr(name, "..");

    if (gap)
        memmove(gap, gap + 1, strlen(gap));
}

static void check_row(const struct pc_names *n, unsigned domain, char **f)
{
    unsigned position = (unsigned)strtoul(f[POSITION], NULL, 16);
    struct pc_signal s;
    struct pc_error err;

    close_gap(f[NAME]);
    test_ok(pc_names_find(n, domain, f[NAME], &s, &err), &err);
    assert_int_equal(s.position, position);
    if (f[NOUVEAU][0]) {
        test_ok(pc_names_find(n, domain, f[NOUVEAU], &s, &err), &err);
        assert_int_equal(s.position, position);
    }
    if (s.kind == PC_SIG_RAW) {
        assert_string_equal(s.name, f[NAME]);
        assert_string_equal(pc_confidence_name(s.confidence), f[CONFIDENCE]);
        assert_int_equal(strstr(s.origin, "nouveau") != NULL, f[NOUVEAU][0] != '\0');
    }
    assert_true(pc_names_position(n, domain, position, &s));
    assert_int_equal(s.position, position);
}

struct tally {
    size_t rows, bases, driven, placeless;
};

static void count_row(struct tally *t, const struct pc_names *n, char **f)
{
    const struct pc_chip *chip = pc_names_chip(n);
    struct pc_signal s;
    unsigned domain, position = (unsigned)strtoul(f[POSITION], NULL, 16);

    t->rows++;
    if (!find_domain(chip, f[SET], f[DOMAIN], &domain)) {
        /* GK20A has fewer domains than the tables of GK104; sets of GM206 are not known */
        assert_true(strcmp(chip->name, "GK20A") == 0 || strcmp(chip->name, "GM206") == 0);
        t->placeless++;
    } else if (strcmp(f[NAME], "trailer_base") == 0) {
        check_base(chip, domain, position);
        t->bases++;
    } else {
        check_row(n, domain, f);
        assert_true(pc_names_position(n, domain, position, &s));
        t->driven += s.kind != PC_SIG_RAW;
    }
}

/* Signals of the tables, of one unit of a kind, that the card drives and the facts list. */
static size_t listed(const struct pc_names *n)
{
    struct pc_chip_domain place;
    struct pc_signal s;
    size_t count = 0;

    for (unsigned d = 0; pc_chip_domain(pc_names_chip(n), d, &place); d++)
        for (size_t i = 0; place.unit == 0 && pc_names_at(n, d, i, &s); i++)
            count += s.kind == PC_SIG_RAW && strncmp(s.name, "main.", 5) != 0 &&
                     strcmp(s.name, "pgraph.ctxctl.unk86c_4") != 0; /* these are in trailers.csv */
    return count;
}

static void every_row_of_the_facts(void **state)
{
    char path[500], line[1000], *field[CSV_FIELDS];
    struct tally t = { 0 };
    size_t fields, signals = 0;
    struct pc_names *n = NULL;
    struct pc_error err;

    (void)state;
    if (!test_shared("facts/signals.csv", path, sizeof path))
        skip();
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(csv_row(file, line, sizeof line, field), FIELDS);
    while ((fields = csv_row(file, line, sizeof line, field)) != 0) {
        assert_int_equal(fields, FIELDS);
        if (!n || strcmp(pc_names_chip(n)->name, field[CHIP]) != 0) {
            signals += n ? listed(n) : 0;
            pc_names_close(n);
            test_ok(pc_names_open(NULL, pc_chip_find(field[CHIP]), &n, &err), &err);
        }
        count_row(&t, n, field);
    }
    fclose(file);
    signals += listed(n);
    pc_names_close(n);
    assert_int_equal(t.rows, 4358);
    assert_int_equal(signals, t.rows - t.bases - t.driven - t.placeless);
    print_message(
        "%zu rows: %zu signals, %zu driven by the unit, %zu bases, %zu without a domain\n", t.rows,
        signals, t.driven, t.bases, t.placeless);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_row_of_the_facts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
