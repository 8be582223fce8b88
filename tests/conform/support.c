/* SPDX-License-Identifier: MIT */
/* The bench of the conformance tests; see support.h. */
#include "support.h"

#include <string.h>

static enum pc_mem_result memory(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                                 size_t size)
{
    struct rig *rig = ctx;

    assert_true(size == 16 || size == 32);
    if (rig->packets < RIG_PACKETS) {
        struct packet *p = &rig->packet[rig->packets];
        *p = (struct packet){ .domain = domain, .address = address, .size = size };
        memcpy(p->data, data, size);
    }
    rig->packets++;
    if (rig->before > 0) {
        rig->before--;
        return PC_MEM_OK;
    }
    return rig->answer;
}

static void find_raw_signals(struct rig *rig, unsigned dom)
{
    for (unsigned s = 0; s < PC_MAX_SIGNALS && rig->raw_count[dom] < RIG_RAW; s++)
        if (pc_chip_signal(rig->chip, dom, s).kind == PC_SIG_RAW)
            rig->raw_signal[dom][rig->raw_count[dom]++] = (uint8_t)s;
}

void rig_open(struct rig *rig, const struct pc_chip *chip, unsigned dom, uint32_t latency)
{
    struct pc_error err = { 0 };
    struct pc_unit_desc desc = {
        .chip = chip, .mem_write = memory, .mem_ctx = rig, .record_latency = latency
    };

    *rig = (struct rig){ .chip = chip, .dom = dom, .answer = PC_MEM_OK, .changed = latency != 0 };
    for (unsigned d = 0; d < chip->domains; d++)
        find_raw_signals(rig, d);
    test_ok(pc_unit_create(&desc, &rig->unit, &err), &err);
}

void rig_close(struct rig *rig)
{
    pc_unit_destroy(rig->unit);
    rig->unit = NULL;
}

void rig_restart(struct rig *rig)
{
    pc_unit_reset(rig->unit);
    memset(rig->raw, 0, sizeof rig->raw);
    rig->packets = 0;
    rig->answer = PC_MEM_OK;
}

void rig_option(struct rig *rig, const char *decision, const char *value)
{
    struct pc_error err = { 0 };
    const struct pc_option_info *option;

    rig->changed = true;
    for (size_t i = 0; (option = pc_option_at(i)) != NULL; i++)
        if (strcmp(option->decision, decision) == 0) {
            test_ok(pc_unit_option(rig->unit, option->name, value, &err), &err);
            return;
        }
    fail_msg("no option of the model carries %s", decision);
}

void rig_write_dom(struct rig *rig, unsigned dom, enum reg reg, uint32_t value)
{
    uint32_t address = reg_address(rig->chip, reg, dom);

    if (!address)
        fail_msg("%s has no %s[%u]", rig->chip->name, reg_name(reg), dom);
    pc_unit_write(rig->unit, address, value);
}

uint32_t rig_read_dom(const struct rig *rig, unsigned dom, enum reg reg)
{
    uint32_t address = reg_address(rig->chip, reg, dom);

    if (!address)
        fail_msg("%s has no %s[%u]", rig->chip->name, reg_name(reg), dom);
    return pc_unit_read(rig->unit, address);
}

void rig_write(struct rig *rig, enum reg reg, uint32_t value)
{
    rig_write_dom(rig, rig->dom, reg, value);
}

uint32_t rig_read(const struct rig *rig, enum reg reg)
{
    return rig_read_dom(rig, rig->dom, reg);
}

uint64_t rig_count(const struct rig *rig, enum reg counter)
{
    uint64_t value = rig_read(rig, counter);
    bool wide = counter != CTR_PRE && counter != CTR_STOP;

    if (wide && chip_has(rig->chip, PC_F_CTR40)) /* the _HI register stands next in the list */
        value |= (uint64_t)rig_read(rig, counter + 1) << 32;
    return value;
}

void rig_select(struct rig *rig, enum reg src, unsigned s0, unsigned s1, unsigned s2, unsigned s3)
{
    rig_write(rig, src, s0 | s1 << 8 | s2 << 16 | s3 << 24);
}

unsigned chip_raw_count(const struct pc_chip *chip, unsigned dom)
{
    unsigned count = 0;

    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
        count += pc_chip_signal(chip, dom, s).kind == PC_SIG_RAW;
    return count;
}

unsigned rig_raw_dom(const struct rig *rig, unsigned dom, unsigned k)
{
    if (k >= rig->raw_count[dom])
        fail_msg("%s domain %u has no ordinary signal %u", rig->chip->name, dom, k);
    return rig->raw_signal[dom][k];
}

unsigned rig_raw(const struct rig *rig, unsigned k)
{
    return rig_raw_dom(rig, rig->dom, k);
}

void rig_set(struct rig *rig, unsigned dom, unsigned sig, bool level)
{
    uint64_t bit = UINT64_C(1) << sig % 64;

    if (level)
        rig->raw[dom][sig / 64] |= bit;
    else
        rig->raw[dom][sig / 64] &= ~bit;
}

void rig_line(struct rig *rig, unsigned line, bool level)
{
    rig_set(rig, rig->dom, rig_raw(rig, line), level);
}

bool rig_signal(const struct rig *rig, unsigned dom, unsigned sig)
{
    uint32_t address = sig_status_address(rig->chip, dom, sig / 32);

    if (!address)
        fail_msg("%s shows no status of signal %02x of domain %u", rig->chip->name, sig, dom);
    return pc_unit_read(rig->unit, address) >> sig % 32 & 1;
}

unsigned event_slot(const struct rig *rig, unsigned viewer, unsigned dom)
{
    return rig->chip->domain[viewer].trailer_base + 0x17u - dom;
}

unsigned flag_slot(const struct rig *rig, unsigned viewer, unsigned dom)
{
    return rig->chip->domain[viewer].trailer_base + 0x1fu - dom;
}

bool rig_flag(const struct rig *rig)
{
    return rig_signal(rig, rig->dom, flag_slot(rig, rig->dom, rig->dom));
}

bool rig_event(const struct rig *rig)
{
    return rig_signal(rig, rig->dom, event_slot(rig, rig->dom, rig->dom));
}

void rig_edges(struct rig *rig, uint32_t edges)
{
    pc_unit_step(rig->unit, edges, (const uint64_t(*)[PC_SIG_WORDS])rig->raw);
}

void rig_step(struct rig *rig, unsigned n)
{
    while (n-- > 0)
        rig_edges(rig, 1u << rig->dom);
}

void rig_step_all(struct rig *rig, unsigned n)
{
    while (n-- > 0)
        rig_edges(rig, (1u << rig->chip->domains) - 1);
}
