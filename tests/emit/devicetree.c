/* SPDX-License-Identifier: MIT */
/* Verifies that our PMU nodes are without hazard, and that each hazard is found by its name. */
#include "test.h"

#include "../../cli/check/devicetree.h"

#include <stdlib.h>
#include <string.h>

static struct emit_request request(const char *core)
{
    struct emit_request r = { .config = pc_hpm_config_find(core) };

    assert_non_null(r.config);
    test_ok(pc_hpm_profile_find("rtl", &r.profile, NULL), NULL);
    return r;
}

/* "overlap@5 (no-counters)", in the order found; notes in parentheses */
struct names {
    char text[4000];
};
static void collect(void *ctx, const struct dt_hazard *h)
{
    struct names *names = ctx;
    const size_t used = strlen(names->text);

    assert_true(strlen(h->text) > 5 && strlen(h->why) > 5);
    snprintf(names->text + used, sizeof names->text - used, h->note ? "%s(%s)" : "%s%s",
             used ? " " : "", h->name);
}

static struct dt_pmu pmu;

static struct names hazards(const char *source, const struct emit_request *r)
{
    struct names names = { "" };
    const struct dt_report report = { collect, &names };
    struct pc_error err;

    test_ok(dts_read(source, strlen(source), &pmu, &err), &err);
    dt_check(&pmu, r, &report);
    return names;
}

static char *emitted(const struct emit_request *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    assert_non_null(file);
    emit_devicetree(r, file);
    fclose(file);
    return text;
}

static void every_presets_node_is_without_hazard(void **state)
{
    (void)state;
    for (size_t i = 0; pc_hpm_config_at(i); i++)
        for (int counter3 = 0; counter3 < 2; counter3++) {
            struct emit_request r = request(pc_hpm_config_at(i)->name);
            r.counter3 = counter3;
            char *text = emitted(&r);
            assert_string_equal(hazards(text, &r).text,
                                r.config->perf_counter_en ? "" : "(no-mcountinhibit)");
            free(text);
        }
}

static void assert_cells(enum dt_property property, const uint32_t *cell, size_t count)
{
    assert_int_equal(pmu.property[property].count, count);
    assert_memory_equal(pmu.property[property].cell, cell, count * sizeof cell[0]);
}

static void the_default_core_has_the_proposed_rows(void **state)
{
    static const uint32_t selectors[] = {
        0x00003, 0, 0x11, 0x00004, 0, 0x02, 0x00005, 0, 0x09, 0x00006, 0, 0x0a, 0x00008, 0, 0x0f,
        0x00009, 0, 0x16, 0x10000, 0, 0x05, 0x10001, 0, 0x02, 0x10002, 0, 0x06, 0x10008, 0, 0x10,
        0x10009, 0, 0x01, 0x10019, 0, 0x04, 0x10021, 0, 0x03,
    };
    static const uint32_t counters[] = {
        0x00001, 0x00001, 0x001,   0x00002, 0x00002, 0x004,   0x00003, 0x00006,
        0x1f8,   0x00008, 0x00009, 0x1f8,   0x10000, 0x10002, 0x1f8,   0x10008,
        0x10009, 0x1f8,   0x10019, 0x10019, 0x1f8,   0x10021, 0x10021, 0x1f8,
    };
    static const uint32_t raw[] = {
        0, 0x00, 0xffffffff, 0xfffffff0, 0x1f8, 0, 0x10, 0xffffffff, 0xfffffffc, 0x1f8,
        0, 0x14, 0xffffffff, 0xfffffffe, 0x1f8, 0, 0x16, 0xffffffff, 0xffffffff, 0x1f8,
    };
    const struct emit_request r = request("cv64a6_imafdc_sv39");
    char *text = emitted(&r);

    (void)state;
    hazards(text, &r);
    free(text);
    assert_cells(DT_SELECTORS, selectors, sizeof selectors / sizeof selectors[0]);
    assert_cells(DT_COUNTERS, counters, sizeof counters / sizeof counters[0]);
    assert_cells(DT_RAW, raw, sizeof raw / sizeof raw[0]);
}

static void rv32_avoids_counter_3_unless_told(void **state)
{
    struct emit_request r = request("cv32a6_imac_sv32");

    (void)state;
    assert_int_equal(emit_hpm_bitmap(&r), 0x1f0);
    r.counter3 = true;
    assert_int_equal(emit_hpm_bitmap(&r), 0x1f8);
}

