/* SPDX-License-Identifier: MIT */
/*
 * Scripts with a wave: time from its clocks, signals from its wires, against counts made
 * while the waveform was written; and a real one with the counts that its program printed.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EDGES 300 /* of top.clk; those of top.slow come every third, at the same instants */

/* What the waveform holds, counted before each rising edge of clk. */
struct truth {
    char folder[64];
    char path[80];
    uint32_t a, a_out_of_reset, out_of_reset, bit3, a_at_negedge;
    uint32_t a_slow, slow;       /* at edges of slow */
    uint32_t a_until[EDGES + 1]; /* in the first n edges */
};

static struct truth truth;

static void write_levels(FILE *file, bool reset, bool a, unsigned count)
{
    fprintf(file, "%d!\n%d\"\nb", reset, a);
    for (int i = 3; i >= 0; i--)
        fputc("01"[count >> i & 1], file);
    fputs(" #\n", file);
}

/* Values change after the edge, at its own timestamp, as simulators write them. */
static int write_wave(void **state)
{
    struct test_rng rng = test_rng_start(7, NULL);
    bool reset = true, a = false;
    unsigned count = 0;

    (void)state;
    strcpy(truth.folder, "/tmp/pcounter-script-XXXXXX");
    assert_non_null(mkdtemp(truth.folder));
    snprintf(truth.path, sizeof truth.path, "%s/w.vcd", truth.folder);
    FILE *file = fopen(truth.path, "w");
    assert_non_null(file);
    fputs("$timescale 1 ns $end\n$scope module top $end\n$var wire 1 c clk $end\n"
          "$var wire 1 s slow $end\n$var wire 1 ! rst $end\n$var wire 1 \" a $end\n"
          "$var wire 4 # count [3:0] $end\n$var wire 1 x dark $end\n$upscope $end\n"
          "$enddefinitions $end\n#0\n0c\n0s\nxx\n",
          file);
    write_levels(file, reset, a, count);
    for (unsigned i = 0; i < EDGES; i++) {
        truth.a += a;
        truth.bit3 += count >> 3 & 1;
        truth.out_of_reset += !reset;
        truth.a_out_of_reset += a && !reset;
        truth.a_until[i + 1] = truth.a;
        truth.slow += i % 3 == 0;
        truth.a_slow += a && i % 3 == 0;
        fprintf(file, "#%u\n1c\n%ss\n", 10 * i + 5, i % 3 == 0 ? "1" : "0");
        reset = i < 20;
        a = test_rand_below(&rng, 3) > 0;
        count = test_rand_below(&rng, 16);
        write_levels(file, reset, a, count);
        truth.a_at_negedge += a;
        fprintf(file, "#%u\n0c\n", 10 * i + 10);
    }
    fclose(file);
    return 0;
}

static int remove_wave(void **state)
{
    (void)state;
    unlink(truth.path);
    rmdir(truth.folder);
    return 0;
}

static void run_wave(const char *text, struct outcome *o)
{
    run_script_with(text, NULL, truth.folder, o);
    test_ok(o->status, &o->err);
}

/* Domain 1 of G84, quad: EVENT counts signal 10, PRE signal 11. */
#define SETUP "w a7c4 1\nw a484 10\nw a4a4 aaaa\nw a404 11\nw a424 aaaa\n"
#define SWAP  "w a424 aaaa\n"
#define HEAD  "chip G84\nwave w.vcd\n"

/* Verifies that a wave is counted whole: setting up takes no time, and the swap after its end
 * works. */
static void test_whole(void **state)
{
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock posedge top.clk\nbind 1 10 top.a\nbind 1 11 top.count[3]\n" SETUP
                  "run end\n" SWAP "r a604\nr a684\nr a704\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), EDGES);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a);
    assert_int_equal(read_value(&o, 2, 0xa704), truth.bit3);
}

