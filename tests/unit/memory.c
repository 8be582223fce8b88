/* SPDX-License-Identifier: MIT */
/*
 * An allocator that refuses: in each scenario of the interface every request for memory fails
 * once.  What is left is a clean error and no memory.
 */
#include "heap.h"
#include "pcounter/unstable/plan.h"
#include "pcounter/unstable/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test_scenario that needs nothing. */
typedef enum pc_status scenario_fn(const struct pc_alloc *alloc, struct pc_error *err);

static enum pc_status run(void *scenario, const struct pc_alloc *alloc, struct pc_error *err)
{
    return (*(scenario_fn **)scenario)(alloc, err);
}

/* ---- expressions, programs, plans ---- */

static enum pc_status make(const struct pc_alloc *alloc, const char *text, struct pc_expr **out,
                           struct pc_error *err)
{
    enum pc_status status = pc_expr_parse(alloc, text, out, err);

    return status == PC_OK ? pc_expr_resolve(*out, test_signal, NULL, err) : status;
}

static enum pc_status compiled(const struct pc_alloc *alloc, struct pc_error *err)
{
    static const char *const texts[] = { "rise(s10) & !s11", "s10 & (s11 ^ s12 ^ s13 ^ s14)",
                                         "s20 | s21 == 1", "prev(s22) ? s23 : s24" };
    struct pc_expr *expr[4] = { NULL };
    struct pc_compile_event event[4];
    enum pc_input_id input[4];
    struct pc_compile_request request = { .chip = pc_chip_find("G92"), .mode = PC_COUNT_QUAD };
    struct pc_program program;
    enum pc_status status = PC_OK;

    for (size_t i = 0; i < 4 && status == PC_OK; i++) {
        status = make(alloc, texts[i], &expr[i], err);
        event[i] = (struct pc_compile_event){ expr[i], PC_ANY_INPUT };
    }
    if (status == PC_OK) {
        request.input[PC_INPUT_EVENT] = expr[0];
        status = pc_compile(&request, &program, err);
        request.input[PC_INPUT_EVENT] = NULL;
    }
    if (status == PC_OK)
        status = pc_compile_events(&request, event, 3, input, &program, err);
    for (size_t i = 0; i < 4; i++)
        pc_expr_free(expr[i]);
    return status;
}

static enum pc_status planned(const struct pc_alloc *alloc, struct pc_error *err)
{
    enum { EVENTS = 11 };
    struct pc_expr *expr[EVENTS] = { NULL };
    struct pc_plan_event event[EVENTS];
    const struct pc_plan_mux mux[2] = { { "MPC.PM_GROUP_SEL", 0xff, 1, false },
                                        { "MPC.PM_GROUP_SEL", 0xff, 2, false } };
    struct pc_plan_request request = { .chip = pc_chip_find("G92"), .event = event, EVENTS };
    struct pc_plan *plan = NULL;
    enum pc_status status = PC_OK;

    for (size_t i = 0; i < EVENTS && status == PC_OK; i++) {
        char text[40];
        snprintf(text, sizeof text, "rise(s%02zx) & s%02zx", i + 16, i + 17);
        status = make(alloc, text, &expr[i], err);
        event[i] = (struct pc_plan_event){ .name = "event",
                                           .domains = i < 8 ? 2 : 0xff,
                                           .group = i < 3 ? 1 : 0,
                                           .expr = expr[i],
                                           .mux = &mux[i % 2],
                                           .muxes = i > 5 };
    }
    if (status == PC_OK)
        status = pc_plan_create(alloc, &request, &plan, err);
    pc_plan_destroy(plan);
    for (size_t i = 0; i < EVENTS; i++)
        pc_expr_free(expr[i]);
    return status;
}

/* ---- names and metrics ---- */

static enum pc_status named(const struct pc_alloc *alloc, struct pc_error *err)
{
    static const char table[] = "GK104,hub0,0x01,mem.read\nGK104,gpc0.0,0x02,a.b,\"about, it\"\n";
    struct pc_names *names = NULL;
    size_t added;
    enum pc_status status = pc_names_open(alloc, pc_chip_find("GK104"), &names, err);