/* HPM.SHADOW.1: in the documents hpmcounter3h is the high half. */
static void by_the_documents_rv32_has_counter_3(void **state)
{
    struct emit_request r = request("cv32a6_imac_sv32");

    (void)state;
    assert_int_equal(pc_hpm_profile_find("spec", &r.profile, NULL), PC_OK);
    assert_int_equal(emit_hpm_bitmap(&r), 0x1f8);
    char *text = emitted(&r);
    assert_null(strstr(text, "left out"));
    assert_string_equal(hazards(text, &r).text, "");
    free(text);
}

static void cores_get_only_what_they_count(void **state)
{
    struct emit_request r = request("cv32a65x");
    char *text = emitted(&r);

    (void)state;
    hazards(text, &r);
    free(text);
    assert_false(pmu.property[DT_SELECTORS].present);
    assert_int_equal(pmu.property[DT_COUNTERS].count, 6);
    assert_false(pmu.property[DT_RAW].present);

    r = request("cv64a6_imafdc_sv39_wb"); /* its event 2 is no read miss */
    text = emitted(&r);
    assert_null(strstr(text, "0x10001"));
    free(text);
}

#define EVENT(rows)    "riscv,event-to-mhpmevent = " rows ";"
#define COUNTERS(rows) "riscv,event-to-mhpmcounters = " rows ";"
#define RAW(rows)      "riscv,raw-event-to-mhpmcounters = " rows ";"
#define NODE(body)     "/ { pmu { compatible = \"riscv,pmu\"; " body " }; };"