/* Verifies negedge and iff, in both senses. */
static void test_clocks(void **state)
{
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock negedge clk\nbind 1 10 top.a\n" SETUP "run end\n" SWAP
                  "r a604\nr a684\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), EDGES);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a_at_negedge);
    run_wave(HEAD "bind 1 clock clk iff !rst\nbind 1 10 top.a\n" SETUP "run end\n" SWAP
                  "r a604\nr a684\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), truth.out_of_reset);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a_out_of_reset);
    run_wave(HEAD "bind 1 clock clk iff top.rst\nbind 1 10 top.a\n" SETUP "run end\n" SWAP
                  "r a604\nr a684\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), EDGES - truth.out_of_reset);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a - truth.a_out_of_reset);
}

/*
 * Verifies that `sample` is every timestamp and its own values, also beside the edges of a signal;
 * a condition is looked at in the sample.
 */
static void test_samples(void **state)
{
    const unsigned stamps = 2 * EDGES + 1; /* and the first one */
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock sample\nbind 1 10 top.a\nbind 1 11 top.clk\n" SETUP "run end\n" SWAP
                  "r a604\nr a684\nr a704\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), stamps);
    assert_int_equal(read_value(&o, 1, 0xa684), 2 * truth.a_at_negedge);
    assert_int_equal(read_value(&o, 2, 0xa704), EDGES);
    run_wave(HEAD "bind 1 clock sample iff !top.clk\nbind 1 10 top.a\n" SETUP "run end\n" SWAP
                  "r a604\nr a684\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), stamps - EDGES);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a_at_negedge);
    run_wave(HEAD "bind 1 clock sample\nbind 2 clock clk\nbind 1 10 a\nbind 2 10 a\n" SETUP
                  "w a7c8 1\nw a488 10\nw a4a8 aaaa\nw a428 0\nrun end\n" SWAP
                  "w a428 0\nr a604\nr a684\nr a608\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), stamps);
    assert_int_equal(read_value(&o, 1, 0xa684), 2 * truth.a_at_negedge);
    assert_int_equal(read_value(&o, 2, 0xa608), EDGES + 1);
    /* in quotes it is the name of a signal */
    run_script_with(HEAD "bind 1 clock \"sample\"\nrun end\n", NULL, truth.folder, &o);
    assert_int_equal(o.status, PC_ENOENT);
    assert_int_equal(o.err.column, 15);
}

/* Verifies that `run N` counts cycles of the wave, and that writes after it take some of them. */
static void test_time(void **state)
{
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock clk\nbind 1 10 a\n" SETUP "run 40\n" SWAP "r a604\nr a684\n"
                  "repeat 9 w 200 0\nlatency 0\n" SWAP "run 1\nr a604\nr a684\n",
             &o);
    /* The swap is in the 41st cycle, and that one belongs to the next period. */
    assert_int_equal(read_value(&o, 0, 0xa604), 40);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a_until[40]);
    assert_int_equal(read_value(&o, 2, 0xa604), 10);
    assert_int_equal(read_value(&o, 3, 0xa684), truth.a_until[50] - truth.a_until[40]);
}

/* Verifies that latency set before the first run is in force after it. */
static void test_latency(void **state)
{
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock clk\nlatency 5 2\n" SETUP "run 1\n" SWAP "r 0\n" SWAP "r a604\n",
             &o);
    assert_int_equal(read_value(&o, 1, 0xa604), 5 + 2);
}

/* Verifies that two domains follow two clocks, and that edges at one instant are simultaneous. */
static void test_two_clocks(void **state)
{
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock clk\nbind 2 clock slow\nbind 1 10 a\nbind 2 10 a\n" SETUP
                  "w a7c8 1\nw a488 10\nw a4a8 aaaa\nw a428 0\nrun end\n" SWAP
                  "w a428 0\nr a604\nr a684\nr a608\nr a688\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), EDGES);
    assert_int_equal(read_value(&o, 1, 0xa684), truth.a);
    /* After the end, cycles come in both domains: the write for domain 1 took one of domain 2. */
    assert_int_equal(read_value(&o, 2, 0xa608), truth.slow + 1);
    assert_in_range(read_value(&o, 3, 0xa688), truth.a_slow, truth.a_slow + 1);
    /* Domain 1 has its edges while domain 2 waits for 50. */
    run_wave(HEAD "bind 1 clock clk\nbind 2 clock slow\n" SETUP "run 50 2\nlatency 0\n" SWAP
                  "run 1 1\nr a604\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa604), 49 * 3 + 1);
}

/* Verifies that unknown levels count as 0, and that signals that are not bound can still be set. */
static void test_levels(void **state)
{
    struct outcome o;

    (void)state;
    run_wave(HEAD "bind 1 clock clk\nbind 1 10 dark\nset 1 11 1\n" SETUP "run end\n" SWAP
                  "r a684\nr a704\n",
             &o);
    assert_int_equal(read_value(&o, 0, 0xa684), 0);
    assert_int_equal(read_value(&o, 1, 0xa704), EDGES);
}

static void count_cycles(void *ctx, struct pc_gpu *gpu)
{
    uint64_t *cycles = ctx;

    for (unsigned d = 0; d < 8; d++)
        cycles[d] = pc_unit_cycle(pc_gpu_unit(gpu), d);
}

/* Verifies that domains whose clock is not bound do not advance, and what follows the end. */
static void test_unbound(void **state)
{
    const char *text = HEAD "bind 1 clock clk\nw 200 0\nrun end\nrun end\nw 200 0\nrun 7\n";
    uint64_t cycles[8];
    struct pc_script_result result;
    struct pc_error err;
    struct pc_script_desc desc = {
        .text = text, .size = strlen(text), .directory = truth.folder, .inspect = count_cycles
    };

    (void)state;
    test_ok(pc_script_run(&desc, NULL, cycles, &result, &err), &err);
    assert_int_equal(cycles[1], EDGES + 1 + 7);
    for (unsigned d = 0; d < 8; d++)
        if (d != 1)
            assert_int_equal(cycles[d], 0);
}

struct warnings {
    char path[300], text[300];
    unsigned calls;
};

static void on_warning(void *ctx, const char *path, const char *text)
{
    struct warnings *w = ctx;

    w->calls++;
    snprintf(w->path, sizeof w->path, "%s", path);
    snprintf(w->text, sizeof w->text, "%s", text);
}

/* Verifies that the caller is told what the reader tolerated, once, also where it fails later on.
 */
static void test_warning(void **state)
{
    static const char text[] = "chip G84\nwave rounded.csv\nbind 1 clock clk\nrun end\n";
    static const char *const ends[] = { "", "x,1,1\n" };
    char path[300];
    struct pc_script_result result;
    struct pc_error err;

    (void)state;
    snprintf(path, sizeof path, "%s/rounded.csv", truth.folder);
    for (size_t i = 0; i < 2; i++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f, "time [ns],clk,d\n0,0,0\n1.0005,1,0\n2,0,1\n3.0004,1,1\n%s", ends[i]);
        fclose(f);
        struct warnings w = { .calls = 0 };
        struct pc_script_desc desc = {
            .text = text, .size = strlen(text), .directory = truth.folder, .warning = on_warning
        };
        assert_int_equal(pc_script_run(&desc, NULL, &w, &result, &err), i ? PC_EINPUT : PC_OK);
        assert_int_equal(w.calls, 1);
        assert_string_equal(w.path, path);
        assert_non_null(strstr(w.text, "time 1.0005 in line 3 is rounded"));
        desc.warning = NULL; /* nobody wants it */
        assert_int_equal(pc_script_run(&desc, NULL, &w, &result, &err), i ? PC_EINPUT : PC_OK);
    }
    remove(path);
}

struct files {
    char path[300];
    unsigned calls;
    bool refuse;
};

static enum pc_status on_file(void *ctx, const char *path, struct pc_error *err)
{
    struct files *f = ctx;

    f->calls++;
    snprintf(f->path, sizeof f->path, "%s", path);
    if (!f->refuse)
        return PC_OK;
    *err = (struct pc_error){ .status = PC_EARG, .code = 908, .text = "not this one" };
    return PC_EARG;
}

/* Verifies that the caller is told which file the script opens, and can refuse it. */
static void test_file(void **state)
{
    static const char *const texts[] = { HEAD "bind 1 clock clk\nrun end\n",
                                         "chip G84\n\twave   \"w.vcd\" # a wave\n" };
    struct pc_script_result result;
    struct pc_error err;
    char want[300];

    (void)state;
    snprintf(want, sizeof want, "%s/w.vcd", truth.folder);
    for (size_t i = 0; i < 2; i++) {
        struct pc_script_desc desc = {
            .text = texts[i], .size = strlen(texts[i]), .directory = truth.folder, .file = on_file
        };
        struct files f = { .calls = 0 };
        test_ok(pc_script_run(&desc, NULL, &f, &result, &err), &err);
        assert_int_equal(f.calls, 1);
        assert_string_equal(f.path, want);
        f.refuse = true;
        assert_int_equal(pc_script_run(&desc, NULL, &f, &result, &err), PC_EARG);
        assert_int_equal(err.code, 908);
        assert_int_equal(err.line, 2);
        assert_non_null(strstr(err.text, "not this one"));
        desc.text = "chip G84\nwave -\n"; /* refused before it is read */
        desc.size = strlen(desc.text);
        assert_int_equal(pc_script_run(&desc, NULL, &f, &result, &err), PC_EARG);
        assert_string_equal(f.path, "-");
        desc.text = "chip G84\nwave w.vcd\nrun\n"; /* a mistake, so nothing is opened */
        desc.size = strlen(desc.text);
        f.calls = 0;
        assert_int_equal(pc_script_run(&desc, NULL, &f, &result, &err), PC_EINPUT);
        assert_int_equal(f.calls, 0);
    }
}

static const struct {
    const char *text;
    enum pc_status status;
    uint32_t line, column;
    const char *says;
} mistakes[] = {
    { HEAD "bind 1 clock clk\n run 301", PC_EINPUT, 4, 2, "after 300 of 301" },
    { HEAD "bind 1 clock clk\nrun 299\nrun 2", PC_EINPUT, 5, 1, "after 1 of 2" },
    { "chip G84\nwave no.vcd\n", PC_ENOENT, 2, 6, "no.vcd" },
    { HEAD "bind 1 clock top.clkk\n", PC_ENOENT, 3, 14, "clk" },
    { HEAD "bind 1 clock clk iff !reset\n", PC_ENOENT, 3, 23, "reset" },
    { HEAD "bind 1 clock clk\nbind 1 10 nothing\n", PC_ENOENT, 4, 11, "nothing" },
    { HEAD "bind 1 10 top.count\n", PC_EINPUT, 3, 11, "4 bits" },
    { HEAD "bind 1 10 top.count[3:2]\n", PC_EINPUT, 3, 11, "2 bits" },
    { HEAD "bind 1 10 top.count[4]\n", PC_EINPUT, 3, 11, "w.vcd" },
};

static void test_mistakes(void **state)
{
    struct outcome o;

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        run_script_with(mistakes[i].text, NULL, truth.folder, &o);
        if (o.status != mistakes[i].status || o.err.line != mistakes[i].line ||
            o.err.column != mistakes[i].column || !strstr(o.err.text, mistakes[i].says))
            fail_msg("\"%s\": %s at %u:%u: %s", mistakes[i].text, pc_status_name(o.status),
                     (unsigned)o.err.line, (unsigned)o.err.column, o.err.text);
    }
}

