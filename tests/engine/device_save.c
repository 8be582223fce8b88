/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of the device: one that is saved and loaded into another goes on as if nothing had
 * happened, and what is damaged is refused, or harmless.
 */
#include "device_pair.h"
#include "heap.h"

#include "model/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const chips[] = {
    "NV10", "NV40", "G80", "G84", "GT215", "GF100", "GK104", "C51"
};

enum { TRIALS = 60, LONG_TRIALS = 2000, COMMANDS = 20, MOST = 300 };

struct saved {
    uint8_t *bytes;
    size_t size;
};

static struct saved save(const struct pc_gpu *gpu)
{
    struct saved s = { .size = pc_gpu_state_size(gpu) };

    s.bytes = malloc(s.size + 1);
    assert_non_null(s.bytes);
    s.bytes[s.size] = 0x5a;
    pc_gpu_save(gpu, s.bytes);
    assert_int_equal(s.bytes[s.size], 0x5a);
    return s;
}

static void assert_is(const struct pc_gpu *gpu, const uint8_t *bytes, size_t size)
{
    struct saved now = save(gpu);

    assert_int_equal(now.size, size);
    assert_memory_equal(now.bytes, bytes, size);
    free(now.bytes);
}

static struct pc_gpu *make(const char *chip, size_t memory_limit)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(chip), .memory_limit = memory_limit };
    struct pc_gpu *gpu;
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    return gpu;
}

/* Another device in its place, which has had a life of its own. */
static struct pc_gpu *replace(struct test_rng *rng, struct pc_gpu *gpu)
{
    struct pc_gpu *other = make(pc_gpu_chip(gpu)->name, 1 << 20);
    struct saved s = save(gpu);
    struct pc_error err;

    if (test_rand_below(rng, 2) && pc_gpu_domain_count(other) > 0) {
        static const uint8_t levels[100] = { 1, 1, 1 };
        pc_gpu_write32(other, 0xa7c0, 2);
        test_ok(pc_gpu_play(other, 0, 1, levels, sizeof levels, &err), &err);
        test_ok(pc_gpu_run(other, 0, 30, &err), &err);
    }
    test_ok(pc_gpu_load(other, s.bytes, s.size, &err), &err);
    assert_is(other, s.bytes, s.size);
    pc_gpu_destroy(gpu);
    free(s.bytes);
    return other;
}

static enum pc_status set_level(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_set(gpu, with[0], with[1], with[2] & 1, NULL);
}

static enum pc_status play(struct pc_gpu *gpu, const uint32_t *with)
{
    uint8_t levels[500];
    uint32_t state = with[3];

    for (unsigned i = 0; i < sizeof levels; i++, state = state * 1664525 + 1013904223)
        levels[i] = state >> 30 == 0;
    return pc_gpu_play(gpu, with[0], with[1], levels, 1 + with[2] % sizeof levels, NULL);
}

static enum pc_status set_idle(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_set_idle(gpu, with[2], NULL);
}

static enum pc_status run_idle(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_run(gpu, PC_DOM_PDAEMON, with[2] % 50, NULL);
}

/* Packets of domain 1, where there is record mode; if none has failed before, they go out. */
static void send_packets(struct test_rng *rng, struct pair *p)
{
    if (strcmp(p->chip->name, "G84") != 0 && strcmp(p->chip->name, "GT215") != 0)
        return;
    pair_write(p, 0xa7a4, 1);
    pair_write(p, 0xa7a0, 0x80000001);
    pair_write(p, 0xa7c4, 2);
    pair_write(p, 0xa4c4, test_rand_below(rng, 8));
    pair_write(p, 0xa4e4, 0xaaaa);
    pair_write(p, 0xa724, UINT32_MAX);
    pair_write(p, 0xa764, (uint32_t)test_rand(rng));
    pair_write(p, 0xa7a8, 0);
}

static void command(struct test_rng *rng, struct pair *p)
{
    const uint32_t with[] = { test_rand_below(rng, p->domains + 1), test_rand_below(rng, 8),
                              (uint32_t)test_rand(rng), (uint32_t)test_rand(rng) };
    static pair_change_fn *const changes[] = { set_level, play, play, set_idle, run_idle };

    switch (test_rand_below(rng, 8)) {
    case 0:
        pc_gpu_pulse(p->fast, PC_PULSE_PM_TRIGGER);
        pc_gpu_pulse(p->slow, PC_PULSE_PM_TRIGGER);
        break;
    case 1:
        pair_write(p, 0x400084, 0x20);
        break;
    case 2:
        pair_random_access(rng, p);
        break;
    case 3:
        send_packets(rng, p);
        break;
    case 4:
        if (p->domains > 0)
            pair_run(rng, p, MOST);
        break;
    default:
        pair_both(p, changes[test_rand_below(rng, sizeof changes / sizeof changes[0])], with);
        break;
    }
}