    if (status == PC_OK)
        status = pc_names_load(names, table, sizeof table - 1, &added, err);
    pc_names_close(names);
    return status;
}

static enum pc_status measured(const struct pc_alloc *alloc, struct pc_error *err)
{
    static const char text[] = "hit_rate = hits / (hits + misses) %\n"
                               "most = max(hits, misses) / seconds count/s # of them\n";
    struct pc_metrics *own = NULL, *known = NULL;
    size_t at;
    enum pc_status status = pc_metrics_load(alloc, text, sizeof text - 1, &own, err);

    if (status == PC_OK)
        status = pc_metrics_load_known(alloc, "G92", &known, err);
    if (status == PC_OK)
        status = pc_metrics_find(own, "most", &at, err);
    pc_metrics_close(own);
    pc_metrics_close(known);
    return status;
}

/* ---- units ---- */

static enum pc_status counted(const struct pc_alloc *alloc, struct pc_error *err)
{
    static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    const struct pc_unit_desc desc = { .chip = pc_chip_find("G92"), .alloc = alloc };
    const struct pc_engine_desc engine_desc = { .alloc = alloc };
    const struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = NULL } };
    const struct pc_run whole = { .cycles = 4099, .domain = domain };
    const struct test_heap *h = alloc->ctx;
    struct pc_unit *unit = NULL;
    struct pc_engine *engine = NULL;
    struct pc_live *live = NULL;
    enum pc_status status = pc_unit_create(&desc, &unit, err);

    if (status == PC_OK)
        status = pc_engine_create(&engine_desc, &engine, err);
    if (status == PC_OK) {
        size_t before = h->calls;
        pc_unit_write(unit, 0xa7c4, 1);
        pc_unit_write(unit, 0xa484, 0x10);
        pc_unit_write(unit, 0xa4a4, 0xaaaa);
        pc_unit_run(unit, engine, &whole);
        pc_unit_advance(unit, 1000, 0xff, raw);
        assert_int_equal(h->calls, before);
        status = pc_live_open(unit, &live, err);
        before = h->calls;
        for (int i = 0; i < 100 && status == PC_OK; i++)
            pc_live_step(live, 0xff, raw);
        assert_int_equal(h->calls, before);
    }
    pc_live_close(live);
    pc_engine_destroy(engine);
    pc_unit_destroy(unit);
    return status;
}

static enum pc_status idled(const struct pc_alloc *alloc, struct pc_error *err)
{
    const struct pc_idle_desc desc = { .chip = pc_chip_find("GK20A"), .alloc = alloc };
    struct pc_idle *idle = NULL;
    enum pc_status status = pc_idle_create(&desc, &idle, err);

    pc_idle_destroy(idle);
    return status;
}

static enum pc_status opened(const struct pc_alloc *alloc, struct pc_error *err)
{
    static const char *const chips[] = { "NV10", "NV34", "GT215", "GF100", "GK20A" };

    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        const struct pc_gpu_desc desc = { .chip = pc_chip_find(chips[i]), .alloc = alloc };
        struct pc_gpu *gpu = NULL;
        enum pc_status status = pc_gpu_create(&desc, &gpu, err);
        pc_gpu_destroy(gpu);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

#define SCENARIO(name)                                                                             \
    static void no_memory_##name(void **state)                                                     \
    {                                                                                              \
        (void)state;                                                                               \
        test_refuse_each(run, &(scenario_fn *){ name }, 1);                                        \
    }
SCENARIO(compiled)
SCENARIO(planned)
SCENARIO(named)
SCENARIO(measured)
SCENARIO(counted)
SCENARIO(idled)
SCENARIO(opened)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_compiled), cmocka_unit_test(no_memory_planned),
        cmocka_unit_test(no_memory_named),    cmocka_unit_test(no_memory_measured),
        cmocka_unit_test(no_memory_counted),  cmocka_unit_test(no_memory_idled),
        cmocka_unit_test(no_memory_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
