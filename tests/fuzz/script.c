/* SPDX-License-Identifier: MIT */
/*
 * The input is a script.  Scripts that ask for more cycles than a run of the target can
 * afford are left out, as are those that name another waveform than script.vcd beside this
 * file.  What must hold: a mistake has its line, the figures of a result agree with what the
 * callbacks saw, and the same script gives the same output twice.  The text is also played
 * as what happens around a device of the caller's own.
 */
#include "fuzz.h"
#include "pcounter/unstable/script.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 4096
#define COST_MAX 20000 /* cycles of the fastest domain */

struct seen {
    uint64_t mismatches, lines, reads, writes, singles;
    bool inspected;
    uint64_t hash;
};

/* Sum of the numbers after `word` in a line: the first one, or all. */
static uint64_t numbers_after(const char *line, const char *word, bool all)
{
    const char *p = strstr(line, word);
    uint64_t sum = 0;

    while (p && *(p += strcspn(p, "0123456789"))) {
        char *end;
        uint64_t n = strtoull(p, &end, 10);
        sum += n < COST_MAX ? n : COST_MAX;
        p = end;
        if (!all)
            break;
    }
    return sum;
}

/* More than the script costs, line by line; comments and mistakes cost as well. */
static bool affordable(const char *text)
{
    uint64_t accesses = 0, latency = 1, runs = 0, clocks = 1;
    char line[TEXT_MAX];

    while (*text) {
        size_t n = strcspn(text, "\n");
        memcpy(line, text, n);
        line[n] = '\0';
        accesses += 1 + numbers_after(line, "repeat", false);
        latency += numbers_after(line, "latency", true);
        runs += numbers_after(line, "run", false);
        clocks += numbers_after(line, "clock", true);
        const char *wave = strstr(line, "wave");
        if (wave && strcmp(wave, "wave script.vcd") != 0)
            return false;
        text += n + (text[n] == '\n');
    }
    return clocks < COST_MAX && runs < COST_MAX && (accesses * latency + runs) * clocks <= COST_MAX;
}

static enum pc_status on_write(void *ctx, const char *data, size_t size)
{
    struct seen *seen = ctx;

    FUZZ_CHECK(size > 0 && data[size - 1] == '\n');
    seen->lines++;
    for (size_t i = 0; i < size; i++)
        seen->hash = (seen->hash ^ (uint8_t)data[i]) * 0x100000001b3u;
    return PC_OK;
}

static void on_mismatch(void *ctx, const struct pc_error *what)
{
    struct seen *seen = ctx;

    fuzz_check_error(what->status, what);
    FUZZ_CHECK(what->line > 0);
    seen->mismatches++;
}

static void on_access(void *ctx, const struct pc_script_access *access)
{
    struct seen *seen = ctx;

    FUZZ_CHECK(access->line > 0 && access->count > 0 && access->address % 4 == 0);
    *(access->write ? &seen->writes : &seen->reads) += access->count;
}

static void on_single(void *ctx, const struct pc_script_access *access)
{
    FUZZ_CHECK(access->line > 0);
    ((struct seen *)ctx)->singles++;
}

static void on_command(void *ctx, const char *text, size_t size)
{
    struct seen *seen = ctx;

    FUZZ_CHECK(size > 0 && memchr(text, '\n', size) == NULL);
    seen->hash = (seen->hash ^ size) * 0x100000001b3u;
}

static void on_inspect(void *ctx, struct pc_gpu *gpu)
{
    uint8_t byte;
    bool written;

    pc_gpu_memory_read(gpu, 0x12340, &byte, 1, &written);
    ((struct seen *)ctx)->inspected = true;
}

static void run(const char *text, size_t size, struct seen *seen)
{
    struct fuzz_heap heap = { .limit = (size_t)256 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_error err = { 0 };
    struct pc_script_result result = { 0 };
    struct pc_script_desc desc = {
        .text = text,
        .size = size,
        .alloc = &alloc,
        .out = { .write = on_write, .ctx = seen },
        .directory = PC_SOURCE_DIR "/tests/fuzz",
        .access = on_access,
        .inspect = on_inspect,
        .single = on_single,
        .command = on_command,
    };

    *seen = (struct seen){ .hash = 0xcbf29ce484222325u };
    enum pc_status status = pc_script_run(&desc, on_mismatch, seen, &result, &err);
    FUZZ_CHECK(status != PC_ENOMEM);
    fuzz_check_error(status, &err);
    fuzz_all_returned(&heap);
    if (status) {
        FUZZ_CHECK(err.line > 0);
        return;
    }
    FUZZ_CHECK(seen->inspected);
    FUZZ_CHECK(seen->writes == result.writes);
    /* a write with a mask reads, too: only on_single() sees that */
    FUZZ_CHECK(seen->reads <= result.reads && result.reads <= seen->reads + result.writes);
    FUZZ_CHECK(seen->singles == result.reads + result.writes);
    FUZZ_CHECK(result.failed <= result.expectations && result.expectations <= result.reads);
    FUZZ_CHECK((result.failed > 0) == (seen->mismatches > 0));
    FUZZ_CHECK(seen->mismatches <= result.failed);
}

static void run_around(const char *text, size_t size)
{
    static const char *const chips[] = { "NV10", "G84", "GT215", "GF108" };
    struct fuzz_heap heap = { .limit = (size_t)256 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct seen seen = { 0 };
    struct pc_script_stimulus desc = {
        .chip = pc_chip_find(chips[size % 4]),
        .text = text,
        .size = size,
        .alloc = &alloc,
        .command = on_command,
        .ctx = &seen,
    };
    struct pc_gpu_desc device = { .chip = desc.chip, .alloc = &alloc };
    struct pc_gpu *gpu = NULL;
    struct pc_error err = { 0 };

    FUZZ_CHECK(pc_gpu_create(&device, &gpu, &err) == PC_OK);
    enum pc_status status = pc_script_run_stimulus(&desc, gpu, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK || err.line > 0);
    pc_gpu_destroy(gpu);
    fuzz_all_returned(&heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen first, second;
    char text[TEXT_MAX];

    if (size >= sizeof text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    /* after a NUL the estimate sees nothing */
    if (strlen(text) != size || !affordable(text))
        return 0;
    run(text, size, &first);
    run(text, size, &second);
    run_around(text, size);
    FUZZ_CHECK(first.hash == second.hash && first.lines == second.lines);
    return 0;
}
