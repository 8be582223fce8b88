/* SPDX-License-Identifier: MIT */
/*
 * The JSON of `pcounter check` of a waveform against its description in pcounter-check(1): every
 * member is described, and all that is described is there; and what is said of their values.
 */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#define CORE "cv64a6_imafdc_sv39"

static struct wave_ran ran;

/* Paths like "registers.name". */
enum { MOST = 60 };
struct paths {
    char path[MOST][60];
    size_t count;
};

static void add(struct paths *p, const char *parent, const char *name)
{
    char path[60];

    snprintf(path, sizeof path, "%.25s%s%.25s", parent, parent[0] ? "." : "", name);
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->path[i], path) == 0)
            return;
    assert_true(p->count < MOST);
    snprintf(p->path[p->count++], sizeof path, "%s", path);
}

static bool has(const struct paths *p, const char *path)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->path[i], path) == 0)
            return true;
    return false;
}

/* ".It Cm edges , in_reset": the names; the last one is the parent of a list within. */
static void add_items(struct paths *p, const char *parent, const char *line, char last[60])
{
    char names[400];

    snprintf(names, sizeof names, "%s", line);
    for (char *at = names, *name; (name = strtok(at, " ,\n")) != NULL; at = NULL) {
        add(p, parent, name);
        snprintf(last, 60, "%.59s", name);
    }
}

/* What the manual describes under the schema. */
static void read_manual(struct paths *p)
{
    FILE *f = fopen(PC_SOURCE_DIR "/man/pcounter-check.1", "r");
    char line[400], parent[60] = "", last[60] = "";
    bool inside = false;
    int deep = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        inside = inside || strstr(line, "schema pcounter-check-wave-1");
        if (!inside)
            continue;
        if (strncmp(line, ".Sh ", 4) == 0)
            break;
        if (strncmp(line, ".Bl ", 4) == 0 && ++deep == 2)
            snprintf(parent, sizeof parent, "%s", last);
        else if (strncmp(line, ".El", 3) == 0 && --deep == 1)
            parent[0] = '\0';
        else if (strncmp(line, ".It Cm ", 7) == 0)
            add_items(p, parent, line + 7, last);
    }
    fclose(f);
    assert_int_equal(deep, 0);
}

static void add_members(struct paths *p, const char *parent, const json_t *object)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        add(p, parent, key);
        for (size_t i = 0; i < json_array_size(value); i++)
            add_members(p, key, json_array_get(value, i));
    }
}

/* Verifies that the two agree, over runs that have everything among them. */
static void every_member_is_described(void **state)
{
    const struct wave_plan plans[] = {
        { .clocks = 900, .reset = 5, .seed = 3 },
        { .clocks = 900, .reset = 5, .seed = 4, .defect = WAVE_UNKNOWN, .at = 500 },
        { .clocks = 900,
          .reset = 5,
          .seed = 4,
          .defect = WAVE_IGNORE_INHIBIT,
          .at = 100,
          .omit = { "generic_counter_q[1]" } },
    };
    struct paths manual = { .count = 0 }, seen = { .count = 0 };

    (void)state;
    read_manual(&manual);
    assert_true(manual.count > 20);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct wave_made m;
        wave_make(&plans[i], &m);
        wave_run(&ran, "check", "--core", CORE, "-k", "--format", "json", m.path, NULL);
        assert_int_equal(ran.code, 1);
        assert_string_equal(wave_text(ran.json, "$schema"), "pcounter-check-wave-1");
        add_members(&seen, "", ran.json);
        wave_done(&ran);
        wave_remove(&m);
    }
    for (size_t i = 0; i < seen.count; i++)
        if (!has(&manual, seen.path[i]))
            fail_msg("pcounter-check(1) does not describe %s", seen.path[i]);
    for (size_t i = 0; i < manual.count; i++)
        if (!has(&seen, manual.path[i]))
            fail_msg("pcounter-check(1) describes %s, which is not there", manual.path[i]);
}

/* Verifies what it says of values. */
static void values_are_as_described(void **state)
{
    const struct wave_plan sound = { .clocks = 300, .reset = 5, .seed = 5 };
    const struct wave_plan unknown = {
        .clocks = 900, .reset = 5, .seed = 4, .defect = WAVE_UNKNOWN, .at = 500
    };
    struct wave_made m;

    (void)state;
    wave_make(&sound, &m);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json", m.path, NULL);
    const json_t *regs = json_object_get(ran.json, "registers");
    assert_true(json_is_true(json_object_get(ran.json, "complete")));
    assert_int_equal(wave_number(ran.json, "edges"), 300);
    assert_int_equal(wave_number(ran.json, "in_reset"), 5);
    for (size_t i = 0; i < json_array_size(regs); i++) {
        const json_t *row = json_array_get(regs, i), *last = json_object_get(row, "last");
        if (strcmp(wave_text(row, "name"), "data_o") == 0)
            assert_null(last);
        else
            assert_true(json_is_string(last));
    }
    assert_int_equal(json_array_size(json_object_get(ran.json, "groups")), 0);
    assert_int_equal(json_array_size(json_object_get(ran.json, "shown")), 0);
    wave_done(&ran);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--quirk", "or_ports=off",
             "--quirk", "evict_ff=on", "-k", "--format", "json", m.path, NULL);
    assert_string_equal(wave_text(ran.json, "switched"), "-or_ports +evict_ff");
    wave_done(&ran);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--quirk", "or_ports=off",
             "--quirk", "evict_ff=on", "-k", "--format", "csv", m.path, NULL);
    assert_non_null(strstr(ran.out, ",like,switched,not_compared,as_if\r\n"));
    assert_non_null(strstr(ran.out, ",-or_ports +evict_ff,,\r\n"));
    assert_non_null(strstr(ran.out, ",0,,,,,,,-or_ports +evict_ff,,\r\n"));
    wave_done(&ran);
    wave_remove(&m);

    wave_make(&unknown, &m);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json", m.path, NULL);
    assert_true(json_is_false(json_object_get(ran.json, "complete")));
    assert_int_equal(wave_number(ran.json, "differences"), 1);
    const json_t *diff = json_array_get(json_object_get(ran.json, "shown"), 0);
    assert_true(json_is_null(json_object_get(diff, "design")));
    assert_memory_equal(wave_text(diff, "model"), "0x", 2);
    assert_null(json_object_get(diff, "like"));
    assert_int_equal(wave_number(diff, "time"), 10 * wave_number(diff, "edge") + 5);
    const json_t *group = json_array_get(json_object_get(ran.json, "groups"), 0);
    assert_int_equal(wave_number(group, "first_edge"), wave_number(diff, "edge"));
    assert_string_equal(wave_text(group, "clause"), wave_text(diff, "clause"));
    assert_true(json_is_string(json_object_get(group, "like")));
    wave_done(&ran);
    wave_remove(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_described),
        cmocka_unit_test(values_are_as_described),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
