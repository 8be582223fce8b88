/* SPDX-License-Identifier: MIT */
/*
 * Reads the same waveform under other declarations: with a variable for each bit of a vector, and
 * with inverted signals that a map names.  `check`, `stat` and `run` must say the same of it.
 */
#include "wave_make.h"
#include "wave_rewrite.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CORE   "cv64a6_imafdc_sv39"
#define TOWERS "waves/cva6/cva6_towers_verilator.vcd.gz"

static struct wave_ran ran, other;

/* A file of its own with the text; the caller unlinks it. */
static void write_text(const char *text, char path[64])
{
    snprintf(path, 64, "/tmp/pcounter-text-XXXXXX");
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

/* Replaces every `from` of the text by as long a `to`: the names of two files. */
static void rename_in(char *text, const char *from, const char *to)
{
    assert_int_equal(strlen(from), strlen(to));
    for (char *p = text; (p = strstr(p, from)) != NULL;)
        memcpy(p, to, strlen(to));
}

/* Requires the same exit code, output and notes from `ran` and `other`, each about its own file. */
static void expect_same(const char *what, const char *one, const char *two)
{
    json_t *a = ran.json, *b = other.json;

    if (json_is_object(a) && json_is_object(b)) {
        json_object_set_new(a, "file", json_null());
        json_object_set_new(b, "file", json_null());
        json_object_set_new(a, "trace", json_null());
        json_object_set_new(b, "trace", json_null());
        if (!json_equal(a, b))
            fail_msg("%s: %s\nand %s", what, ran.out, other.out);
    } else if (ran.code == other.code) {
        rename_in(other.out, two, one);
        assert_string_equal(ran.out, other.out);
    }
    if (strlen(one) == strlen(two))
        rename_in(other.errors, two, one);
    if (ran.code != other.code || strcmp(ran.errors, other.errors) != 0)
        fail_msg("%s: exit %d, %s\nand exit %d, %s", what, ran.code, ran.errors, other.code,
                 other.errors);
    wave_done(&ran);
    wave_done(&other);
}

/* `check` and `stat --core` of two files; map: for the second one alone, or NULL. */
static void expect_alike(const char *one, const char *two, const char *core, const char *profile,
                         const char *map)
{
    wave_run(&ran, "check", "--core", core, "--profile", profile, "-k", "--format", "json", one,
             NULL);
    wave_run(&other, "check", "--core", core, "--profile", profile, "-k", "--format", "json", two,
             map ? "--map" : NULL, map, NULL);
    assert_non_null(ran.json);
    assert_true(wave_number(ran.json, "compared") > 0);
    expect_same("check", one, two);
    wave_run(&ran, "stat", "--core", core, "--profile", profile, "-e", "all", "--while-enabled",
             "--format", "json", one, NULL);
    wave_run(&other, "stat", "--core", core, "--profile", profile, "-e", "all", "--while-enabled",
             "--format", "json", two, map ? "--map" : NULL, map, NULL);
    expect_same("stat --core", one, two);
}

/* A waveform, and the same rewritten. */
struct twins {
    struct wave_made m;
    char path[64];
};

static void make_twins(const struct wave_plan *plan, const struct wave_rewrite *how,
                       struct twins *t)
{
    wave_make(plan, &t->m);
    wave_rewrite(how, t->m.path, t->path);
}

static void remove_twins(struct twins *t)
{
    unlink(t->path);
    wave_remove(&t->m);
}

static const struct wave_plan plans[] = {
    { .clocks = 1500, .reset = 5, .seed = 3 },
    { .clocks = 900, .reset = 0, .seed = 4, .instance = "hpm" },
    { .clocks = 1500, .reset = 5, .seed = 5, .defect = WAVE_FLIP, .at = 700 },
    { .clocks = 1500, .reset = 5, .seed = 6, .defect = WAVE_UNKNOWN, .at = 701 },
    { .clocks = 1500, .reset = 5, .seed = 7, .unknown_miss = 400, .calm = 50 },
    { .clocks = 700, .reset = 5, .seed = 8, .rv32 = true, .mcycle_write = 300 },
    { .clocks = 20000, .reset = 5, .seed = 9, .wide_registers = true, .calm = 300 },
    { .clocks = 1500,
      .reset = 5,
      .seed = 11,
      .calm = 300,
      .pulse = 900 }, /* reset without a clock */
    { .clocks = 1500, .reset = 5, .seed = 18, .calm = 300, .pulse = 900, .pulse_by = "x" },
    { .clocks = 700,
      .reset = 5,
      .seed = 10,
      .omit = { "commit_instr_i[1].fu", "miss_vld_bits_i[1]", "ex_i.valid", "eret_i" } },
};
enum { PLANS = sizeof plans / sizeof plans[0] };

static const char *core_of(const struct wave_plan *plan)
{
    return plan->rv32 ? "cv32a6_imac_sv32" : CORE;
}

/* ---- bit by bit ---- */

/* Verifies that vectors that are declared bit by bit are taken as those that are declared whole. */
static void bits_are_the_ports(void **state)
{
    const struct wave_rewrite how = { .bits = true };

    (void)state;
    for (size_t i = 0; i < PLANS; i++) {
        struct twins t;
        make_twins(&plans[i], &how, &t);
        expect_alike(t.m.path, t.path, core_of(&plans[i]), "rtl", NULL);
        expect_alike(t.m.path, t.path, core_of(&plans[i]), "spec", NULL);
        remove_twins(&t);
    }
}

/* Verifies that ports of one bit are found where the writer has an index after them. */
static void an_index_behind_a_port_of_one_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * (size_t)PLANS; i++) {
        const struct wave_rewrite how = { .bits = i >= PLANS, .index = true };
        const struct wave_plan *plan = &plans[i % PLANS];
        struct twins t;
        make_twins(plan, &how, &t);
        expect_alike(t.m.path, t.path, core_of(plan), "rtl", NULL);
        remove_twins(&t);
    }
}

