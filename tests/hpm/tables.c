/* SPDX-License-Identifier: MIT */
/*
 * The tables: configurations, events with the names that Linux' perf has for them, and that
 * every clause of the rules is in docs/hardware/clauses-cva6.md.
 */
#include "hpm_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Verifies a few cells of the presets against the specification's table. */
static void presets(void **state)
{
    static const struct {
        const char *name;
        unsigned xlen, ports, perf, shadows, modes /* S U H as bits 2 1 0 */, ways;
    } rows[] = {
        { "cv32a60x", 32, 1, 0, 0, 0, 2 },
        { "cv32a65x", 32, 2, 0, 0, 0, 2 },
        { "cv32a6_imac_sv32", 32, 2, 1, 1, 6, 8 },
        { "cv32a6_ima_sv32_fpga", 32, 1, 0, 1, 6, 2 },
        { "cv64a60ax", 64, 2, 1, 1, 6, 8 },
        { "cv64a6_imafdc_sv39", 64, 2, 1, 1, 6, 8 },
        { "cv64a6_imafdc_sv39_openpiton", 64, 2, 1, 1, 6, 8 },
        { "cv64a6_imafdc_sv39_hpdcache", 64, 2, 1, 1, 6, 8 },
        { "cv64a6_imafdc_sv39_hpdcache_wb", 64, 2, 1, 1, 6, 8 },
        { "cv64a6_imafdc_sv39_wb", 64, 2, 1, 1, 6, 8 },
        { "cv64a6_imafdch_sv39", 64, 2, 1, 1, 7, 8 },
        { "cv64a6_imafdch_sv39_wb", 64, 2, 1, 1, 7, 8 },
        { "cv64a6_imafdcv_sv39", 64, 2, 1, 1, 6, 4 },
        { "cv64a6_mmu", 64, 2, 0, 1, 6, 8 },
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pc_hpm_config *c = pc_hpm_config_at(i);
        assert_non_null(c);
        assert_string_equal(c->name, rows[i].name);
        assert_ptr_equal(pc_hpm_config_find(c->name), c);
        assert_int_equal(c->xlen, rows[i].xlen);
        assert_int_equal(c->commit_ports, rows[i].ports);
        assert_int_equal(c->perf_counter_en, rows[i].perf);
        assert_int_equal(c->zicntr, rows[i].shadows);
        assert_int_equal(c->zihpm, rows[i].shadows);
        assert_int_equal(c->rvs << 2 | c->rvu << 1 | (int)c->rvh, rows[i].modes);
        assert_int_equal(c->dcache_ways, rows[i].ways);
        assert_int_equal(c->rvc, i != 3);
        assert_int_equal(c->debug, i >= 2);
    }
    assert_null(pc_hpm_config_at(i));
}

/* Verifies the three names of the user manual, and what is said about a wrong one. */
static void names_of_the_manual(void **state)
{
    const struct pc_hpm_config *c = NULL;
    struct pc_error err;

    (void)state;
    assert_string_equal(pc_hpm_config_find("CV32A60AX")->name, RV32);
    assert_string_equal(pc_hpm_config_find("CV32A60X")->name, M32);
    assert_string_equal(pc_hpm_config_find("CV64A6_MMU")->name, "cv64a6_mmu");
    assert_true(pc_hpm_config_find("cv32a60ax")->perf_counter_en);
    assert_false(pc_hpm_config_find("CV32A60X")->perf_counter_en);
    assert_false(pc_hpm_config_find("CV64A6_MMU")->perf_counter_en);
    assert_null(pc_hpm_config_find(""));
    assert_null(pc_hpm_config_find("cv64a6"));
    assert_int_equal(pc_hpm_config_get("cv64a6_imafdc_sv93", &c, &err), PC_ENOENT);
    assert_null(c);
    assert_non_null(strstr(err.hint, "cv64a6_imafdc_sv39"));
    assert_int_equal(pc_hpm_config_get("zzz", &c, &err), PC_ENOENT);
    assert_true(err.hint[0] != '\0');
}

