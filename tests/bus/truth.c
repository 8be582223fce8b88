/* SPDX-License-Identifier: MIT */
/*
 * Every figure of every bus of the truth files, which were computed by a script and by monitors in
 * the benches.  What they say of busperf's way of counting is not a figure of ours.
 */
#include "test.h"
#include "pcounter/unstable/bus.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 8192 };

struct run {
    struct pc_wave *wave;
    struct pc_bus *bus;
    struct pc_wave_bit bit[BITS];
    uint32_t wire[BITS];
    size_t bits;
    uint64_t first_time, last_time;
};

static unsigned compared; /* figures, over all files */
static char where[500];

#define DIFFERS(...)                                                                               \
    do {                                                                                           \
        fprintf(stderr, "%s: ", where);                                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fail();                                                                                    \
    } while (0)

/* ---- numbers ---- */

static void same_text(const char *name, json_t *truth, const char *ours)
{
    char text[64];

    if (json_is_integer(truth))
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(truth));
    else
        snprintf(text, sizeof text, "%.17g", json_real_value(truth));
    if (strcmp(text, ours) != 0)
        DIFFERS("%s is %s, not %s\n", name, text, ours);
    compared++;
}

static void same_count(const char *name, json_t *truth, uint64_t ours)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", (unsigned long long)ours);
    same_text(name, truth, text);
}

static void same_wide(const char *name, json_t *truth, struct pc_wide ours)
{
    char text[PC_WIDE_TEXT];

    pc_wide_text(ours, text);
    same_text(name, truth, text);
}

static void same_double(const char *name, json_t *truth, double ours)
{
    const double number = json_number_value(truth);

    if (fabs(number - ours) > 1e-12 * fabs(number))
        DIFFERS("%s is %.17g, not %.17g\n", name, number, ours);
    compared++;
}

/* ---- distributions ---- */

static void same_hist(const struct pc_dist *dist, json_t *hist)
{
    char text[PC_WIDE_TEXT];
    struct pc_wide value;
    uint64_t times;
    size_t i = 0;

    for (; pc_dist_value(dist, i, &value, &times); i++) {
        pc_wide_text(value, text);
        json_t *truth = json_object_get(hist, text);
        if (!truth)
            DIFFERS("%s was never there\n", text);
        same_count(text, truth, times);
    }
    if (i != json_object_size(hist))
        DIFFERS("%zu values are missing\n", json_object_size(hist) - i);
}

static void same_dist(struct pc_dist *dist, json_t *truth)
{
    struct pc_dist_figures f;
    struct pc_error err;
    const char *key;
    json_t *value;

    test_ok(pc_dist_get_figures(dist, &f, &err), &err);
    assert_true(f.complete);
    json_object_foreach(truth, key, value)
    {
        if (strcmp(key, "count") == 0)
            same_count(key, value, f.count);
        else if (strcmp(key, "sum") == 0)
            same_wide(key, value, f.sum);
        else if (strcmp(key, "mean") == 0)
            same_double(key, value, f.mean);
        else if (strcmp(key, "hist") == 0)
            same_hist(dist, value);
        else
            same_wide(key, value,
                      strcmp(key, "min") == 0   ? f.min
                      : strcmp(key, "p50") == 0 ? f.rank[PC_P50]
                      : strcmp(key, "p90") == 0 ? f.rank[PC_P90]
                      : strcmp(key, "p99") == 0 ? f.rank[PC_P99]
                                                : f.max);
    }
}

/* ---- groups ---- */

static void same_outstanding(const struct pc_bus_group *g, json_t *truth, uint64_t cycles)
{
    struct pc_dist *dist = g->dist[PC_BUS_OUTSTANDING];
    struct pc_dist_figures f;
    struct pc_error err;

    test_ok(pc_dist_get_figures(dist, &f, &err), &err);
    same_count("max", json_object_get(truth, "max"), g->most_outstanding);
    same_wide("sum", json_object_get(truth, "sum"), f.sum);
    same_double("mean", json_object_get(truth, "mean"), pc_wide_double(f.sum) / (double)cycles);
    same_hist(dist, json_object_get(truth, "hist"));
}

static void same_responses(const struct pc_bus_group *g, json_t *truth)
{
    const char *key;
    json_t *value;

    assert_true(g->has_responses);
    json_object_foreach(truth, key, value) same_count(
        key, value, key[0] == 'x' ? g->response_unknown : g->response[strtoul(key, NULL, 10)]);
}