/* Verifies that a wave that breaks off in the middle is told at the script's line, with the wave's
 * name. */
static void test_broken_wave(void **state)
{
    char path[100];
    struct outcome o;

    (void)state;
    snprintf(path, sizeof path, "%s/bad.vcd", truth.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("$timescale 1 ns $end\n$var wire 1 c clk $end\n$enddefinitions "
          "$end\n#0\n0c\n#5\n1c\n#7\n0c\n#6\n1c\n",
          file);
    fclose(file);
    run_script_with("chip G84\nwave bad.vcd\nbind 1 clock clk\nw a7c4 1\nrun 1\nr 200\nw a7c4 1\n",
                    NULL, truth.folder, &o);
    unlink(path);
    assert_int_equal(o.status, PC_EINPUT);
    assert_int_equal(o.err.line, 7); /* the access that needed the time */
    assert_non_null(strstr(o.err.text, "bad.vcd"));
    assert_string_equal(o.text, "000200 ffffffff\n");
}

/* Verifies that an absolute path is taken as it is. */
static void test_absolute(void **state)
{
    char text[200];
    struct outcome o;

    (void)state;
    snprintf(text, sizeof text, "chip G84\nwave \"%s\"\nbind 1 clock clk\nrun %d\n", truth.path,
             EDGES);
    run_script_with(text, NULL, "/nowhere", &o);
    test_ok(o.status, &o.err);
}

/*
 * Verifies that memory running out at any point is PC_ENOMEM, and that nothing leaks.  Refused
 * once, some of it can be done without: the reader then takes another way.
 */
static void test_allocator_fails(void **state)
{
    const char *text = HEAD "bind 1 clock clk iff !rst\nbind 1 10 a\nbind 1 11 count[3]\n" SETUP
                            "run 20\nrun end\n" SWAP "r a684\n";
    struct outcome o = { .status = PC_ENOMEM };
    size_t n;

    (void)state;
    for (n = 1; n < 2000 && o.status == PC_ENOMEM; n++) {
        struct test_heap heap = { .fail_at = n, .fail_on = true };
        struct pc_alloc alloc = { test_heap_resize, &heap };
        run_script_with(text, &alloc, truth.folder, &o);
        assert_int_equal(heap.live, 0);
    }
    test_ok(o.status, &o.err);
    assert_in_range(n, 8, 1999);
}

/* Verifies the counts of a real simulation (PicoRV32's Dhrystone) with four-input functions. */
static void test_picorv32(void **state)
{
    char path[1000], text[1400];
    struct outcome o;

    (void)state;
    if (!test_shared("waves/picorv32/picorv32_dhry2_icarus.vcd.gz", path, sizeof path))
        skip();
    snprintf(text, sizeof text,
             "chip G92\nwave \"%s\"\nbind 1 clock testbench.clk iff testbench.resetn\n"
             "bind 1 10 testbench.mem_valid\nbind 1 11 testbench.mem_ready\nbind 1 12 "
             "testbench.mem_instr\n"
             "w a7c4 1\nw a484 00001110\nw a4a4 8888\nw a4c4 00121110\nw a4e4 8080\nw a424 0\n"
             "run end\nw a424 0\nr a604\nr a684\nr a744\n",
             path);
    run_script(text, &o);
    assert_int_equal(read_value(&o, 0, 0xa604), 83681);
    assert_int_equal(read_value(&o, 1, 0xa684), 21237);
    assert_int_equal(read_value(&o, 2, 0xa744), 16452);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),    cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_samples),  cmocka_unit_test(test_time),
        cmocka_unit_test(test_latency),  cmocka_unit_test(test_two_clocks),
        cmocka_unit_test(test_levels),   cmocka_unit_test(test_file),
        cmocka_unit_test(test_warning),  cmocka_unit_test(test_unbound),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_broken_wave),
        cmocka_unit_test(test_absolute), cmocka_unit_test(test_allocator_fails),
        cmocka_unit_test(test_picorv32),
    };
    return cmocka_run_group_tests(tests, write_wave, remove_wave);
}