/* Verifies codes, names and topics against those that Linux ships for CVA6. */
static void events_as_linux_has_them(void **state)
{
    static const struct {
        const char *name;
        char topic; /* m i u */
    } rows[PC_HPM_EVENTS] = {
        { "NONE", 'u' },
        { "L1_I_CACHE_MISSES", 'm' },
        { "L1_D_CACHE_MISSES", 'm' },
        { "ITLB_MISSES", 'm' },
        { "DTLB_MISSES", 'm' },
        { "LOAD_INSTRUCTIONS_RETIRED", 'i' },
        { "STORE_INSTRUCTIONS_RETIRED", 'i' },
        { "EXCEPTIONS", 'i' },
        { "EXCEPTION_HANDLER_RETURNS", 'i' },
        { "BRANCH_INSTRUCTIONS_RETIRED", 'i' },
        { "BRANCH_MISPREDICTS", 'u' },
        { "BRANCH_EXCEPTIONS", 'u' },
        { "CALL_INSTRUCTIONS_RETIRED", 'i' },
        { "RETURN_INSTRUCTIONS_RETIRED", 'i' },
        { "MSB_FULL", 'u' },
        { "INSTRUCTION_FETCH_EMPTY", 'u' },
        { "L1_I_CACHE_ACCESSES", 'm' },
        { "L1_D_CACHE_ACCESSES", 'm' },
        { "L1_CACHE_LINE_EVICTION", 'm' },
        { "ITLB_FLUSH", 'm' },
        { "INTEGER_INSTRUCTIONS_RETIRED", 'i' },
        { "FLOATING_POINT_INSTRUCTIONS_RETIRED", 'i' },
        { "PIPELINE_STALL", 'u' },
    };
    const struct pc_hpm_event *found;
    struct pc_error err;

    (void)state;
    for (unsigned id = 0; id < PC_HPM_EVENTS; id++) {
        const struct pc_hpm_event *e = pc_hpm_event_at(id);
        char text[16];
        assert_int_equal(e->id, id);
        assert_string_equal(e->name, rows[id].name);
        assert_int_equal(e->topic, rows[id].topic == 'm'   ? PC_HPM_MEMORY
                                   : rows[id].topic == 'i' ? PC_HPM_INSTRUCTIONS
                                                           : PC_HPM_MICROARCH);
        assert_true(strlen(e->about) > 10 && strlen(e->line) > 2);
        if (id == 0)
            continue; /* the selector after reset, no event */
        test_ok(pc_hpm_event_find(e->name, &found, &err), &err);
        assert_ptr_equal(found, e);
        snprintf(text, sizeof text, "0x%x", id);
        test_ok(pc_hpm_event_find(text, &found, &err), &err);
        assert_ptr_equal(found, e);
    }
    assert_null(pc_hpm_event_at(23));
    test_ok(pc_hpm_event_find("l1 d-cache misses", &found, &err), &err);
    assert_int_equal(found->id, 2);
    test_ok(pc_hpm_event_find("22", &found, &err), &err);
    assert_int_equal(found->id, 22);
    static const char *const wrong[] = { "0",  "0x0", "NONE", "23",   "0x1f",
                                         "-1", "",    "0x",   "L1_D", "4294967298" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(pc_hpm_event_find(wrong[i], &found, &err), PC_ENOENT);
    assert_int_equal(pc_hpm_event_find("DTLB_MISES", &found, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "DTLB_MISSES"));
}

/* Verifies that descriptions follow the cache and the TLB, and tell what cannot fire. */
static void descriptions_tell_the_truth(void **state)
{
    const struct pc_hpm_config *wt = pc_hpm_config_find(RV64);
    const struct pc_hpm_config *wb = pc_hpm_config_find("cv64a6_imafdc_sv39_wb");
    const struct pc_hpm_config *hpd = pc_hpm_config_find(RV32);
    const struct pc_hpm_config *ways4 = pc_hpm_config_find("cv64a6_imafdcv_sv39");
    const struct pc_hpm_config *noc = pc_hpm_config_find(FPGA);
    struct pc_hpm_config with = *noc;

    (void)state;
    assert_non_null(strstr(pc_hpm_event_about(wt, 2), "not of stores"));
    assert_null(strstr(pc_hpm_event_about(wb, 2), "not of stores"));
    assert_non_null(strstr(pc_hpm_event_about(hpd, 2), "HPDCACHE"));
    assert_non_null(strstr(pc_hpm_event_about(hpd, 3), "second-level"));
    assert_null(strstr(pc_hpm_event_about(wt, 3), "second-level"));
    for (unsigned id = 0; id < 40; id++)
        assert_true(strlen(pc_hpm_event_about(wt, id)) > 10);
    assert_null(pc_hpm_event_never(wt, PC_HPM_Q_EVICT_FF, 18));
    assert_non_null(pc_hpm_event_never(ways4, PC_HPM_Q_EVICT_FF, 18));
    assert_null(pc_hpm_event_never(ways4, 0, 18));
    assert_non_null(pc_hpm_event_never(wb, 0, 18));
    assert_non_null(pc_hpm_event_never(wt, 0, 11));
    assert_non_null(pc_hpm_event_never(wt, 0, 0));
    assert_non_null(pc_hpm_event_never(wt, 0, 23));
    assert_non_null(pc_hpm_event_never(noc, 0, 5)); /* no counters at all */
    with.perf_counter_en = true;
    assert_null(pc_hpm_event_never(&with, 0, 11));
    assert_non_null(pc_hpm_event_never(&with, 0, 21));
    assert_null(pc_hpm_event_never(wt, 0, 21));
    with.mmu = false;
    assert_non_null(pc_hpm_event_never(&with, 0, 4));
    assert_non_null(pc_hpm_event_never(&with, 0, 19));
    assert_null(pc_hpm_event_never(&with, 0, 5));
    for (int k = PC_HPM_DCACHE_UNKNOWN; k <= PC_HPM_DCACHE_HPD_WB; k++)
        assert_true(pc_hpm_dcache_name((enum pc_hpm_dcache)k)[0] != '\0');
}

/* Verifies that each rule and each quirk names a clause of the document. */
static void clauses_are_documented(void **state)
{
    static char text[40000];
    FILE *file = fopen(PC_SOURCE_DIR "/docs/hardware/clauses-cva6.md", "r");
    char row[40];
    size_t i;

    (void)state;
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (i = 0; pc_hpm_rule_at(i); i++) {
        snprintf(row, sizeof row, "| %s |", pc_hpm_rule_at(i)->clause);
        if (!strstr(text, row))
            fail_msg("%s is not in the document", pc_hpm_rule_at(i)->clause);
    }
    assert_true(i > 30);
    for (i = 0; pc_hpm_quirk_at(i); i++) {
        snprintf(row, sizeof row, "| %s |", pc_hpm_quirk_at(i)->clause);
        assert_non_null(strstr(text, row));
        snprintf(row, sizeof row, "| `%s` |", pc_hpm_quirk_at(i)->name);
        assert_non_null(strstr(text, row));
    }
}

/* Verifies which rule is given as the reason, for one clock of every kind. */
static void reasons(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };
    const unsigned c0 = PC_HPM_COUNTER, c2 = c0 + 2, c3 = c0 + 3;

    (void)state;
#define WHY(what, clause_)                                                                         \
    assert_string_equal(pc_hpm_why(h, &in, NULL, (unsigned)(what))->clause, clause_)
    WHY(PC_HPM_RDATA, "HPM.MAP.0");
    WHY(c0, "HPM.CYCLE.1");
    WHY(c2, "HPM.INSTRET.1");
    WHY(c3, "HPM.COUNT.3");
    select_event(h, 3, 5);
    WHY(c3, "HPM.COUNT.1");
    in.port[0] = in.port[1] = port_of(PC_HPM_FU_LOAD, PC_HPM_OP_OTHER, 1);
    WHY(c3, "HPM.PORTS.1");
    select_event(h, 3, 13);
    in.port[0] = in.port[1] = port_of(PC_HPM_FU_CTRL_FLOW, PC_HPM_OP_JALR, 0);
    WHY(c3, "HPM.PORTS.1"); /* both return: what is disputed is their sum */
    in.port[1].ack = false;
    WHY(c3, "HPM.LINE.13");
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb04, 1 };
    WHY(c3, "HPM.STROBE.1");
    WHY(c0 + 4, "HPM.COUNT.2");
    in.csr.address = 0xb82;
    WHY(c2, "HPM.HALF.2");
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_READ, 0xc01, 0 };
    WHY(PC_HPM_CAUSE, "HPM.MAP.8");
    WHY(c2, "HPM.INSTRET.2");
    in.csr.address = 0xc83;
    WHY(PC_HPM_RDATA, "HPM.SHADOW.1");
    in.csr.address = 0xc84;
    WHY(PC_HPM_RDATA, "HPM.HALF.1");
    in.csr.address = 0xb03;
    WHY(PC_HPM_RDATA, "HPM.READ.1");
    in.mode.privilege = 0;
    in.csr.address = 0xc83;
    WHY(PC_HPM_CAUSE, "HPM.GATE.3");
    in.csr.address = B00;
    WHY(PC_HPM_CAUSE, "HPM.PRIV.1");
    in.mode.debug = true;
    in.csr.op = PC_HPM_CSR_NONE;
    WHY(c0, "HPM.DEBUG.1");
    WHY(c0 + 1, "HPM.MAP.0");
    WHY(9999, "HPM.MAP.0");