static void same_ids(struct run *r, size_t group, const struct pc_bus_group *g, json_t *truth)
{
    size_t found = 0;

    for (size_t i = 0; i < g->ids; i++) {
        char text[32];
        uint64_t id = 0;
        struct pc_dist *dist = pc_bus_of_id(r->bus, group, i, &id);
        snprintf(text, sizeof text, "%llu", (unsigned long long)id);
        json_t *of_id = json_object_get(truth, text);
        if (!of_id)
            continue;
        same_dist(dist, of_id);
        found++;
    }
    if (found != json_object_size(truth))
        DIFFERS("by_id has %zu identifiers, not %zu\n", json_object_size(truth), found);
}

static void same_bandwidth(const struct run *r, const struct pc_bus_group *g, json_t *truth)
{
    struct pc_bus_edges e;

    pc_bus_get_edges(r->bus, &e);
    assert_true(g->has >> PC_BUS_BYTES & 1);
    same_count("bytes", json_object_get(truth, "bytes"), g->count[PC_BUS_BYTES]);
    same_double("bytes_per_cycle", json_object_get(truth, "bytes_per_cycle"),
                (double)g->count[PC_BUS_BYTES] / (double)e.cycles);
    same_double("mean_period", json_object_get(truth, "mean_period"),
                (double)(r->last_time - r->first_time) / (double)(e.edges - 1));
    if (json_object_get(truth, "bus_bytes"))
        same_count("bus_bytes", json_object_get(truth, "bus_bytes"), g->count[PC_BUS_BUS_BYTES]);
}

static bool same_named_count(const struct pc_bus_group *g, const char *name, json_t *truth)
{
    for (unsigned c = 0; c < PC_BUS_COUNTS; c++)
        if (strcmp(pc_bus_count_name((enum pc_bus_count)c), name) == 0 && g->has >> c & 1) {
            same_count(name, truth, g->count[c]);
            return true;
        }
    return false;
}

static bool same_named_dist(const struct pc_bus_group *g, const char *name, json_t *truth)
{
    for (unsigned d = 0; d < PC_BUS_DISTS; d++)
        if (strcmp(pc_bus_dist_name((enum pc_bus_dist)d), name) == 0 && g->dist[d]) {
            same_dist(g->dist[d], truth);
            return true;
        }
    return false;
}

static void same_group(struct run *r, size_t group, const struct pc_bus_group *g, json_t *truth)
{
    const size_t length = strlen(where);
    struct pc_bus_edges e;
    const char *key;
    json_t *value;

    pc_bus_get_edges(r->bus, &e);
    json_object_foreach(truth, key, value)
    {
        snprintf(where + length, sizeof where - length, " %s", key);
        if (strcmp(key, "busperf") == 0)
            continue;
        if (strcmp(key, "outstanding") == 0)
            same_outstanding(g, value, e.cycles);
        else if (strcmp(key, "resp_beats") == 0)
            same_responses(g, value);
        else if (strcmp(key, "by_id") == 0)
            same_ids(r, group, g, value);
        else if (strcmp(key, "bandwidth") == 0)
            same_bandwidth(r, g, value);
        else if (strcmp(key, "throughput") == 0)
            same_double(key, value, (double)g->count[PC_BUS_COMPLETED] / (double)e.cycles);
        else if (strcmp(key, "count") == 0)
            continue; /* of packets: that of their distributions */
        else if (!same_named_count(g, key, value) && !same_named_dist(g, key, value))
            DIFFERS("there is no such figure\n");
    }
    where[length] = '\0';
}

static void same_bus(struct run *r, json_t *truth)
{
    json_t *channels = json_object_get(truth, "channels");
    struct pc_bus_edges e;
    struct pc_bus_group g;

    pc_bus_get_edges(r->bus, &e);
    same_count("edges", json_object_get(truth, "edges"), e.edges);
    same_count("reset_edges", json_object_get(truth, "reset_edges"), e.reset_edges);
    same_count("reset_unknown", json_object_get(truth, "reset_unknown"), e.reset_unknown);
    same_count("cycles", json_object_get(truth, "cycles"), e.cycles);
    size_t seen = 0;
    for (size_t i = 0; pc_bus_group_at(r->bus, i, &g) == PC_OK; i++) {
        json_t *of = json_object_get(g.kind == PC_BUS_CHANNEL ? channels : truth, g.name);
        if (!of)
            DIFFERS("there is no %s\n", g.name);
        const size_t length = strlen(where);
        snprintf(where + length, sizeof where - length, " [%s]", g.name);
        same_group(r, i, &g, of);
        if (g.kind == PC_BUS_CHANNEL && json_object_get(truth, "bandwidth"))
            same_bandwidth(r, &g, json_object_get(truth, "bandwidth"));
        where[length] = '\0';
        seen++;
    }
    assert_int_equal(seen, json_object_size(channels) + !!json_object_get(truth, "packets") +
                               !!json_object_get(truth, "read") +
                               !!json_object_get(truth, "write") +
                               !!json_object_get(truth, "transactions"));
}

