/* SPDX-License-Identifier: MIT */
/* Verifies that what `pcounter emit` writes for perf and Whisper is what they read. */
#include "test.h"

#include "../../cli/emit/emit.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* tools/perf/pmu-events/arch/riscv/openhwgroup/cva6, names by code */
static const char *const upstream[PC_HPM_EVENTS] = {
    [1] = "L1_I_CACHE_MISSES",
    [2] = "L1_D_CACHE_MISSES",
    [3] = "ITLB_MISSES",
    [4] = "DTLB_MISSES",
    [5] = "LOAD_INSTRUCTIONS_RETIRED",
    [6] = "STORE_INSTRUCTIONS_RETIRED",
    [7] = "EXCEPTIONS",
    [8] = "EXCEPTION_HANDLER_RETURNS",
    [9] = "BRANCH_INSTRUCTIONS_RETIRED",
    [10] = "BRANCH_MISPREDICTS",
    [11] = "BRANCH_EXCEPTIONS",
    [12] = "CALL_INSTRUCTIONS_RETIRED",
    [13] = "RETURN_INSTRUCTIONS_RETIRED",
    [14] = "MSB_FULL",
    [15] = "INSTRUCTION_FETCH_EMPTY",
    [16] = "L1_I_CACHE_ACCESSES",
    [17] = "L1_D_CACHE_ACCESSES",
    [18] = "L1_CACHE_LINE_EVICTION",
    [19] = "ITLB_FLUSH",
    [20] = "INTEGER_INSTRUCTIONS_RETIRED",
    [21] = "FLOATING_POINT_INSTRUCTIONS_RETIRED",
    [22] = "PIPELINE_STALL",
};

static const unsigned memory[] = { 1, 2, 3, 4, 16, 17, 18, 19, 0 };
static const unsigned instructions[] = { 5, 6, 7, 8, 9, 12, 13, 20, 21, 0 };
static const unsigned microarch[] = { 10, 11, 14, 15, 22, 0 };

static struct emit_request request(const struct pc_hpm_config *config, const char *profile)
{
    struct emit_request r = { .config = config };

    test_ok(pc_hpm_profile_find(profile, &r.profile, NULL), NULL);
    return r;
}

/* topic < 0: all of them in one array */
static json_t *perf(const struct emit_request *r, int topic)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    json_error_t error;

    assert_non_null(file);
    if (topic < 0)
        emit_perf_json(r, file);
    else
        emit_perf_topic(r, file, (enum pc_hpm_topic)topic);
    fclose(file);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    free(text);
    assert_true(json_is_array(json));
    return json;
}

/* What perf's own build checks of an object, and what upstream has; returns the code. */
static unsigned check_object(const json_t *object)
{
    const char *name, *code, *about;
    json_error_t error;
    char *end;

    if (json_unpack_ex((json_t *)(uintptr_t)object, &error, JSON_STRICT, "{s:s, s:s, s:s}",
                       "EventName", &name, "EventCode", &code, "BriefDescription", &about) != 0)
        fail_msg("%s", error.text);
    for (const char *p = name; *p; p++)
        if (!isupper((unsigned char)*p) && !isdigit((unsigned char)*p) && *p != '_')
            fail_msg("%s is not upper-case", name);
    assert_memory_equal(code, "0x", 2);
    const unsigned long id = strtoul(code, &end, 16);
    assert_int_equal(*end, '\0');
    assert_in_range(id, 1, 22);
    assert_string_equal(name, upstream[id]);
    assert_true(strlen(about) > 10);
    assert_true(about[strlen(about) - 1] != '.');
    return (unsigned)id;
}

/* A metric is of events that stand before it, and of clocks. */
static void check_metric(const json_t *object, uint32_t seen)
{
    const char *name, *formula, *scale, *about;
    json_error_t error;

    if (json_unpack_ex((json_t *)(uintptr_t)object, &error, JSON_STRICT, "{s:s, s:s, s:s, s:s}",
                       "MetricName", &name, "MetricExpr", &formula, "ScaleUnit", &scale,
                       "BriefDescription", &about) != 0)
        fail_msg("%s", error.text);
    const char *slash = strstr(formula, " / ");
    assert_non_null(slash);
    assert_string_equal(scale, "100%");
    bool of = false, by = strcmp(slash + 3, "cycles") == 0;
    for (unsigned id = 1; id <= 22; id++) {
        const size_t n = strlen(upstream[id]);
        of |= seen >> id & 1 && n == (size_t)(slash - formula) &&
              memcmp(formula, upstream[id], n) == 0;
        by |= seen >> id & 1 && strcmp(slash + 3, upstream[id]) == 0;
    }
    if (!of || !by)
        fail_msg("%s: %s", name, formula);
}

/* Each once; returns the set of codes as bits. */
static uint32_t check_array(json_t *array)
{
    uint32_t seen = 0;

    for (size_t i = 0; i < json_array_size(array); i++) {
        if (json_object_get(json_array_get(array, i), "MetricName")) {
            check_metric(json_array_get(array, i), seen);
            continue;
        }
        const unsigned id = check_object(json_array_get(array, i));
        assert_false(seen >> id & 1);
        seen |= UINT32_C(1) << id;
    }
    json_decref(array);
    return seen;
}

