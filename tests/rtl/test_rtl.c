/* SPDX-License-Identifier: MIT */
/*
 * The second witness: the library and the Verilog of rtl/ play the same scripts and must tell the
 * same.
 *
 *   test_rtl CHIP              PC_RTL_SCRIPTS random scripts, seed PC_SEED; 500 by Icarus Verilog,
 *                              with PC_TEST_LONG 23,000 by Verilator, which are 10^6 cycles
 *   test_rtl directed FILE...  scripts by hand, whose `c ADDR VALUE` lines hold the answers
 *   test_rtl model CHIP SET    compiles the Verilog of a set, all, hub, gpc or part, as
 * CHIP_SET.vvp, for sequences.py
 *
 * 77 where Icarus Verilog is not installed.
 */
#include "rtl.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p == '\n' ? p + 1 : p;
}

static int line_length(const char *p)
{
    return (int)strcspn(p, "\n");
}

/* Where two logs part; false if they are equal. */
struct difference {
    const char *library, *verilog; /* the lines */
    unsigned number;               /* of the last "m" line before */
};
static bool compare(const char *library, const char *verilog, struct difference *out)
{
    *out = (struct difference){ library, verilog, 0 };
    while (*out->library || *out->verilog) {
        size_t n = (size_t)line_length(out->library);
        if (n != (size_t)line_length(out->verilog) || memcmp(out->library, out->verilog, n) != 0)
            return true;
        if (*out->library == 'm')
            out->number = (unsigned)strtoul(out->library + 1, NULL, 10);
        out->library = next_line(out->library);
        out->verilog = next_line(out->verilog);
    }
    return false;
}

/* The script that begins with "m NUMBER", one instant a line and everything dumped after each
 * command, whose number then stands in the log. */
static void dissect(const char *stimulus, unsigned number, struct rtl_text *plain,
                    struct rtl_text *verbose)
{
    char start[32];
    unsigned command = 0;

    snprintf(start, sizeof start, "m %u\n", number);
    const char *p = stimulus;
    while (strncmp(p, start, strlen(start)) != 0)
        p = next_line(p);
    do {
        const char *next = next_line(p);
        unsigned mask, count = 1;
        rtl_add_bytes(plain, p, (size_t)(next - p));
        bool edges = sscanf(p, "e %x %u", &mask, &count) == 2;
        for (unsigned i = 0; *p != 'm' && *p != 'r' && i < count; i++) {
            if (edges)
                rtl_add(verbose, "e %02x 1\n", mask);
            else
                rtl_add_bytes(verbose, p, (size_t)(next - p));
            rtl_add(verbose, "m %u\nr\n", command);
        }
        p = next;
        command++;
    } while (*p && *p != 'm');
}

static const char *command_at(const char *script, unsigned number)
{
    while (number-- > 0)
        script = next_line(script);
    return script;
}

/* Two lists of "r ADDR VALUE", ascending, without the zeros: says where they differ. */
static void report_registers(const struct pc_chip *chip, const char *library, const char *verilog)
{
    unsigned at[2], value[2];

    for (;;) {
        if (sscanf(library, "r %x %x", &at[0], &value[0]) != 2)
            at[0] = UINT_MAX;
        if (sscanf(verilog, "r %x %x", &at[1], &value[1]) != 2)
            at[1] = UINT_MAX;
        unsigned address = at[0] < at[1] ? at[0] : at[1];
        if (address == UINT_MAX)
            return;
        for (unsigned i = 0; i < 2; i++)
            if (at[i] != address)
                value[i] = 0;
        if (value[0] != value[1])
            fprintf(stderr, "  %04x %-10s library %08x, Verilog %08x\n", address,
                    rtl_name(chip, address), value[0], value[1]);
        library = at[0] == address ? next_line(library) : library;
        verilog = at[1] == address ? next_line(verilog) : verilog;
    }
}

/* Finds the very command after which the two differ. */
static void report(const struct pc_chip *chip, const char *name, const char *stimulus,
                   unsigned number)
{
    struct rtl_text plain = { 0 }, verbose = { 0 }, library = { 0 }, verilog = { 0 };
    struct difference at;
    char path[128];

    dissect(stimulus, number, &plain, &verbose);
    snprintf(path, sizeof path, "%s.failed", name);
    rtl_save(&plain, path);
    rtl_play(chip, verbose.data, &library);
    rtl_simulate(name, &verbose, &verilog);
    fprintf(stderr, "script %u is in %s\n", number, path);
    if (compare(library.data, verilog.data, &at)) {
        const char *command = command_at(plain.data, at.number);
        fprintf(stderr, "first seen after its command %u: %.*s\n", at.number, line_length(command),
                command);
        report_registers(chip, at.library, at.verilog);
    } else {
        fprintf(stderr, "every register agrees after every command; the logs differ elsewhere: "
                        "perhaps where a cycle and an access share an edge (pcounter_tb.v)\n");
    }
    rtl_free(&plain);
    rtl_free(&verbose);
    rtl_free(&library);
    rtl_free(&verilog);
}

enum { BATCH = 1000 }; /* scripts of one run of the simulator */