/* ---- a run ---- */

static struct pc_bus_wires wires_of(struct run *r, const char *name)
{
    struct pc_bus_wires w = { .wire = r->wire + r->bits };
    struct pc_error err;
    size_t count = 0;

    test_ok(pc_wave_find_bits(r->wave, name, r->bit + r->bits, BITS - r->bits, &count, &err), &err);
    assert_true(count > 0 && count <= BITS - r->bits);
    for (size_t k = 0; k < count; k++, r->bits++)
        r->wire[r->bits] = (uint32_t)r->bits;
    w.width = (uint32_t)count;
    return w;
}

static void make_bus(struct run *r, json_t *truth)
{
    struct pc_bus_desc desc = { .has_reset = false };
    const char *role, *reset = json_string_value(json_object_get(truth, "reset"));
    struct pc_error err;
    json_t *path;
    size_t at;

    test_ok(pc_bus_protocol_find(json_string_value(json_object_get(truth, "protocol")),
                                 &desc.protocol, &err),
            &err);
    json_object_foreach(json_object_get(truth, "signals"), role, path)
    {
        test_ok(pc_bus_role_find(desc.protocol, role, &at, &err), &err);
        desc.role[at] = wires_of(r, json_string_value(path));
    }
    if (reset) {
        desc.has_reset = true;
        desc.reset_low = json_integer_value(json_object_get(truth, "reset_active")) == 0;
        desc.reset = wires_of(r, reset).wire[0];
    }
    desc.credit_init = (uint32_t)json_integer_value(json_object_get(truth, "credit_init"));
    test_ok(pc_bus_create(&desc, &r->bus, &err), &err);
}

static void read_blocks(struct run *r)
{
    struct pc_wave_block block;
    enum pc_status status;
    struct pc_error err;
    bool any = false;

    while ((status = pc_wave_next(r->wave, &block, &err)) == PC_OK) {
        if (!any && block.cycles > 0)
            r->first_time = block.first_time;
        any = any || block.cycles > 0;
        r->last_time = block.last_time;
        test_ok(pc_bus_add(r->bus, block.cycles, block.value, block.unknown, &err), &err);
    }
    if (status != PC_END)
        test_ok(status, &err);
    pc_bus_finish(r->bus);
}

static void try_bus(const char *path, json_t *truth)
{
    struct run *r = calloc(1, sizeof *r);
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_error err;
    uint32_t lo;
    unsigned stream;

    assert_non_null(r);
    test_ok(pc_wave_open(&(struct pc_wave_desc){ .path = path }, &r->wave, &err), &err);
    test_ok(pc_wave_find(r->wave, json_string_value(json_object_get(truth, "clock")),
                         &clock.clock.var, &clock.clock.bit, &lo, &err),
            &err);
    make_bus(r, truth);
    test_ok(pc_wave_bind(r->wave, &clock, r->bit, r->bits, &stream, &err), &err);
    read_blocks(r);
    same_bus(r, truth);
    pc_bus_destroy(r->bus);
    pc_wave_close(r->wave);
    free(r);
}

static void try_file(const char *folder, const char *name)
{
    char path[1500];
    json_error_t error;
    size_t i;
    json_t *bus;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *truth = json_load_file(path, 0, &error);
    if (!truth) { /* sums beyond 64 bits: of values, where there is no bus */
        truth = json_load_file(path, JSON_DECODE_INT_AS_REAL, &error);
        assert_int_equal(json_array_size(json_object_get(truth, "buses")), 0);
    }
    assert_non_null(truth);
    snprintf(path, sizeof path, "%s/%s", folder, json_string_value(json_object_get(truth, "wave")));
    json_array_foreach(json_object_get(truth, "buses"), i, bus)
    {
        snprintf(where, sizeof where, "%s %s", name,
                 json_string_value(json_object_get(bus, "name")));
        try_bus(path, bus);
    }
    json_decref(truth);
}

static void truth_files(void **state)
{
    char folder[1000];
    unsigned files = 0;
    struct dirent *entry;
    (void)state;

    if (!test_shared("waves/bus", folder, sizeof folder))
        skip();
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (!strstr(entry->d_name, ".truth.json"))
            continue;
        try_file(folder, entry->d_name);
        files++;
    }
    closedir(dir);
    print_message("%u figures of %u files are equal\n", compared, files);
    assert_true(files >= 25 && compared > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(truth_files) };

    return cmocka_run_group_tests_name("bus_truth", tests, NULL, NULL);
}