#undef WHY
    pc_hpm_destroy(h);
}

/* Verifies the reasons that only other cores, selectors and profiles have. */
static void reasons_of_others(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };
    const unsigned c0 = PC_HPM_COUNTER, c2 = c0 + 2, c3 = c0 + 3;

    (void)state;
#define WHY(what, clause_)                                                                         \
    assert_string_equal(pc_hpm_why(h, &in, NULL, (unsigned)(what))->clause, clause_)
    select_event(h, 3, 18);
    WHY(c3, "HPM.LINE.18");
    select_event(h, 3, 23);
    WHY(c3, "HPM.COUNT.3");
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, B00, 1 };
    WHY(c0, "HPM.OP.1");
    WHY(PC_HPM_CAUSE, "HPM.MAP.1");
    in.csr.address = B02;
    WHY(c2, "HPM.INSTRET.3");
    in.csr.address = 0xb83;
    WHY(PC_HPM_CAUSE, "HPM.MAP.4");
    WHY(c3, "HPM.STROBE.3");
    in.csr.address = 0xc03;
    WHY(PC_HPM_CAUSE, "HPM.PRIV.3");
    WHY(c3, "HPM.COUNT.3"); /* it traps: no strobe */
    in.csr.op = PC_HPM_CSR_READ;
    in.mode.privilege = 1;
    WHY(PC_HPM_CAUSE, "HPM.GATE.2");
    in.csr.op = PC_HPM_CSR_NONE;
    csrw(h, INHIBIT, 0x9);
    WHY(c0, "HPM.INHIBIT.1");
    WHY(c3, "HPM.INHIBIT.1");
    WHY(c2, "HPM.INSTRET.1");
    pc_hpm_destroy(h);
    h = hpm_new("cv64a6_mmu", "spec", 0, 0);
    WHY(c3, "HPM.MAP.2");
