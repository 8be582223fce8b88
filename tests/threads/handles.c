/* SPDX-License-Identifier: MIT */
/*
 * Handles that were made apart share nothing that changes (pcounter.h): each thread makes its own
 * of each kind, at the same time, and has the same results as one thread alone.  The preset tsan
 * looks at what they touch.
 */
#include "test.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 6 };

struct digest {
    uint64_t sum;
    struct pc_error first; /* whose status is neither PC_OK nor PC_END */
};

static void mix(struct digest *d, uint64_t value)
{
    d->sum = (d->sum ^ value) * 0x9e3779b97f4a7c15u + 1;
}

static void mix_text(struct digest *d, const char *text)
{
    while (text && *text)
        mix(d, (unsigned char)*text++);
}

static bool good(struct digest *d, enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return true;
    if (status != PC_END && d->first.status == PC_OK)
        d->first = *err;
    return false;
}

static void units(struct digest *d)
{
    static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 5 } };
    static const char *const chips[] = { "NV34", "NV40", "G92", "GT215" };
    struct pc_error err;

    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        const struct pc_unit_desc desc = { .chip = pc_chip_find(chips[i]) };
        const struct pc_gpu_desc card = { .chip = desc.chip };
        struct pc_unit *unit = NULL;
        struct pc_live *live = NULL;
        struct pc_gpu *gpu = NULL;
        if (good(d, pc_unit_create(&desc, &unit, &err), &err) &&
            good(d, pc_live_open(unit, &live, &err), &err))
            for (int cycle = 0; cycle < 500; cycle++)
                pc_live_step(live, 3, raw);
        pc_live_close(live);
        for (uint32_t address = 0xa600; unit && address < 0xa700; address += 4)
            mix(d, pc_unit_read(unit, address));
        pc_unit_destroy(unit);
        if (good(d, pc_gpu_create(&card, &gpu, &err), &err))
            for (uint32_t address = 0xa400; address < 0xa500; address += 4) {
                pc_gpu_write(gpu, address, 4, address);
                mix(d, pc_gpu_read(gpu, address, 4));
            }
        pc_gpu_destroy(gpu);
    }
}

static void languages(struct digest *d)
{
    struct pc_compile_request request = { .chip = pc_chip_find("G92"), .mode = PC_COUNT_QUAD };
    struct pc_program program;
    struct pc_expr *expr = NULL;
    struct pc_error err;

    if (good(d, pc_expr_parse(NULL, "rise(s10) & (s11 ^ s12)", &expr, &err), &err) &&
        good(d, pc_expr_resolve(expr, test_signal, NULL, &err), &err)) {
        request.input[PC_INPUT_EVENT] = expr;
        if (good(d, pc_compile(&request, &program, &err), &err))
            for (size_t i = 0; i < program.writes; i++)
                mix(d, program.write[i].value);
    }
    pc_expr_free(expr);
    /* an error, with names that are near */
    if (pc_expr_parse(NULL, "rise(s10", &expr, &err) != PC_OK)
        mix_text(d, err.text);
    for (size_t i = 0; i < pc_chip_count(); i++)
        mix_text(d, pc_chip_at(i)->name);
}

static void waves(struct digest *d, const char *path, unsigned threads)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads };
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bit;
    struct pc_wave_block block;
    struct pc_wave *wave = NULL;
    struct pc_error err;
    unsigned stream;
    size_t n;

    if (good(d, pc_wave_open(&desc, &wave, &err), &err) &&
        good(d, pc_wave_find_bits(wave, "soc_tb.clk", &clock.clock, 1, &n, &err), &err) &&
        good(d, pc_wave_find_bits(wave, "hit", &bit, 1, &n, &err), &err) &&
        good(d, pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err))
        while (good(d, pc_wave_next(wave, &block, &err), &err))
            for (uint32_t i = 0; i < (block.cycles + 63) / 64; i++)
                mix(d, block.value[0][i]);
    pc_wave_close(wave);
}

static void work(struct digest *d)
{
    for (int round = 0; round < ROUNDS; round++) {
        units(d);
        languages(d);
        waves(d, PC_SOURCE_DIR "/examples/soc/soc.fst", 1 + (unsigned)round % 3);
    }
    waves(d, PC_SOURCE_DIR "/examples/soc/soc.vcd.gz", 2);
}

static void *thread(void *digest)
{
    work(digest);
    return NULL;
}

static void handles_in_threads(void **state)
{
    struct digest alone = { 0 }, each[THREADS] = { { 0 } };
    pthread_t id[THREADS];

    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&id[i], NULL, thread, &each[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(id[i], NULL), 0);
    work(&alone);
    test_ok(alone.first.status, &alone.first);
    for (int i = 0; i < THREADS; i++) {
        test_ok(each[i].first.status, &each[i].first);
        assert_true(each[i].sum == alone.sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(handles_in_threads) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