/* Verifies that bit 0 of a wider vector is not taken for a port of one bit, however it is declared.
 */
static void a_bit_of_a_vector_is_no_port(void **state)
{
    static const char wider[] = "we_i [1:0]", bits[] = "we_i [1] $end $var wire 1 ~2 we_i [0]";

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char path[64], text[4000];
        snprintf(text, sizeof text,
                 "$timescale 1ns $end $scope module perf_counters_i $end\n"
                 "$var wire 1 ! clk_i $end $var wire 1 ~0 sb_full_i $end\n"
                 "$var wire 1 ~0 if_empty_i $end $var wire 1 ~0 itlb_miss_i $end\n"
                 "$var wire 1 ~0 i_tlb_flush_i $end $var wire 1 ~0 stall_issue_i $end\n"
                 "$var wire %d ~1 %s $end $upscope $end $enddefinitions $end\n"
                 "#0 0! 0~0 #5 1! #10 0! #15 1!\n",
                 i ? 1 : 2, i ? bits : wider);
        write_text(text, path);
        wave_run(&ran, "check", "--core", CORE, path, NULL);
        wave_expect_error(&ran, "error[PC-E1036]", "we_i, addr_i");
        unlink(path);
    }
}

/* Verifies the same where a scope is told by its vectors, too. */
static void vectors_tell_the_scope(void **state)
{
    const struct wave_rewrite how = { .bits = true };
    const struct wave_plan plan = {
        .clocks = 300,
        .reset = 5,
        .seed = 12,
        .omit = { "stall_issue_i", "i_tlb_flush_i", "l1_dcache_miss_i", "l1_icache_miss_i" }
    }; /* six marks are left, three of them vectors */
    struct twins t;

    (void)state;
    make_twins(&plan, &how, &t);
    expect_alike(t.m.path, t.path, CORE, "rtl", NULL);
    remove_twins(&t);
}