static uint32_t set_of(const unsigned *ids)
{
    uint32_t set = 0;

    for (; *ids; ids++)
        set |= UINT32_C(1) << *ids;
    return set;
}

static void perf_files_have_upstreams_names_and_topics(void **state)
{
    const struct pc_hpm_config *c;

    (void)state;
    for (size_t i = 0; (c = pc_hpm_config_at(i)); i++)
        for (size_t p = 0; pc_hpm_profile_at(p); p++) {
            const struct emit_request r = request(c, pc_hpm_profile_at(p)->name);
            const bool any = c->perf_counter_en;
            assert_int_equal(check_array(perf(&r, -1)), any ? 0x7ffffe : 0);
            assert_int_equal(check_array(perf(&r, PC_HPM_MEMORY)), any ? set_of(memory) : 0);
            assert_int_equal(check_array(perf(&r, PC_HPM_INSTRUCTIONS)),
                             any ? set_of(instructions) : 0);
            assert_int_equal(check_array(perf(&r, PC_HPM_MICROARCH)), any ? set_of(microarch) : 0);
        }
}

static void a_core_without_mmu_has_no_walks_and_flushes(void **state)
{
    struct pc_hpm_config c = *pc_hpm_config_find("cv64a6_imafdc_sv39");
    const struct emit_sbi_row *row;

    (void)state;
    c.mmu = false;
    const struct emit_request r = request(&c, "rtl");
    assert_int_equal(check_array(perf(&r, -1)), 0x7ffffe & ~(1u << 3 | 1u << 4 | 1u << 19));
    for (size_t i = 0; (row = emit_sbi_at(&c, i)); i++)
        assert_true(row->index < 0x10018);
}

static const char *described(const char *core, const char *profile, unsigned id)
{
    static char text[400];
    const struct emit_request r = request(pc_hpm_config_find(core), profile);

    emit_describe(&r, id, text, sizeof text);
    return text;
}

static void descriptions_are_true_of_the_core(void **state)
{
    (void)state;
    assert_non_null(strstr(described("cv64a6_imafdc_sv39", "rtl", 2), "not of stores"));
    assert_non_null(strstr(described("cv64a6_imafdc_sv39_wb", "rtl", 2), "loads, stores"));
    assert_non_null(strstr(described("cv32a6_imac_sv32", "rtl", 3), "shared second-level"));
    assert_null(strstr(described("cv64a6_imafdc_sv39", "rtl", 3), "second-level"));
    assert_non_null(strstr(described("cv64a6_imafdc_sv39", "rtl", 11), "Always 0"));
    assert_null(strstr(described("cv64a6_imafdc_sv39", "rtl", 18), "Always 0"));
    assert_non_null(strstr(described("cv64a60ax", "rtl", 18), "Always 0"));
    assert_non_null(strstr(described("cv64a6_imafdcv_sv39", "rtl", 18), "Always 0"));
    assert_null(strstr(described("cv64a6_imafdcv_sv39", "spec", 18), "Always 0"));
    assert_non_null(strstr(described("cv64a6_imafdc_sv39", "rtl", 5), "count once"));
    assert_null(strstr(described("cv64a6_imafdc_sv39", "spec", 5), "count once"));
    assert_string_equal(described("cv64a6_imafdc_sv39", "rtl", 8), "mret and sret executed");
    assert_memory_equal(described("cv64a6_imafdc_sv39", "rtl", 7), "Traps", 5);
}

static json_t *whisper(const char *core)
{
    const struct emit_request r = request(pc_hpm_config_find(core), "rtl");
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    json_error_t error;

    assert_non_null(file);
    emit_whisper_json(&r, file);
    fclose(file);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    free(text);
    return json;
}

static void whisper_maps_exactly_the_legal_events(void **state)
{
    json_t *json = whisper("cv64a6_imafdc_sv39");
    json_t *events = json_object_get(json, "mmode_perf_events");
    json_t *map = json_object_get(json, "mmode_perf_event_map");
    const char *name;
    json_t *id;
    uint32_t legal = 0, mapped = 0;

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(json, "num_mmode_perf_regs")), 6);
    for (size_t i = 0; i < json_array_size(events); i++)
        legal |= UINT32_C(1) << json_integer_value(json_array_get(events, i));
    json_object_foreach(map, name, id) mapped |= UINT32_C(1) << json_integer_value(id);
    assert_int_equal(legal, mapped);
    assert_int_equal(legal, 1u << 5 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 12 | 1u << 13 | 1u << 20 |
                                1u << 21);
    json_decref(json);

    json = whisper("cv32a60x");
    assert_int_equal(json_integer_value(json_object_get(json, "num_mmode_perf_regs")), 0);
    assert_int_equal(json_array_size(json_object_get(json, "mmode_perf_events")), 0);
    assert_int_equal(json_object_size(json_object_get(json, "mmode_perf_event_map")), 0);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perf_files_have_upstreams_names_and_topics),
        cmocka_unit_test(a_core_without_mmu_has_no_walks_and_flushes),
        cmocka_unit_test(descriptions_are_true_of_the_core),
        cmocka_unit_test(whisper_maps_exactly_the_legal_events),
    };

    return cmocka_run_group_tests_name("emit/formats", tests, NULL, NULL);
}
