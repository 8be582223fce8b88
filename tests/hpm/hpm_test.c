/* SPDX-License-Identifier: MIT */
#include "hpm_test.h"

#include <string.h>

struct pc_hpm *hpm_of(const struct pc_hpm_config *config, const char *profile, uint32_t on,
                      uint32_t off)
{
    struct pc_hpm_desc desc = { .config = config, .quirks_on = on, .quirks_off = off };
    struct pc_hpm *h = NULL;
    struct pc_error err;

    assert_non_null(config);
    test_ok(pc_hpm_profile_find(profile, &desc.profile, &err), &err);
    test_ok(pc_hpm_create(&desc, &h, &err), &err);
    return h;
}

struct pc_hpm *hpm_new(const char *config, const char *profile, uint32_t on, uint32_t off)
{
    return hpm_of(pc_hpm_config_find(config), profile, on, off);
}

struct pc_hpm_mode mode_m(void)
{
    return (struct pc_hpm_mode){ .privilege = 3 };
}

struct pc_hpm_mode mode_of(unsigned privilege, bool v)
{
    return (struct pc_hpm_mode){ .privilege = (uint8_t)privilege, .virtualised = v };
}

enum pc_hpm_cause csr_try(struct pc_hpm *h, struct pc_hpm_mode mode, enum pc_hpm_csr_op op,
                          unsigned address, uint64_t operand)
{
    const struct pc_hpm_access a = { .op = op, .address = (uint16_t)address, .operand = operand };

    return pc_hpm_csr(h, mode, &a, NULL);
}

void csrw(struct pc_hpm *h, unsigned address, uint64_t value)
{
    enum pc_hpm_cause cause = csr_try(h, mode_m(), PC_HPM_CSR_WRITE, address, value);

    if (cause != PC_HPM_NO_TRAP)
        fail_msg("csrw %03x traps with %d", address, (int)cause);
}

uint64_t csrr(struct pc_hpm *h, unsigned address)
{
    const struct pc_hpm_access a = { .op = PC_HPM_CSR_READ, .address = (uint16_t)address };
    uint64_t value = 0x5a5a;
    enum pc_hpm_cause cause = pc_hpm_csr(h, mode_m(), &a, &value);

    if (cause != PC_HPM_NO_TRAP)
        fail_msg("csrr %03x traps with %d", address, (int)cause);
    return value;
}

uint64_t peek(const struct pc_hpm *h, unsigned counter)
{
    struct pc_hpm_state s;

    pc_hpm_get_state(h, &s);
    return s.counter[counter];
}

void poke(struct pc_hpm *h, unsigned counter, uint64_t value)
{
    struct pc_hpm_state s;
    struct pc_error err;

    pc_hpm_get_state(h, &s);
    s.counter[counter] = value;
    test_ok(pc_hpm_set_state(h, &s, &err), &err);
}

void select_event(struct pc_hpm *h, unsigned counter, unsigned event)
{
    struct pc_hpm_state s;
    struct pc_error err;

    pc_hpm_get_state(h, &s);
    s.selector[counter] = (uint8_t)event;
    test_ok(pc_hpm_set_state(h, &s, &err), &err);
}

struct pc_hpm_out clock_of(struct pc_hpm *h, const struct pc_hpm_in *in)
{
    struct pc_hpm_out out;

    memset(&out, 0xa5, sizeof out);
    pc_hpm_step(h, in, &out);
    return out;
}

struct pc_hpm_port port_of(enum pc_hpm_fu fu, enum pc_hpm_op op, unsigned rd)
{
    return (
        struct pc_hpm_port){ .ack = true, .fu = (uint8_t)fu, .op = (uint8_t)op, .rd = (uint8_t)rd };
}

void random_in(struct test_rng *rng, struct pc_hpm_in *in)
{
    static const uint8_t registers[] = { 0, 1, 5, 2, 4, 16, 31 };

    memset(in, 0, sizeof *in);
    in->mode = (struct pc_hpm_mode){ .privilege = 3, .debug = test_rand_below(rng, 8) == 0 };
    in->lines = (uint32_t)(test_rand(rng) & test_rand(rng)) & ((1u << PC_HPM_LINES) - 1);
    for (unsigned i = 0; i < 3; i++)
        in->way_valid[i] = test_rand_below(rng, 3) == 0 ? UINT32_MAX >> test_rand_below(rng, 32)
                                                        : (uint32_t)test_rand(rng);
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++)
        in->port[p] = (struct pc_hpm_port){
            .ack = test_rand_below(rng, 4) != 0,
            .fu = (uint8_t)test_rand_below(rng, 12),
            .op = (uint8_t)test_rand_below(rng, 3),
            .rd = registers[test_rand_below(rng, sizeof registers)],
            .rs1_known = test_rand_below(rng, 2) != 0,
            .rs1 = registers[test_rand_below(rng, sizeof registers)],
        };
}