static const struct {
    const char *source, *names;
    const char *core; /* NULL: cv64a6_imafdc_sv39 */
} cases[] = {
    { NODE(""), "maps-nothing", NULL },
    { NODE(""), "(no-mcountinhibit) maps-nothing", "cv32a60x" },
    { NODE("pmu,raw-event-to-mhpmcounters = <0 1 2 3 4>; pmu,event-to-mhpmevent = <5 0 9>;"),
      "old-prefix old-prefix maps-nothing", NULL },
    { "/ { pmu { pmu,event-to-mhpmcounters = <1 1 1>; }; };",
      "not-compatible old-prefix maps-nothing", NULL },
    { NODE("riscv,event-to-mhpmevents = <3 0 0x11>;" COUNTERS("<1 1 1>")), "unknown-property",
      NULL },
    { NODE("riscv,event-to-mhpmcounter; Riscv,raw-event-to-mhpmcounters;"),
      "unknown-property unknown-property maps-nothing", NULL },
    { NODE("phandle = <1>; status = \"okay\"; interrupts-extended = <&cpu0 13>;" COUNTERS(
          "<1 1 1>")),
      "", NULL },
    { NODE("reg = <0 1>;" COUNTERS("<1 1 1>")), "unknown-property", NULL },
    /* branches and branch misses exchanged; three in a ring; both by one selector */
    { NODE(EVENT("<5 0 10>, <6 0 9>") COUNTERS("<5 6 0x1f8>")), "exchanged-events exchanged-events",
      NULL },
    { NODE(EVENT("<3 0 2>, <5 0 17>, <0x10000 0 9>, <0x10001 0 5>")
               COUNTERS("<3 3 8>, <5 5 8>, <0x10000 0x10001 8>")),
      "exchanged-events exchanged-events exchanged-events exchanged-events", NULL },
    { NODE(EVENT("<5 0 9>, <6 0 9>") COUNTERS("<5 6 0x1f8>")), "(other-meaning)", NULL },
    { NODE(COUNTERS("<5 5 0x1f8>")), "unmapped-event", NULL },
    { NODE(COUNTERS("<0x10009 0x10009 0x1f8>")), "unmapped-event", NULL },
    { NODE(EVENT("<4 0 2>") COUNTERS("<3 5 0x1f8>")), "unmapped-event unmapped-event", NULL },
    { NODE(EVENT("<3 0 17>, <4 0 2>") COUNTERS("<3 4 0x1f8>, <4 4 0x1f8>")), "overlap", NULL },
    { NODE(EVENT("<3 0 17>") COUNTERS("<3 3 0x1f9>")), "fixed-counter", NULL },
    { NODE(COUNTERS("<1 1 1>, <2 2 4>")), "", NULL },
    { NODE(COUNTERS("<1 2 5>")), "", NULL },
    { NODE(COUNTERS("<1 1 4>")), "fixed-counter", NULL },
    { NODE(COUNTERS("<2 2 2>")), "fixed-counter", NULL },
    { NODE(COUNTERS("<1 1 0x1f9>")), "fixed-event", NULL },
    { NODE(EVENT("<1 0 5>") COUNTERS("<1 1 1>")), "fixed-event", NULL },
    { NODE(EVENT("<3 0 17>") COUNTERS("<3 3 0x3f8>")), "no-such-counter", NULL },
    { NODE(EVENT("<3 0 17>") COUNTERS("<3 3 0>")), "empty-bitmap", NULL },
    { NODE(EVENT("<3 0 17>") COUNTERS("<3 3 0x1f8>")), "counter3", "cv32a6_imac_sv32" },
    { NODE(EVENT("<3 0 17>") COUNTERS("<3 3 0x1f0>")), "", "cv32a6_imac_sv32" },
    { NODE(EVENT("<3 0 17>") COUNTERS("<3 3 0x1f8>")),
      "(no-mcountinhibit) never-counts no-such-counter", "cv32a60x" },
    { NODE(EVENT("<3 0 23>") COUNTERS("<3 3 0x1f8>")), "reserved-selector", NULL },
    { NODE(EVENT("<3 0 31>") COUNTERS("<3 3 0x1f8>")), "reserved-selector", NULL },
    { NODE(EVENT("<3 0 0x31>") COUNTERS("<3 3 0x1f8>")), "selector", NULL },
    { NODE(EVENT("<3 1 17>") COUNTERS("<3 3 0x1f8>")), "selector", NULL },
    { NODE(EVENT("<3 0 0>") COUNTERS("<3 3 0x1f8>")), "selector", NULL },
    { NODE(EVENT("<3 0 11>") COUNTERS("<3 3 0x1f8>")), "never-counts (other-meaning)", NULL },
    { NODE(EVENT("<3 0 16>") COUNTERS("<3 3 0x1f8>")), "(other-meaning)", NULL },
    { NODE(EVENT("<3 0 17>")), "no-counters", NULL },
    { NODE(EVENT("<3 0 17>") COUNTERS("<1 1 1>")), "(no-counters)", NULL },
    { NODE(EVENT("<3 0 17>, <3 0 17>") COUNTERS("<3 3 0x1f8>")), "duplicate-event", NULL },
    { NODE(EVENT("<0x20001 0 1>") COUNTERS("<0x20001 0x20001 0x1f8>")), "raw-event raw-event",
      NULL },
    { NODE(COUNTERS("<0xf0000 0xf0001 0x1f8>")), "firmware-event", NULL },
    { NODE(COUNTERS("<0 0 0x1f8>")), "no-such-event", NULL },
    { NODE(COUNTERS("<5 3 0x1f8>")), "empty-range", NULL },
    { NODE(COUNTERS("<1 1>")), "ragged-rows", NULL },
    { NODE(EVENT("<3 0 17>, <4 0>") COUNTERS("<3 3 0x1f8>")), "ragged-rows", NULL },
    { NODE(RAW("<0 5 0xffffffff 0xffffffff 0x1f8>")), "", NULL },
    { NODE(RAW("<0 5 0xffff 0xffffffff 0x1f8>")), "", NULL },
    { NODE(RAW("<0 5 ~0 0xffffffff 0x1f8>")), "E1311", NULL },
    { NODE(RAW("<0 5 0xffffffff 0xffffffff 8>, <0 5 0xffffffff 0xffffffff 16>")), "raw-clash",
      NULL },
    { NODE(RAW("<0 4 0xffffffff 0xfffffffc 8>, <0 5 0xffffffff 0xffffffff 16>")), "(raw-overlap)",
      NULL },
    { NODE(RAW("<0 0x18 0xffffffff 0xffffffff 8>")), "reserved-selector", NULL },
    { NODE(RAW("<0 0 0xffffffff 0xffffffe0 8>")), "reserved-selector", NULL },
    { NODE(RAW("<0 0x45 0xffffffff 0xffffffff 8>")), "selector", NULL },
    { NODE(RAW("<0 5 0 0x1f 8>")), "raw-wide", NULL },
    { NODE(RAW("<0 5 0xffffffff 0xfffffff0 8>")), "raw-never", NULL },
    { NODE(RAW("<0 2 0xffffffff 0xfffffffe 8>, <0 3 0xffffffff 0xfffffffe 16>")), "raw-never",
      NULL },
    { NODE(RAW("<0x10000 5 0xffffffff 0xffffffff 8>")), "selector", NULL },
    { NODE(RAW("<0 5 0xffffffff 0xffffffff 0x1fc>")), "fixed-counter", NULL },
    { "/ { pmu { " COUNTERS("<1 1 1>") " }; };", "not-compatible", NULL },
    /* forms of source */
    { COUNTERS("<1 1 1>") " compatible = \"riscv,pmu\";", "", NULL },
    { "/dts-v1/;\n/ { #address-cells = <2>; cpus { l: cpu@0 { reg = <0 (1 + 2)>; x = [00 ff]; }; };"
      " p: pmu { compatible = \"vendor,pmu\", \"riscv,pmu\"; /* a */ // b\n " COUNTERS(
          "<1 1 1 2 2 4>") " }; }; &l { y = &l, \"a;b\\\"}\"; z = &{/pmu}; };",
      "", NULL },
    /* what is refused */
    { "#include \"a.dtsi\"\n" NODE(""), "E1311", NULL },
    { NODE(COUNTERS("<CYCLES 1 1>")), "E1311", NULL },
    { NODE(COUNTERS("<(1 + 1) 1 1>")), "E1311", NULL },
    { NODE(COUNTERS("<0x100000000 1 1>")), "E1311", NULL },
    { NODE(COUNTERS("/bits/ 64 <1 1 1>")), "E1311", NULL },
    { NODE("/delete-property/ x;"), "E1311", NULL },
    { NODE(COUNTERS("<1 1 1>") COUNTERS("<2 2 4>")), "E1311", NULL },
    { NODE("") NODE(""), "E1311", NULL },
    { "/ { pmu { compatible = \"arm,pmu\"; }; };", "E1313", NULL },
    { "", "E1313", NULL },
    { "/ { }; };", "E1311", NULL },
    { "/ { pmu { compatible = \"riscv,pmu\";", "E1311", NULL },
    { "/ { /* never ends", "E1311", NULL },
};

