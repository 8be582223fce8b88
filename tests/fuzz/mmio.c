/* SPDX-License-Identifier: MIT */
/*
 * The input is a chip and what a guest does with its card: accesses of 1 to 8 bytes at any address,
 * time that passes, snapshots.  What must hold: an access of 8 bytes is what two of 4 bytes are,
 * and one of fewer bytes reads those of its register, shown on a second device that makes the same
 * accesses in other widths where no time passes; a loaded snapshot goes on as the device that was
 * saved.  Each action has 16 bytes, so that a mutator can move them.
 */
#include "fuzz.h"
#include "mmio.h"

#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2, MOST_ACTIONS = 250, REGISTERS = 1024, MEMORY = 1 << 20 };

struct cards {
    struct pc_gpu *gpu[DEVICES];
    struct fuzz_heap heap;
    struct pc_alloc alloc;
    const struct pc_chip *chip;
    bool cut; /* the second device makes accesses in other widths: no signal of the bus may tell */
};

static struct pc_gpu *device(struct cards *c, unsigned stepping)
{
    const struct pc_gpu_desc desc = { .chip = c->chip,
                                      .alloc = &c->alloc,
                                      .memory_limit = MEMORY,
                                      .stepping = stepping & 0xff,
                                      .ptimer = stepping >> 8 & 1 };
    struct pc_gpu *gpu = NULL;
    struct pc_error err = { 0 };
    const enum pc_status status = pc_gpu_create(&desc, &gpu, &err);

    fuzz_check_error(status, &err);
    FUZZ_CHECK((status == PC_OK) == (gpu != NULL));
    if (gpu)
        pc_gpu_latency(gpu, 0, 0);
    return gpu;
}

static void same_state(const struct cards *c)
{
    const size_t size = pc_gpu_state_size(c->gpu[0]);
    FUZZ_CHECK(size == pc_gpu_state_size(c->gpu[1]));
    uint8_t *a = malloc(size), *b = malloc(size);

    FUZZ_CHECK(a && b);
    pc_gpu_save(c->gpu[0], a);
    pc_gpu_save(c->gpu[1], b);
    FUZZ_CHECK(memcmp(a, b, size) == 0);
    free(a);
    free(b);
}

/* Mostly a register, or some bytes beside it; else anywhere in BAR0. */
static uint32_t address_of(const struct cards *c, const uint8_t *action)
{
    static struct {
        const struct pc_chip *chip;
        uint32_t address[REGISTERS];
        size_t count;
    } kept;
    const uint32_t wild =
        (uint32_t)action[4] | (uint32_t)action[5] << 8 | (uint32_t)action[6] << 16;
    struct pc_reg_info reg;

    if (kept.chip != c->chip) {
        kept.chip = c->chip;
        for (kept.count = 0;
             kept.count < REGISTERS && pc_reg_enum(c->chip, kept.count, &reg) == PC_OK;)
            kept.address[kept.count++] = reg.address;
    }
    if (action[7] & 0x80 || kept.count == 0)
        return action[7] & 0x40 ? wild : wild | 0xff000000u;
    return kept.address[wild % kept.count] + (action[7] & 0x20 ? action[7] & 7u : 0);
}

/* The second device makes an access by halves, the low one first, where it can be cut there. */
static void write_both(const struct cards *c, uint32_t address, unsigned size, uint64_t value)
{
    pc_gpu_write(c->gpu[0], address, size, value);
    if (c->cut && size == 8 && address % 4 == 0 && address < 0xfffffff8u) {
        pc_gpu_write(c->gpu[1], address, 4, value & UINT32_MAX);
        pc_gpu_write(c->gpu[1], address + 4, 4, value >> 32);
    } else {
        pc_gpu_write(c->gpu[1], address, size, value);
    }
}

