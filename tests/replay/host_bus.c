/* SPDX-License-Identifier: MIT */
/*
 * Accesses as signals of the host domain (D-34): the method of envytools' nvacounter on each
 * chip whose signals are known, and the numbers against the list they come from.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "model/gpu/gpu.h"

static struct pc_gpu *make(const struct pc_chip *chip)
{
    struct pc_gpu_desc desc = { .chip = chip };
    struct pc_gpu *gpu = NULL;
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    return gpu;
}

static void trigger(struct pc_gpu *gpu)
{
    pc_gpu_write32(gpu, 0x400084, pc_gpu_read32(gpu, 0x400084) | 0x20);
}

/* 1000 reads and 200 writes between two triggers; `source` are PRE, START, EVENT, STOP, in place
 * SRC[at]. */
static void measure(struct pc_gpu *gpu, const uint32_t source[4], unsigned at)
{
    static const uint32_t is_source[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };

    pc_gpu_write32(gpu, 0xa7c0, 1);
    for (uint32_t i = 0; i < 4; i++) {
        pc_gpu_write32(gpu, 0xa400 + 0x40 * i, source[i] << 8 * at);
        pc_gpu_write32(gpu, 0xa420 + 0x40 * i, is_source[at]);
    }
    trigger(gpu);
    for (int i = 0; i < 1000; i++)
        (void)pc_gpu_read32(gpu, 0x200);
    for (int i = 0; i < 200; i++)
        pc_gpu_write32(gpu, 0x200, UINT32_MAX);
    trigger(gpu);
    for (int i = 0; i < 8; i++)
        (void)pc_gpu_read32(gpu, 0xa400);
}

/* Verifies 1001, 201, 1202 and, where a signal for it is known, 3003. */
static void test_counts(void **state)
{
    unsigned chips = 0, triples = 0;

    (void)state;
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        const struct pc_host_bus_row *bus = pc_host_bus(chip);
        if (!bus)
            continue;
        bool triple = bus->read_triple >= 0;
        const uint32_t source[4] = { bus->read, bus->write, bus->any,
                                     triple ? (uint32_t)bus->read_triple : bus->read };
        struct pc_gpu *gpu = make(chip);
        measure(gpu, source, (unsigned)(i % 4));
        assert_int_equal(pc_gpu_read32(gpu, 0xa700), 1001);
        assert_int_equal(pc_gpu_read32(gpu, 0xa6c0), 201);
        assert_int_equal(pc_gpu_read32(gpu, 0xa680), 1202);
        assert_int_equal(pc_gpu_read32(gpu, 0xa740), triple ? 3003 : 1001);
        pc_gpu_destroy(gpu);
        chips++;
        triples += triple;
    }
    assert_int_equal(chips, 11);
    assert_int_equal(triples, 6);
}

/* Verifies that the option turns the signals off, and that reads then take no time. */
static void test_off(void **state)
{
    const struct pc_chip *chip = pc_chip_find("G80");
    const uint32_t source[4] = { 0x1d, 0x2a, 0x29, 0x1c };
    struct pc_gpu *gpu = make(chip);
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_option(gpu, "host-bus", "off", &err), &err);
    measure(gpu, source, 0);
    pc_gpu_write32(gpu, 0xa400, 0); /* time for the trigger: four writes */
    for (int i = 0; i < 4; i++)
        pc_gpu_write32(gpu, 0xa404, 0);
    assert_int_equal(pc_gpu_read32(gpu, 0xa700), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0xa740), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0xa600), 201); /* the writes alone */
    pc_gpu_destroy(gpu);
}

/* Verifies the signal numbers against the list of envytools. */
static void test_numbers(void **state)
{
    char file[1000], line[400];
    unsigned rows = 0;

    (void)state;
    if (!test_shared("facts/signals.csv", file, sizeof file))
        skip();
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char name[16], signal[32];
        unsigned domain, number;
        if (sscanf(line, "%15[^,],nv40,single,%u,%x,%31[^,]", name, &domain, &number, signal) != 4)
            continue;
        const struct pc_chip *chip = pc_chip_find(name);
        const struct pc_host_bus_row *bus = chip ? pc_host_bus(chip) : NULL;
        int expected = -1;
        if (bus && strcmp(signal, "pbus.pcie_rd") == 0)
            expected = bus->read;
        else if (bus && strcmp(signal, "pbus.pcie_wr") == 0)
            expected = bus->write;
        else if (bus && strcmp(signal, "pbus.pcie_trans") == 0)
            expected = bus->any;
        else if (strcmp(signal, "unk.siga7") == 0)
            expected = bus ? bus->read_triple : -2;
        else
            continue;
        assert_non_null(bus);
        assert_int_equal(domain, bus->domain);
        assert_int_equal(number, expected);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 3 * 11 + 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