static void each_hazard_has_its_name(void **state)
{
    unsigned failed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct emit_request r = request(cases[i].core ? cases[i].core : "cv64a6_imafdc_sv39");
        struct names got = { "" };
        const struct dt_report report = { collect, &got };
        struct pc_error err;
        if (dts_read(cases[i].source, strlen(cases[i].source), &pmu, &err) == PC_OK)
            dt_check(&pmu, &r, &report);
        else
            snprintf(got.text, sizeof got.text, "E%u", err.code);
        if (strcmp(got.text, cases[i].names) != 0) {
            print_error("%s\n  found    %s\n  expected %s\n", cases[i].source, got.text,
                        cases[i].names);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

static void opensbis_256_rows_are_the_limit(void **state)
{
    static char source[200000];
    const struct emit_request r = request("cv64a6_imafdc_sv39");

    (void)state;
    for (unsigned rows = 256; rows <= 257; rows++) {
        size_t n = (size_t)sprintf(source, "pmu { compatible = \"riscv,pmu\"; riscv,raw-event-to-"
                                           "mhpmcounters = <");
        for (unsigned i = 0; i < rows; i++)
            n += (size_t)sprintf(source + n, "0 %u 0xffffffff 0xffffffff 8 ", i);
        strcpy(source + n, ">; };");
        assert_true((strstr(hazards(source, &r).text, "too-many-rows") != NULL) == (rows > 256));
    }
}

/* No prefix and no single changed byte may do worse than be refused. */
static void damaged_source_is_refused_or_checked(void **state)
{
    static const char junk[] = "{};<>,\"/*&: \0\xff";
    const struct emit_request r = request("cv64a6_imafdc_sv39");
    char *text = emitted(&r);
    const size_t size = strlen(text);
    struct names names;
    const struct dt_report report = { collect, &names };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < size; i++) {
        assert_true(dts_read(text, i, &pmu, &err) != PC_OK || i > size - 5);
        const char was = text[i];
        for (size_t k = 0; k < sizeof junk; k += 3) {
            text[i] = junk[(k + i) % sizeof junk];
            names.text[0] = '\0';
            if (dts_read(text, size, &pmu, &err) == PC_OK)
                dt_check(&pmu, &r, &report);
            else
                assert_in_range(err.code, 1311, 1313);
        }
        text[i] = was;
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_presets_node_is_without_hazard),
        cmocka_unit_test(the_default_core_has_the_proposed_rows),
        cmocka_unit_test(rv32_avoids_counter_3_unless_told),
        cmocka_unit_test(by_the_documents_rv32_has_counter_3),
        cmocka_unit_test(cores_get_only_what_they_count),
        cmocka_unit_test(each_hazard_has_its_name),
        cmocka_unit_test(opensbis_256_rows_are_the_limit),
        cmocka_unit_test(damaged_source_is_refused_or_checked),
    };

    return cmocka_run_group_tests_name("emit/devicetree", tests, NULL, NULL);
}