static void goes_on_where_it_was(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(406, &seed);

    (void)state;
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS); i++) {
        struct pair p;
        pair_begin(&p, chips[i % (sizeof chips / sizeof chips[0])]);
        if (test_rand_below(&rng, 2))
            pair_random_clocks(&rng, &p);
        if (test_rand_below(&rng, 2))
            pair_random_program(&rng, &p);
        for (unsigned k = 0; k < COMMANDS; k++) {
            command(&rng, &p);
            if (test_rand_below(&rng, 3) == 0)
                p.fast = replace(&rng, p.fast);
            pair_compare(&p, seed, i);
        }
        struct saved s = save(p.slow);
        assert_is(p.fast, s.bytes, s.size);
        free(s.bytes);
        pair_end(&p);
    }
}

/* All bytes of all members of MAIN are 1, but for those that cannot be. */
static void all_of_main(void **state)
{
    struct pc_gpu *from = make("GK20A", 0), *to = make("GK20A", 0);
    struct pc_error err;

    (void)state;
    memset(&from->pma, 1, sizeof from->pma);
    from->pma.start = from->pma.head = from->pma.bytes = 0x1010100;
    from->pma.limit = 0x10101000;
    from->pma.high = 1;
    struct saved s = save(from);
    test_ok(pc_gpu_load(to, s.bytes, s.size, &err), &err);
    assert_is(to, s.bytes, s.size);
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&from->pma);
    __builtin_clear_padding(&to->pma);
    assert_memory_equal(&from->pma, &to->pma, sizeof to->pma);
#endif
#endif
    free(s.bytes);
    pc_gpu_destroy(from);
    pc_gpu_destroy(to);
}

/* --- what is not to be trusted --- */

/* A device that has something of all that is saved. */
static struct pc_gpu *busy(const char *chip)
{
    struct test_rng rng = test_rng_start(77, NULL);
    struct pair p;
    struct pc_error err;

    pair_begin(&p, chip);
    send_packets(&rng, &p);
    pair_write(&p, 0xa404, 0x03020100);
    for (unsigned s = 0; s < 8; s++)
        test_ok(play(p.fast, (const uint32_t[]){ 1, s, 400 + s, s }), &err);
    test_ok(pc_gpu_run(p.fast, 1, 300, &err), &err);
    pc_gpu_destroy(p.slow);
    return p.fast;
}

/* Clocks that are alike: of others a few cycles of the slowest are very many of the fastest. */
static bool is_quick(const struct pc_gpu *gpu)
{
    for (unsigned x = 0; x < gpu->domains; x++)
        if (gpu->domain[x].period > 1000 || gpu->domain[x].next_edge > gpu->passed + 1000)
            return false;
    return true;
}

static void use(struct pc_gpu *gpu)
{
    const bool quick = is_quick(gpu);
    struct pc_error err;

    if (!quick)
        pc_gpu_latency(gpu, 0, 0);

    for (uint32_t i = 0; i < 20; i++) {
        (void)pc_gpu_read32(gpu, 0xa400 + 0x40 * i);
        pc_gpu_write32(gpu, 0xa7c4, i % 4);
        const unsigned domain = i % pc_gpu_domain_count(gpu);
        const enum pc_status status = quick ? pc_gpu_run(gpu, domain, 7, &err) : PC_OK;
        assert_true(status == PC_OK || status == PC_ELIMIT);
    }
}

static void damaged(void **state)
{
    struct test_rng rng = test_rng_start(409, NULL);
    struct pc_gpu *from = busy("GT215"), *gpu = make("GT215", 1 << 20);
    struct saved good = save(from);
    struct pc_error err;
    size_t refused = 0;

    (void)state;
    for (size_t i = 0; i < good.size; i += test_long() ? 1 : 1 + test_rand_below(&rng, 8)) {
        const uint8_t kept = good.bytes[i];
        struct saved before = save(gpu);
        good.bytes[i] = (uint8_t)(test_rand_below(&rng, 3) ? kept ^ 1u << test_rand_below(&rng, 8)
                                                           : test_rand(&rng));
        const enum pc_status status = pc_gpu_load(gpu, good.bytes, good.size, &err);
        if (status == PC_OK) {
            struct saved now = save(gpu);
            now.bytes[i] = good.bytes[i]; /* which nothing may be after */
            assert_memory_equal(now.bytes, good.bytes, good.size);
            free(now.bytes);
            use(gpu);
        } else {
            assert_is(gpu, before.bytes, before.size);
            assert_true(status == PC_EINPUT || status == PC_ELIMIT);
        }
        refused += status != PC_OK;
        good.bytes[i] = kept;
        free(before.bytes);
    }
    assert_in_range(refused, 20, good.size / 2);
    free(good.bytes);
    pc_gpu_destroy(from);
    pc_gpu_destroy(gpu);
}

static void cut_and_too_long(void **state)
{
    struct test_rng rng = test_rng_start(410, NULL);
    struct pc_gpu *from = busy("G84"), *gpu = make("G84", 1 << 20);
    struct saved good = save(from), before = save(gpu);
    struct pc_error err;

    (void)state;
    for (size_t size = 0; size < good.size; size += 1 + test_rand_below(&rng, 50)) {
        uint8_t *exact =
            malloc(size ? size : 1); /* so that a sanitizer sees what is read after it */
        assert_non_null(exact);
        memcpy(exact, good.bytes, size);
        assert_int_equal(pc_gpu_load(gpu, exact, size, &err), PC_EINPUT);
        assert_int_equal(err.code, 406);
        free(exact);
    }
    assert_int_equal(pc_gpu_load(gpu, good.bytes, good.size + 1, &err), PC_EINPUT);
    assert_is(gpu, before.bytes, before.size);
    test_ok(pc_gpu_load(gpu, good.bytes, good.size, &err), &err);
    free(good.bytes);
    free(before.bytes);
    pc_gpu_destroy(from);
    pc_gpu_destroy(gpu);
}

