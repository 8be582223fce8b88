/* SPDX-License-Identifier: MIT */
/* See unit_ops.h. */
#include "unit_ops.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CHIPS 128

/* Any memory: what a packet meets depends on its address alone, so two units meet the same. */
static enum pc_mem_result on_packet(void *ctx, unsigned domain, uint64_t address,
                                    const uint8_t *data, size_t size)
{
    const struct unit_case *c = ctx;
    uint64_t kind = (address >> 4) * 0x9e3779b97f4a7c15u >> 61;
    uint8_t copy[32];

    FUZZ_CHECK(domain < c->domains && address >> 40 == 0 && address % 16 == 0);
    FUZZ_CHECK(size == 16 || size == 32);
    memcpy(copy, data, size);
    return kind == 0 ? PC_MEM_FAULT : kind == 1 ? PC_MEM_PENDING : PC_MEM_OK;
}

/* "gpc3" and "gpc3.1" are of unit 3. */
static bool is_mine(const struct pc_unit_desc *desc, const struct pc_reg_info *reg)
{
    if (reg->set != desc->set)
        return false;
    return strtoul(reg->place + strcspn(reg->place, "0123456789"), NULL, 10) == desc->index ||
           desc->set == PC_SET_ALL || desc->set == PC_SET_HUB;
}

static bool is_hidden(const char *name)
{
    return strcmp(name, "CTR_PRE") == 0 || strcmp(name, "CTR_STOP") == 0;
}

/* Listing all of a chip takes long, so lists are kept; `kept` tells them apart. */
static void list_registers(struct unit_case *c, unsigned kept)
{
    static struct {
        struct unit_register reg[UNIT_REGISTERS];
        size_t regs;
    } list[MAX_CHIPS * 8];
    struct pc_reg_info reg;

    FUZZ_CHECK(kept < sizeof list / sizeof list[0]);
    for (size_t i = 0; list[kept].regs == 0 || i > 0; i++) {
        if (pc_reg_enum(c->desc.chip, i, &reg) != PC_OK)
            break;
        if (list[kept].regs == UNIT_REGISTERS || !is_mine(&c->desc, &reg))
            continue;
        list[kept].reg[list[kept].regs++] = (struct unit_register){ .address = reg.address,
                                                                    .rw_mask = reg.rw_mask,
                                                                    .readable = reg.readable,
                                                                    .writable = reg.writable,
                                                                    .hidden = is_hidden(reg.name) };
    }
    c->reg = list[kept].reg;
    c->regs = list[kept].regs;
}

bool unit_case_choose(struct unit_case *c, struct fuzz_bytes *in)
{
    const struct pc_chip *chip = fuzz_chip(fuzz_u8(in));
    const struct pc_set_info *set = NULL;
    unsigned where = fuzz_u8(in);
    size_t sets = 0;

    memset(c, 0, sizeof *c);
    c->heap.limit = (size_t)1 << 24;
    c->alloc = fuzz_alloc(&c->heap);
    c->desc = (struct pc_unit_desc){ .chip = chip,
                                     .alloc = &c->alloc,
                                     .mem_write = on_packet,
                                     .mem_ctx = c,
                                     .record_latency = where >> 6 };
    if (chip->layout == PC_LAYOUT_NONE)
        return false;
    while (pc_chip_set(chip, sets))
        sets++;
    if (sets > 0) {
        set = pc_chip_set(chip, where % sets);
        c->desc.set = set->set;
        c->desc.index = where / 4 % (set->units > 1 ? 2 : 1);
    }
    c->domains = set ? set->domains : chip->domains;
    list_registers(c, (unsigned)(chip - pc_chip_at(0)) * 8 + c->desc.set * 2 + c->desc.index);
    return c->regs > 0;
}

struct pc_unit *unit_case_create(struct unit_case *c)
{
    struct pc_unit *unit = NULL;
    struct pc_error err = { 0 };
    enum pc_status status = pc_unit_create(&c->desc, &unit, &err);

    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK && unit != NULL);
    FUZZ_CHECK(pc_unit_state_size(unit) <= UNIT_STATE_MAX);
    return unit;
}

const struct unit_register *unit_case_register(const struct unit_case *c, struct fuzz_bytes *in)
{
    size_t i = fuzz_u8(in);

    i |= (size_t)fuzz_u8(in) << 8;
    return &c->reg[i % c->regs];
}

void unit_step(struct pc_unit *unit, uint32_t edges, uint64_t *seed)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        for (unsigned w = 0; w < PC_SIG_WORDS; w++) {
            *seed = *seed * 6364136223846793005u + 1442695040888963407u;
            raw[x][w] = *seed ^ *seed >> 29;
        }
    pc_unit_step(unit, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
}

void unit_saved(const struct pc_unit *unit, uint8_t out[UNIT_STATE_MAX], size_t *size)
{
    *size = pc_unit_state_size(unit);
    if (*size < UNIT_STATE_MAX)
        out[*size] = 0xa5;
    pc_unit_save(unit, out);
    FUZZ_CHECK(*size == UNIT_STATE_MAX || out[*size] == 0xa5);
}

bool unit_same(const uint8_t *a, const uint8_t *b, size_t size)
{
    uint8_t differ = 0;

    for (size_t i = 0; i < size; i++)
        differ |= a[i] ^ b[i];
    return differ == 0;
}

void unit_must_equal(const struct pc_unit *a, const struct pc_unit *b)
{
    static uint8_t x[UNIT_STATE_MAX], y[UNIT_STATE_MAX];
    size_t size;

    unit_saved(a, x, &size);
    unit_saved(b, y, &size);
    FUZZ_CHECK(unit_same(x, y, size));
}