/* Verifies a recording of CVA6: `check`, `stat --core`, and `stat` of vectors and slices. */
static void a_recording_bit_by_bit(void **state)
{
    static const char events[] =
        "a=rise(mcycle[3]), b=perf_counters_i.addr_i == 12'hb00, "
        "c=perf_counters_i.commit_ack_i[1:0] == 3, d=commit_pc[15:12] != 8";
    const struct wave_rewrite how = { .bits = true };
    char whole[1000], path[64];

    (void)state;
    if (!test_shared(TOWERS, whole, sizeof whole))
        skip();
    wave_rewrite(&how, whole, path);
    expect_alike(whole, path, CORE, "rtl", NULL);
    wave_run(&ran, "stat", "-q", "--clock", "cva6_wave_top.clk_i", "-e", events, "--format", "json",
             whole, NULL);
    wave_run(&other, "stat", "-q", "--clock", "cva6_wave_top.clk_i", "-e", events, "--format",
             "json", path, NULL);
    assert_int_equal(ran.code, 0);
    expect_same("stat", whole, path);
    unlink(path);
}

static void check_map(struct wave_ran *r, const char *path, const char *text)
{
    char map[64];

    write_text(text, map);
    wave_run(r, "check", "--core", CORE, "--profile", "rtl", "--map", map, "--format", "json", path,
             NULL);
    rename_in(r->errors, map, "/tmp/pcounter-text-XXXXXX");
    unlink(map);
}

/* Verifies that maps name such vectors and parts of them, and that mistakes are told alike. */
static void maps_take_bits(void **state)
{
    static const char *const maps[] = {
        "addr_i = addr_i[11:0]\nwe_i = we_i\n",
        "commit_instr_i[0].fu = core0.perf_counters_i.commit_instr_i[0].fu[3:0]\n",
        "data_o = data_i[63:0]\n",
        "we_i = addr_i\n",
        "we_i = addr_i[12]\n",
        "addr_i = addr_i[0:11]\n",
        "data_o = data_p\n",
        "mcountinhibit_i = mcycle\n",
    };
    const struct wave_plan plan = { .clocks = 400, .reset = 5, .seed = 13 };
    const struct wave_rewrite how = { .bits = true };
    struct twins t;

    (void)state;
    make_twins(&plan, &how, &t);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        check_map(&ran, t.m.path, maps[i]);
        check_map(&other, t.path, maps[i]);
        assert_int_equal(ran.code, i < 2 ? 0 : i == 2 ? 1 : 2);
        expect_same(maps[i], t.m.path, t.path);
    }
    remove_twins(&t);
}

/* Verifies that a port that is there in both ways is asked back, as `stat` does it. */
static void both_ways_at_once_are_unclear(void **state)
{
    const struct wave_plan plan = { .clocks = 100, .reset = 5, .seed = 14 };
    static const char *const twice[] = { "addr_i", "commit_ack_i" };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (size_t i = 0; i < 2; i++) {
        const struct wave_rewrite how = { .bits = true, .twice = twice[i] };
        char path[64], event[80], name[60];
        wave_rewrite(&how, m.path, path);
        snprintf(name, sizeof name, "perf_counters_i.%s", twice[i]);
        snprintf(event, sizeof event, "%s == 1", name);
        wave_run(&ran, "check", "--core", CORE, path, NULL);
        wave_expect_error(&ran, "error[PC-E0521]", name);
        wave_run(&ran, "stat", "--clock", "top.clk_i", "-e", event, path, NULL);
        wave_expect_error(&ran, "error[PC-E0521]", name);
        snprintf(name, sizeof name, "%s = 0\n", twice[i]); /* what the map says is clear */
        check_map(&ran, path, name);
        assert_int_equal(ran.code, 1);
        wave_done(&ran);
        unlink(path);
    }
    wave_remove(&m);
}

/* ---- scripts ---- */

static void run_script(struct wave_ran *r, const char *wave, const char *binds)
{
    static const char script[] = "chip G84\nwave %s\n%s"
                                 "w 00a7c4 00000001\nw 00a404 00000011\nw 00a484 00000010\n"
                                 "w 00a4a4 0000aaaa\nrun end\nw 00a424 0000aaaa\n"
                                 "r 00a604\nr 00a684\nr 00a704\n";
    char text[1000], path[64];

    snprintf(text, sizeof text, script, wave, binds);
    write_text(text, path);
    wave_run(r, "run", path, NULL);
    rename_in(r->errors, path, "/tmp/pcounter-text-XXXXXX");
    unlink(path);
}