/* Refuses snapshots of another chip, of another version, of a unit alone, and with more record
 * memory than there is room for. */
static void of_another(void **state)
{
    struct pc_gpu *from = busy("G84"), *other = make("G86", 0), *small = make("G84", 1);
    struct saved good = save(from);
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_gpu_load(other, good.bytes, good.size, &err), PC_EINPUT);
    assert_non_null(strstr(err.text, "G86"));
    good.bytes[8]++;
    assert_int_equal(pc_gpu_load(from, good.bytes, good.size, &err), PC_EINPUT);
    assert_non_null(strstr(err.text, "version"));
    pc_unit_save(pc_gpu_unit(from), good.bytes);
    assert_int_equal(pc_gpu_load(from, good.bytes, pc_unit_state_size(pc_gpu_unit(from)), &err),
                     PC_EINPUT);
    pc_gpu_write32(from, 0xa764, 0x9000); /* a second page */
    test_ok(pc_gpu_run(from, 1, 300, &err), &err);
    free(good.bytes);
    good = save(from);
    assert_int_equal(pc_gpu_load(small, good.bytes, good.size, &err), PC_ELIMIT);
    assert_int_equal(err.code, 410);
    free(good.bytes);
    pc_gpu_destroy(from);
    pc_gpu_destroy(other);
    pc_gpu_destroy(small);
}

/* Loads a device of which one signal plays its last levels, with that player changed: its number of
 * levels, its domain and its signal. */
static unsigned code_of_player(uint64_t levels, uint8_t domain, uint8_t signal, size_t kept)
{
    static const uint8_t played[] = { 1, 0, 1 };
    enum { COUNT = sizeof played };
    struct pc_gpu *gpu = make("G80", 0);
    struct pc_error err = { 0 };

    test_ok(pc_gpu_play(gpu, 0, 1, played, COUNT, &err), &err);
    struct saved s = save(gpu);
    uint8_t *player = s.bytes + s.size - COUNT - 10; /* no page follows */
    assert_int_equal(player[0], COUNT);
    for (int i = 0; i < 8; i++)
        player[i] = (uint8_t)(levels >> 8 * i);
    player[8] = domain;
    player[9] = signal;
    const enum pc_status status = pc_gpu_load(gpu, s.bytes, s.size - COUNT + kept, &err);
    assert_int_equal(status, err.status);
    if (status == PC_OK)
        assert_is(gpu, s.bytes, s.size - COUNT + kept);
    free(s.bytes);
    pc_gpu_destroy(gpu);
    return err.code;
}

static void players(void **state)
{
    struct pc_gpu *gpu = make("G80", 0);
    const uint8_t domains = (uint8_t)pc_gpu_domain_count(gpu);

    (void)state;
    pc_gpu_destroy(gpu);
    assert_int_equal(code_of_player(3, 0, 1, 3), 0);
    assert_int_equal(code_of_player(1, (uint8_t)(domains - 1), 2, 1), 0);
    assert_int_equal(code_of_player(0, 0, 1, 0), 406);
    assert_int_equal(code_of_player(4, 0, 1, 3), 406);
    assert_int_equal(code_of_player(UINT64_MAX, 0, 1, 3), 406);
    assert_int_equal(code_of_player(3, domains, 1, 3), 406);
    assert_int_equal(code_of_player(3, 0, 255, 3), 406); /* which the unit drives */
}

static enum pc_status load_with(void *state, const struct pc_alloc *alloc, struct pc_error *err)
{
    const struct saved *s = state;
    const struct pc_gpu_desc desc = { .chip = pc_chip_find("G84"), .alloc = alloc };
    struct pc_gpu *gpu = NULL;
    enum pc_status status = pc_gpu_create(&desc, &gpu, err);

    if (status)
        return status;
    struct saved before = save(gpu);
    status = pc_gpu_load(gpu, s->bytes, s->size, err);
    if (status)
        assert_is(gpu, before.bytes, before.size);
    free(before.bytes);
    pc_gpu_destroy(gpu);
    return status;
}

static void without_memory(void **state)
{
    struct pc_gpu *from = busy("G84");
    struct saved s = save(from);

    (void)state;
    test_refuse_each(load_with, &s, 10 /* of load itself */);
    free(s.bytes);
    pc_gpu_destroy(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_where_it_was),
        cmocka_unit_test(damaged),
        cmocka_unit_test(cut_and_too_long),
        cmocka_unit_test(of_another),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(all_of_main),
        cmocka_unit_test(players),
    };

    return cmocka_run_group_tests_name("device_save", tests, NULL, NULL);
}