static void read_both(const struct cards *c, uint32_t address, unsigned size)
{
    const uint64_t whole = pc_gpu_read(c->gpu[0], address, size);
    uint64_t parts;

    if (c->cut && size == 8 && address % 4 == 0 && address < 0xfffffff8u) {
        parts = pc_gpu_read(c->gpu[1], address, 4);
        parts |= pc_gpu_read(c->gpu[1], address + 4, 4) << 32;
    } else if (c->cut && size < 4 && address % 4 + size <= 4 &&
               pc_gpu_decodes(c->gpu[0], address)) { /* some bytes of a register */
        parts = pc_gpu_read(c->gpu[1], address & ~3u, 4) >> 8 * (address % 4);
        parts &= UINT64_MAX >> (64 - 8 * size);
    } else {
        parts = pc_gpu_read(c->gpu[1], address, size);
    }
    FUZZ_CHECK(whole == parts);
    FUZZ_CHECK(size >= 8 || whole >> 8 * size == 0);
}

static void run_both(const struct cards *c, uint32_t number)
{
    struct pc_error err = { 0 }, other = { 0 };
    const unsigned domain = number >> 16 & 3;
    const enum pc_status a = pc_gpu_run(c->gpu[0], domain, number % 2048, &err);

    fuzz_check_error(a, &err);
    FUZZ_CHECK(pc_gpu_run(c->gpu[1], domain, number % 2048, &other) == a);
}

static void snapshot(const struct cards *c, uint32_t number)
{
    const size_t size = pc_gpu_state_size(c->gpu[0]);
    struct pc_error err = { 0 };
    uint8_t *state = malloc(size);

    FUZZ_CHECK(state != NULL);
    pc_gpu_save(c->gpu[0], state);
    pc_gpu_write32(c->gpu[1], number & 0xfffffc, number); /* it goes its own way before */
    const enum pc_status status = pc_gpu_load(c->gpu[1], state, size, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK);
    free(state);
    same_state(c);
}

static void set_both(const struct cards *c, uint32_t number)
{
    struct pc_error err = { 0 }, other = { 0 };
    const enum pc_status a =
        pc_gpu_set(c->gpu[0], number >> 8 & 3, number % 256, number >> 31, &err);

    fuzz_check_error(a, &err);
    FUZZ_CHECK(pc_gpu_set(c->gpu[1], number >> 8 & 3, number % 256, number >> 31, &other) == a);
}

static void act(const struct cards *c, const uint8_t action[MMIO_ACTION])
{
    static const unsigned width[] = { 1, 2, 4, 8, 4, 3, 5, 7 };
    const uint32_t address = address_of(c, action);
    struct fuzz_bytes in = { action + 8, 8 };
    const uint64_t value = fuzz_u64(&in);

    switch (action[0] % 8) {
    case 0:
    case 1:
    case 2:
        write_both(c, address, width[action[1] % 8], value);
        break;
    case 3:
    case 4:
        read_both(c, address, width[action[1] % 8]);
        break;
    case 5:
        run_both(c, (uint32_t)value);
        break;
    case 6:
        set_both(c, (uint32_t)value);
        break;
    default:
        if (action[1] & 1)
            snapshot(c, (uint32_t)value);
        else
            for (unsigned i = 0; i < DEVICES; i++)
                pc_gpu_io_write32(c->gpu[i], address, (uint32_t)value);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cards c = { .heap.limit = (size_t)1 << 26 };
    struct pc_error err = { 0 };

    if (size < MMIO_HEAD)
        return 0;
    c.alloc = fuzz_alloc(&c.heap);
    c.chip = fuzz_chip(data[0]);
    c.cut = data[3] & 1;
    for (unsigned i = 0; i < DEVICES; i++)
        c.gpu[i] = device(&c, data[1] | (unsigned)data[2] << 8);
    FUZZ_CHECK((c.gpu[0] == NULL) == (c.gpu[1] == NULL));
    for (unsigned i = 0; c.gpu[0] && c.cut && i < DEVICES; i++)
        fuzz_check_error(pc_gpu_option(c.gpu[i], "host-bus", "off", &err), &err);
    for (size_t n = 0; c.gpu[0] && n < MOST_ACTIONS && size >= MMIO_HEAD + (n + 1) * MMIO_ACTION;
         n++)
        act(&c, data + MMIO_HEAD + n * MMIO_ACTION);
    fuzz_taken += c.gpu[0] != NULL;
    if (c.gpu[0])
        same_state(&c);
    for (unsigned i = 0; i < DEVICES; i++)
        pc_gpu_destroy(c.gpu[i]);
    fuzz_all_returned(&c.heap);
    return 0;
}