/* Plays one batch of random scripts, `first` and on; false if the two differ. */
static bool batch(const struct pc_chip *chip, const char *name, struct test_rng *rng,
                  unsigned first, unsigned past, uint64_t *instants)
{
    struct rtl_text stimulus = { 0 }, library = { 0 }, verilog = { 0 };
    struct difference at;
    char path[80];

    for (unsigned i = first; i < past; i++)
        rtl_generate(&stimulus, chip, rng, i);
    *instants += rtl_play(chip, stimulus.data, &library);
    rtl_simulate(name, &stimulus, &verilog);
    snprintf(path, sizeof path, "%s.library", name);
    rtl_save(&library, path);
    bool differ = compare(library.data, verilog.data, &at);
    if (differ) {
        fprintf(stderr, "%s: script %u: library and Verilog differ\n", chip->name, at.number);
        report(chip, name, stimulus.data, at.number);
    }
    rtl_free(&stimulus);
    rtl_free(&library);
    rtl_free(&verilog);
    return !differ;
}

static int random_scripts(const char *chip_name)
{
    struct pc_chip chip;
    const char *wanted = getenv("PC_RTL_SCRIPTS");
    bool is_long = getenv("PC_TEST_LONG") != NULL;
    unsigned count = wanted ? (unsigned)strtoul(wanted, NULL, 10) : is_long ? 23000 : 500;
    uint64_t seed, instants = 0;
    char name[64];
    bool agree = true;

    if (!rtl_chip(chip_name, &chip))
        rtl_die("%s: no such chip", chip_name);
    snprintf(name, sizeof name, "rtl_%s", chip.name);
    struct test_rng rng = test_rng_start(20240617, &seed);
    if (is_long && !rtl_use_verilator())
        fprintf(stderr, "Verilator is not installed: Icarus Verilog takes twenty times as long\n");
    rtl_compile(&chip, name);
    for (unsigned i = 0; i < count && agree; i += BATCH)
        agree = batch(&chip, name, &rng, i, i + BATCH < count ? i + BATCH : count, &instants);
    printf("%s: seed %" PRIu64 ", %u scripts, %" PRIu64 " cycles of the clock: %s\n", chip.name,
           seed, count, instants, agree ? "library and Verilog agree" : "they differ");
    return !agree;
}

/* Removes comments and the "chip" line, which names the chip. */
static void strip(const struct rtl_text *file, const char *path, struct rtl_text *stimulus,
                  struct pc_chip *chip)
{
    bool found = false;
    char name[32];

    for (const char *p = file->data; *p; p = next_line(p)) {
        size_t n = strcspn(p, "#\n");
        if (sscanf(p, "chip %31s", name) == 1)
            found = rtl_chip(name, chip);
        else if (strspn(p, " ") < n)
            rtl_add(stimulus, "%.*s\n", (int)n, p);
    }
    if (!found)
        rtl_die("%s: no line names the chip", path);
}

/* Checks the log against the `c` lines of the stimulus; counts the wrong ones. */
static unsigned expectations(const char *who, const char *path, const char *stimulus,
                             const char *log)
{
    unsigned wrong = 0, address, expected, got;

    for (; *stimulus; stimulus = next_line(stimulus)) {
        if (sscanf(stimulus, "c %x %x", &address, &expected) != 2)
            continue;
        if (sscanf(log, "c %*x %x", &got) != 1)
            rtl_die("%s: %s: the log ends too early", path, who);
        log = next_line(log);
        if (got != expected) {
            fprintf(stderr, "%s: %s: %04x reads %08x, not %08x\n", path, who, address, got,
                    expected);
            wrong++;
        }
    }
    return wrong;
}

static unsigned directed_script(const char *path)
{
    struct rtl_text file = { 0 }, stimulus = { 0 }, library = { 0 }, verilog = { 0 };
    struct pc_chip chip;

    rtl_load(&file, path);
    strip(&file, path, &stimulus, &chip);
    rtl_compile(&chip, "rtl_directed");
    rtl_play(&chip, stimulus.data, &library);
    rtl_simulate("rtl_directed", &stimulus, &verilog);
    unsigned wrong = expectations("library", path, stimulus.data, library.data) +
                     expectations("Verilog", path, stimulus.data, verilog.data);
    rtl_free(&file);
    rtl_free(&stimulus);
    rtl_free(&library);
    rtl_free(&verilog);
    return wrong;
}

static int model(const char *name, const char *set)
{
    static const char *const sets[] = {
        [PC_SET_ALL] = "all", [PC_SET_HUB] = "hub", [PC_SET_GPC] = "gpc", [PC_SET_PART] = "part"
    };
    const struct pc_chip *chip = pc_chip_find(name);
    struct pc_chip view;
    struct pc_error err;
    char path[64];
    unsigned s = 0;

    while (s < 3 && strcmp(sets[s], set) != 0)
        s++;
    if (!chip || pc_chip_of_set(chip, (enum pc_set)s, &view, &err) != PC_OK)
        rtl_die("%s %s: no such set", name, set);
    snprintf(path, sizeof path, "%s_%s", name, set);
    rtl_compile(&view, path);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned wrong = 0;

    if (argc < 2)
        rtl_die("usage: test_rtl CHIP | directed FILE... | model CHIP SET");
    if (!rtl_have_simulator()) {
        test_say_skip(argv[1], "iverilog and vvp are not installed");
        return 77;
    }
    if (strcmp(argv[1], "model") == 0 && argc == 4)
        return model(argv[2], argv[3]);
    if (strcmp(argv[1], "directed") != 0)
        return random_scripts(argv[1]);
    for (int i = 2; i < argc; i++)
        wrong += directed_script(argv[i]);
    if (wrong == 0)
        printf("%d directed scripts agree\n", argc - 2);
    return wrong != 0;
}
