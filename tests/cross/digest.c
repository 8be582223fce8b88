/* SPDX-License-Identifier: MIT */
/*
 * What the library computes, in a few lines that must be the same on every machine: made
 * natively and by cross-compiled builds, big-endian ones among them, and compared by
 * compare.sh.  Needs nothing but the C library.  What can be held to a second way of
 * computing it (kernels to rules, blocks to steps) is, too: a difference ends the program.
 *
 * `digest ROUNDS` only holds this CPU's best kernel to the rules, and prints its name: for machines
 * that are slow to emulate.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_check.h"
#include "pcounter/pcounter.h"

static uint64_t seed;

static uint64_t next(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * UINT64_C(0x2545f4914f6cdd1d);
}

/* FNV-1a over the value's bytes, least significant first. */
static uint64_t hash(uint64_t h, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        h = (h ^ (value >> 8 * i & 255)) * UINT64_C(0x100000001b3);
    return h;
}

static const uint64_t EMPTY = UINT64_C(0xcbf29ce484222325);

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return;
    fprintf(stderr, "refused: %s\n", err->text);
    exit(1);
}

static void hold(const struct pc_kernel *kernel, unsigned rounds)
{
    size_t words = 0;
    const char *wrong = kernel_check(kernel, 7, rounds, &words);

    if (!wrong)
        wrong = kernel_check_tables(kernel);
    if (!wrong)
        return;
    fprintf(stderr, "%s of kernel %s differs (%zu words)\n", wrong, kernel->name, words);
    exit(1);
}

static void kernels(void)
{
    enum { ROUNDS = 100 };

    for (size_t i = 0; pc_kernel_at(i); i++)
        if (pc_kernel_at(i)->usable())
            hold(pc_kernel_at(i), ROUNDS);
    fprintf(stderr, "kernel: %s\n", pc_kernel_best()->name);
}

/* Packets as the memory sees them, byte by byte. */
static enum pc_mem_result packet(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                                 size_t size)
{
    uint64_t *h = ctx;

    *h = hash(hash(*h, domain), address);
    for (size_t i = 0; i < size; i++)
        *h = hash(*h, data[i]);
    return PC_MEM_OK;
}

/* The addresses of a chip's registers. */
struct registers {
    uint32_t address[2048];
    size_t count;
};

static void find_registers(const struct pc_chip *chip, struct registers *r)
{
    struct pc_reg_info reg;

    r->count = 0;
    while (r->count < 2048 && pc_reg_enum(chip, r->count, &reg) == PC_OK)
        r->address[r->count++] = reg.address;
}

static void random_write(struct pc_unit *unit, const struct registers *r)
{
    const uint32_t address = r->address[next() % r->count];
    const uint64_t value = next() >> 63 ? next() : next() & next() & next();

    pc_unit_write(unit, address, (uint32_t)(value >> 32));
}

static uint64_t all_registers(const struct pc_unit *unit, const struct registers *r, uint64_t h)
{
    for (size_t i = 0; i < r->count; i++)
        h = hash(h, pc_unit_read(unit, r->address[i]));
    return h;
}

static void one_set(const struct pc_chip *chip, enum pc_set set, const struct registers *r)
{
    uint64_t h = EMPTY, raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    const struct pc_unit_desc desc = {
        .chip = chip, .set = set, .mem_write = packet, .mem_ctx = &h
    };
    struct pc_error err;
    struct pc_unit *unit;

    must(pc_unit_create(&desc, &unit, &err), &err);
    for (size_t i = 0; i < 4 * r->count; i++)
        random_write(unit, r);
    for (unsigned cycle = 0; cycle < 2000; cycle++) {
        for (unsigned d = 0; d < PC_MAX_DOMAINS; d++)
            for (unsigned w = 0; w < PC_SIG_WORDS; w++)
                raw[d][w] = next();
        if (cycle % 8 == 0)
            random_write(unit, r);
        pc_unit_step(unit, (uint32_t)(next() >> 56), (const uint64_t(*)[PC_SIG_WORDS])raw);
        if (cycle % 256 == 0)
            h = all_registers(unit, r, h);
    }
    printf("%s %d %016" PRIx64 "\n", chip->name, (int)set, all_registers(unit, r, h));
    pc_unit_destroy(unit);
}

static void units(void)
{
    static struct registers registers;

    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        find_registers(chip, &registers);
        if (chip->layout == PC_LAYOUT_NV10 || chip->layout == PC_LAYOUT_NV40)
            one_set(chip, PC_SET_ALL, &registers);
        for (size_t s = 0; pc_chip_set(chip, s); s++)
            one_set(chip, pc_chip_set(chip, s)->set, &registers);
    }
}

enum { CLOCKS = 640, WORDS = CLOCKS / 64 };

static uint64_t plane_of[2 + PC_HPM_LINES][WORDS];

static bool bit(const uint64_t *plane, unsigned t)
{
    return plane[t / 64] >> t % 64 & 1;
}

/* All lines, and retirements of one unit's instructions, step by step. */
static void one_core(const struct pc_hpm_config *config)
{
    const struct pc_hpm_desc desc = { .config = config };
    struct pc_hpm_state state = { .selector = { 0 } };
    uint8_t bytes[PC_HPM_STATE_SIZE];
    struct pc_hpm *hpm;
    struct pc_error err;
    uint64_t h = EMPTY;

    for (unsigned i = 0; i < 2 + PC_HPM_LINES; i++)
        for (unsigned w = 0; w < WORDS; w++)
            plane_of[i][w] = next() & next();
    must(pc_hpm_create(&desc, &hpm, &err), &err);
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST && config->perf_counter_en; c++)
        state.selector[c] = (uint8_t)(1 + next() % (PC_HPM_EVENTS - 1));
    must(pc_hpm_set_state(hpm, &state, &err), &err);
    for (unsigned t = 3; t < CLOCKS - 7; t++) {
        struct pc_hpm_in in = { .port[0] = { .ack = bit(plane_of[0], t),
                                             .fu = bit(plane_of[1], t),
                                             .op = PC_HPM_OP_OTHER } };
        struct pc_hpm_out out;
        for (unsigned i = 0; i < PC_HPM_LINES; i++)
            in.lines |= (uint32_t)bit(plane_of[2 + i], t) << i;
        pc_hpm_step(hpm, &in, &out);
    }
    pc_hpm_save(hpm, bytes);
    for (unsigned i = 0; i < PC_HPM_STATE_SIZE; i++)
        h = hash(h, bytes[i]);
    printf("%s %016" PRIx64 "\n", config->name, h);
    pc_hpm_destroy(hpm);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        hold(pc_kernel_best(), (unsigned)strtoul(argv[1], NULL, 10));
        puts(pc_kernel_best()->name);
        return 0;
    }
    kernels();
    seed = 1;
    units();
    for (size_t i = 0; pc_hpm_config_at(i); i++)
        one_core(pc_hpm_config_at(i));
    return 0;
}
