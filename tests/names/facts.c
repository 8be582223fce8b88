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

    for (*out = 0; pc_chip_get_domain(chip, *out, &place); ++*out)
        if (place.set == set_of(set) && place.domain == strtoul(d, NULL, 10))
            return true;
    return false;
}

static void check_base(const struct pc_chip *chip, unsigned domain, unsigned position)
{
    struct pc_chip_domain place;
    struct pc_chip of_set;

    assert_true(pc_chip_get_domain(chip, domain, &place));
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

    for (unsigned d = 0; pc_chip_get_domain(pc_names_chip(n), d, &place); d++)
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

/* ---- the other tables ---- */

static FILE *open_facts(const char *name)
{
    char path[500];
    FILE *file;

    if (!test_shared(name, path, sizeof path))
        skip();
    file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* Verifies the table, and after it what the vendor's driver contradicts it with: D-87, bit 29 of
 * PM_UNK28 on GF100:GF119, where nouveau has bit 30. */
static void every_source(void **state)
{
    enum { TABLE, DEFINED, SOURCE, ADDRESS, MASK, SHIFT, WHOLE, ENABLE };
    char line[2000], *f[CSV_FIELDS];
    FILE *file = open_facts("facts/sources.csv");
    struct pc_source s;
    size_t i = 0;

    (void)state;
    assert_true(csv_row(file, line, sizeof line, f) > ENABLE);
    for (; csv_row(file, line, sizeof line, f); i++) {
        assert_true(pc_source_at(i, &s));
        assert_memory_equal(s.group, f[TABLE], strlen(s.group));
        assert_string_equal(f[TABLE] + strlen(s.group), "_sources");
        assert_string_equal(s.name, f[SOURCE]);
        assert_int_equal(s.address, strtoul(f[ADDRESS], NULL, 16));
        assert_int_equal(s.mask, strtoul(f[MASK], NULL, 16));
        assert_int_equal(s.mask << s.shift, strtoul(f[WHOLE], NULL, 16));
        assert_int_equal(s.enable, f[ENABLE][0] == '1');
        assert_true(s.chips[0] != '\0');
        bool disputed = strcmp(s.name, "pmfb0_pm_unk28.unk29") == 0;
        assert_int_equal(s.confidence, disputed ? PC_CONF_SUSPECT : PC_CONF_NOUVEAU);
    }
    assert_true(pc_source_at(i, &s));
    assert_string_equal(s.origin, "blob");
    assert_int_equal(s.confidence, PC_CONF_TRACE);
    assert_int_equal(s.mask << s.shift, 1 << 29);
    assert_false(pc_source_at(i + 1, &s));
    fclose(file);
}

static void every_filter_source(void **state)
{
    enum { F_CHIP, F_SET, F_DOMAIN, F_BIT, F_UNIT };
    char line[500], *f[CSV_FIELDS];
    FILE *file = open_facts("facts/filter_sources.csv");
    struct pc_filter_source s;
    size_t i = 0;

    (void)state;
    assert_true(csv_row(file, line, sizeof line, f) > F_UNIT);
    for (; csv_row(file, line, sizeof line, f); i++) {
        assert_true(pc_filter_source_at(i, &s));
        assert_string_equal(s.chip, f[F_CHIP]);
        assert_int_equal(s.set, set_of(f[F_SET]));
        assert_int_equal(s.domain, strtoul(f[F_DOMAIN], NULL, 10));
        assert_int_equal(s.bit, strtoul(f[F_BIT], NULL, 16));
        assert_memory_equal(s.unit, f[F_UNIT], strlen(s.unit));
        assert_int_equal(s.confidence == PC_CONF_DOC,
                         s.unit[0] != '\0' && !strstr(f[F_UNIT], "[?]"));
    }
    assert_false(pc_filter_source_at(i, &s));
    fclose(file);
}

/* Is this number of the row the one of the facts, or missing in both?  Some are no numbers. */
static bool same_number(const char *fact, uint32_t value, bool given)
{
    char *end;
    unsigned long number = strtoul(fact, &end, 16);

    return *fact == '\0' || *end != '\0' ? !given : given && number == value;
}

static bool same_metric(const struct pc_metric_row *m, char **f)
{
    enum { F_CHIP, F_NAME, F_SET, F_DOMAIN, F_MODE, F_SRC };

    if (!pc_names_chip_listed(m->chips, f[F_CHIP]) || strcmp(m->name, f[F_NAME]) != 0 ||
        m->set != set_of(f[F_SET]) || m->domain != strtoul(f[F_DOMAIN], NULL, 10) ||
        strcmp(m->ctr_mode, f[F_MODE]) != 0)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (!same_number(f[F_SRC + 2 * i], m->src[i], m->src_given >> i & 1) ||
            !same_number(f[F_SRC + 2 * i + 1], m->op[i], m->op_given >> i & 1))
            return false;
    return true;
}

static size_t words(const char *list)
{
    size_t count = list[0] != '\0';

    for (; *list; list++)
        count += *list == ' ';
    return count;
}

static void every_configuration(void **state)
{
    enum { F_CHIP, F_NAME, F_SET, F_DOMAIN, F_MODE, F_SRC };
    char line[1000], *f[CSV_FIELDS];
    FILE *file = open_facts("facts/metrics.csv");
    struct pc_metric_row m;
    size_t rows = 0, stored = 0;

    (void)state;
    assert_true(csv_row(file, line, sizeof line, f) > F_SRC);
    for (; csv_row(file, line, sizeof line, f); rows++) {
        size_t i = 0;
        while (pc_metric_row_at(i, &m) && !same_metric(&m, f))
            i++;
        if (!pc_metric_row_at(i, &m))
            fail_msg("%s %s of domain %s", f[F_CHIP], f[F_NAME], f[F_DOMAIN]);
    }
    for (size_t i = 0; pc_metric_row_at(i, &m); i++)
        stored += words(m.chips);
    assert_int_equal(rows, 671);
    assert_int_equal(stored, rows);
    fclose(file);
}

static void every_profiler_metric(void **state)
{
    enum { F_CHIP, F_NAME, F_PASSES, F_UNIT, F_EVENTS };
    char line[2000], *f[CSV_FIELDS];
    FILE *file = open_facts("facts/cupti_metrics.csv");
    struct pc_profiler_metric m;
    size_t rows = 0, stored = 0;

    (void)state;
    assert_true(csv_row(file, line, sizeof line, f) > F_EVENTS);
    for (; csv_row(file, line, sizeof line, f); rows++) {
        bool found = false;
        f[F_CHIP][0] = 'G';
        f[F_CHIP][1] = f[F_CHIP][1] == 'f' ? 'F' : 'K';
        for (size_t i = 0; !found && pc_profiler_metric_at(i, &m); i++)
            found = pc_names_chip_listed(m.chips, f[F_CHIP]) && strcmp(m.name, f[F_NAME]) == 0 &&
                    m.passes == strtoul(f[F_PASSES], NULL, 10) && strcmp(m.unit, f[F_UNIT]) == 0 &&
                    strcmp(m.events, f[F_EVENTS]) == 0;
        if (!found)
            fail_msg("%s %s", f[F_CHIP], f[F_NAME]);
    }
    for (size_t i = 0; pc_profiler_metric_at(i, &m); i++)
        stored += words(m.chips);
    assert_int_equal(stored, rows);
    fclose(file);
}

/* What a signal says of its mux leads to sources of its chip. */
static void muxes_lead_to_sources(void **state)
{
    struct pc_source source;
    struct pc_signal s;
    struct pc_error err;
    size_t behind = 0;

    (void)state;
    for (size_t c = 0; c < pc_chip_count(); c++) {
        struct pc_names *n;
        struct pc_chip_domain place;
        test_ok(pc_names_open(NULL, pc_chip_at(c), &n, &err), &err);
        for (unsigned d = 0; pc_chip_get_domain(pc_chip_at(c), d, &place); d++) {
            for (size_t i = 0; pc_names_at(n, d, i, &s); i++) {
                if (s.mux[0] == '\0')
                    continue;
                test_ok(pc_source_find(s.mux, &source, &err), &err);
                assert_string_equal(source.group, s.mux);
                assert_true(pc_names_chip_listed(source.chips, pc_chip_at(c)->name));
                behind++;
            }
        }
        pc_names_close(n);
    }
    assert_true(behind > 500);
    assert_int_equal(pc_source_find("g84_vfetc", &source, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "g84_vfetch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_facts), cmocka_unit_test(every_source),
        cmocka_unit_test(every_filter_source),    cmocka_unit_test(every_configuration),
        cmocka_unit_test(every_profiler_metric),  cmocka_unit_test(muxes_lead_to_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