/* Verifies `run`: what its scripts bind is found, or refused, in the same way. */
static void scripts_bind_bits(void **state)
{
    static const struct {
        const char *binds;
        int code;
    } rows[] = {
        { "bind 1 clock posedge top.clk_i iff rst_ni\nbind 1 10 addr_i[0]\n"
          "bind 1 11 commit_ack_i[1:1]\n",
          0 },
        { "bind 1 clock negedge top.clk_i iff !mcycle[3]\nbind 1 10 minstret[0]\n"
          "bind 1 11 top.core0.perf_counters_i.data_o[5:5]\n",
          0 },
        { "bind 1 clock posedge mcycle[0]\nbind 1 10 minstret[1]\n", 0 },
        { "bind 1 clock posedge top.clk_i\nbind 1 10 addr_i\n", 2 },
        { "bind 1 clock posedge top.clk_i\nbind 1 10 addr_i[3:2]\n", 2 },
        { "bind 1 clock posedge top.clk_i\nbind 1 10 addr_i[12]\n", 2 },
        { "bind 1 clock posedge top.clk_i\nbind 1 10 addr_i[0:1]\n", 2 },
        { "bind 1 clock posedge mcycle\nbind 1 10 sb_full_i\n", 2 },
    };
    const struct wave_plan plan = { .clocks = 500, .reset = 5, .seed = 15 };
    const struct wave_rewrite how = { .bits = true };
    struct twins t;

    (void)state;
    make_twins(&plan, &how, &t);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_script(&ran, t.m.path, rows[i].binds);
        run_script(&other, t.path, rows[i].binds);
        if (ran.code != rows[i].code)
            fail_msg("%s: exit %d, %s", rows[i].binds, ran.code, ran.errors);
        if (rows[i].code == 0) /* it counted */
            assert_null(strstr(ran.out, "00a684 00000000"));
        expect_same(rows[i].binds, t.m.path, t.path);
    }
    remove_twins(&t);
}

/* Verifies `run` where a vector in another scope makes the name of a bit unclear: as `stat`. */
static void scripts_ask_back(void **state)
{
    const struct wave_plan plan = { .clocks = 100, .reset = 5, .seed = 16 };
    const struct wave_rewrite how = { .bits = true, .twice = "addr_i" };
    struct twins t;

    (void)state;
    make_twins(&plan, &how, &t);
    run_script(&ran, t.path, "bind 1 clock posedge top.clk_i\nbind 1 10 addr_i[3:3]\n");
    wave_expect_error(&ran, "error[PC-E0521]", "\"addr_i\" matches 2 signals");
    remove_twins(&t);
}

/* ---- inverted signals ---- */

static const char *const inverted[] = {
    "clk_i",           "rst_ni",         "l1_icache_miss_i",     "commit_ack_i", "addr_i",
    "mcountinhibit_i", "mhpmevent_q[2]", "generic_counter_q[4]", "debug_mode_i", "we_i",
    "data_o",          "if_empty_i",     "generic_counter_q[1]", "if_empty_i",   NULL,
};
/* The names end in _n; of an index that is after it. */
static const char inverse_map[] = "clk_i = !clk_i_n\n"
                                  "rst_ni = ! rst_ni_n # high in reset\n"
                                  "l1_icache_miss_i = ~l1_icache_miss_i_n\n"
                                  "commit_ack_i = ~commit_ack_i_n\n"
                                  "addr_i = ~addr_i_n[11:0]\n"
                                  "mcountinhibit_i = ~mcountinhibit_i_n\n"
                                  "mhpmevent_q[2] = ~ mhpmevent_q[2]_n\n"
                                  "generic_counter_q[4]=~generic_counter_q[4]_n\n"
                                  "generic_counter_q[1] = ~generic_counter_q[1]_n[63:0]\n"
                                  "debug_mode_i = ~debug_mode_i_n[0]\n"
                                  "we_i = !we_i_n\n"
                                  "data_o = ~data_o_n\n"
                                  "if_empty_i = !if_empty_i_n\n";