#undef WHY
    pc_hpm_destroy(h);
}

/* Verifies the reasons of values that are read, of clocks in debug mode, and of a module's strobe.
 */
static void reasons_of_values(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };
    struct pc_hpm_strobe strobe = { .address = 0xb03, .write = true };
    const unsigned c2 = PC_HPM_COUNTER + 2, c3 = PC_HPM_COUNTER + 3;

    (void)state;
#define WHY(what, strobe_, clause_)                                                                \
    assert_string_equal(pc_hpm_why(h, &in, strobe_, (unsigned)(what))->clause, clause_)
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_READ, INHIBIT, 0 };
    WHY(PC_HPM_RDATA, NULL, "HPM.MAP.5");
    in.csr.address = 0xb09; /* a counter that is 0 for ever, and its half */
    WHY(PC_HPM_RDATA, NULL, "HPM.MAP.3");
    in.csr.address = 0xb89;
    WHY(PC_HPM_RDATA, NULL, "HPM.MAP.3");
    in.csr.address = 0xc89;
    WHY(PC_HPM_RDATA, NULL, "HPM.MAP.3");
    in.csr.address = 0xb80;
    WHY(PC_HPM_RDATA, NULL, "HPM.HALF.1");
    in.csr.address = 0xc02;
    WHY(PC_HPM_RDATA, NULL, "HPM.READ.1");
    in.csr.address = 0xc01;
    WHY(PC_HPM_RDATA, NULL, "HPM.MAP.8"); /* it traps */
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb00, 7 };
    WHY(c2, NULL, "HPM.INSTRET.1"); /* another counter is written */
    in.csr.address = 0x323;         /* a selector: no counter is written */
    WHY(PC_HPM_COUNTER, NULL, "HPM.CYCLE.1");
    in.csr = (struct pc_hpm_access){ .op = PC_HPM_CSR_NONE };
    in.lines = 1u << PC_HPM_EXCEPTION;
    WHY(c2, NULL, "HPM.INSTRET.2");
    WHY(PC_HPM_RDATA, NULL, "HPM.MAP.0"); /* nothing is read */
    WHY(PC_HPM_CAUSE, NULL, "HPM.MAP.0");
    in.mode.debug = true;
    WHY(c3, NULL, "HPM.DEBUG.1");
    in.mode.debug = false;
    WHY(c3, &strobe, "HPM.COUNT.2");
    WHY(PC_HPM_COUNTER + 4, &strobe, "HPM.STROBE.1");
    WHY(PC_HPM_RDATA, &strobe, "HPM.READ.1");
    strobe = (struct pc_hpm_strobe){ .address = 0xb01, .write = true, .inhibit = 8 };
    WHY(c3, &strobe, "HPM.STROBE.1");
    strobe.write = false;
    WHY(c3, &strobe, "HPM.INHIBIT.1");
#undef WHY
    pc_hpm_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets),
        cmocka_unit_test(names_of_the_manual),
        cmocka_unit_test(events_as_linux_has_them),
        cmocka_unit_test(descriptions_tell_the_truth),
        cmocka_unit_test(clauses_are_documented),
        cmocka_unit_test(reasons),
        cmocka_unit_test(reasons_of_others),
        cmocka_unit_test(reasons_of_values),
    };
    return cmocka_run_group_tests_name("hpm tables", tests, NULL, NULL);
}