/* Verifies that a map with ~ and ! undoes what inverts them: a falling clock, a reset that is high.
 */
static void inverse_signals_are_the_ports(void **state)
{
    char map[64];

    (void)state;
    write_text(inverse_map, map);
    for (size_t i = 0; i < 2 * (size_t)PLANS; i++) {
        const struct wave_rewrite how = { .bits = i >= PLANS, .invert = inverted };
        const struct wave_plan *plan = &plans[i % PLANS];
        struct twins t;
        make_twins(plan, &how, &t);
        expect_alike(t.m.path, t.path, core_of(plan), "rtl", map);
        wave_run(&ran, "check", "--core", core_of(plan), t.path, NULL); /* it needs the map */
        assert_int_equal(ran.code, 2);
        wave_done(&ran);
        remove_twins(&t);
    }
    unlink(map);
}

/* Verifies the same of a recording, and of spans in edges and in times. */
static void a_recording_with_inverse_signals(void **state)
{
    static const char *const spans[][2] = { { "1000", "20000" }, { "30us", "100us" } };
    const struct wave_rewrite how = { .bits = true,
                                      .invert = inverted,
                                      .scope = "perf_counters_i" };
    char whole[1000], path[64], map[64];

    (void)state;
    if (!test_shared(TOWERS, whole, sizeof whole))
        skip();
    write_text(inverse_map, map);
    wave_rewrite(&how, whole, path);
    expect_alike(whole, path, CORE, "rtl", map);
    for (size_t i = 0; i < 2; i++) {
        wave_run(&ran, "stat", "--core", CORE, "-e", "all", "--from", spans[i][0], "--to",
                 spans[i][1], "--format", "json", whole, NULL);
        wave_run(&other, "stat", "--core", CORE, "-e", "all", "--from", spans[i][0], "--to",
                 spans[i][1], "--format", "json", path, "--map", map, NULL);
        assert_int_equal(ran.code, 0);
        expect_same("stat --from --to", whole, path);
    }
    unlink(path);
    unlink(map);
}

/* Verifies the mistakes that can be made with them, each shown with its place. */
static void wrong_inverses(void **state)
{
    static const struct {
        const char *text, *code, *says;
    } bad[] = {
        { "we_i = !\n", "error[PC-E1033]", "no signal after \"we_i = !\"" },
        { "we_i = ~ # we_i\n", "error[PC-E1033]", ":1:9" },
        { "we_i = ~1\n", "error[PC-E1033]", "a number has no inverse" },
        { "we_i = ! 0x1\n", "error[PC-E1033]", ":1:10" },
        { "addr_i = !addr_i\n", "error[PC-E1035]", "~addr_i is the inverse of each bit" },
        { "we_i = ~wee_i\n", "error[PC-E0520]", ":1:9" },
        { "we_i = ~~we_i\n", "error[PC-E0520]", "\"~we_i\"" },
        { "we_i = ~addr_i\n", "error[PC-E1035]", "has 12 bits" },
        { "clk_i = ~addr_i\n", "error[PC-E1035]", "clk_i at most 1" },
    };
    const struct wave_plan plan = { .clocks = 50, .reset = 5, .seed = 17 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_map(&ran, m.path, bad[i].text);
        wave_expect_error(&ran, bad[i].code, bad[i].says);
    }
    wave_remove(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_the_ports),
        cmocka_unit_test(an_index_behind_a_port_of_one_bit),
        cmocka_unit_test(a_bit_of_a_vector_is_no_port),
        cmocka_unit_test(vectors_tell_the_scope),
        cmocka_unit_test(a_recording_bit_by_bit),
        cmocka_unit_test(maps_take_bits),
        cmocka_unit_test(both_ways_at_once_are_unclear),
        cmocka_unit_test(scripts_bind_bits),
        cmocka_unit_test(scripts_ask_back),
        cmocka_unit_test(inverse_signals_are_the_ports),
        cmocka_unit_test(a_recording_with_inverse_signals),
        cmocka_unit_test(wrong_inverses),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
