/* SPDX-License-Identifier: MIT */
/*
 * The input is what tests/hpm/wave_make.h makes a waveform of: a small perf_counters on random
 * wires, with a defect or none.  What must hold: `check --core` with CVA6's model of the library
 * and with the description that `emit core` writes compare each counter and selector as often, and
 * find as many differences.  The description is cut down to what the waveform has.
 */
#include "verb.h"
#include "wave_make.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Integers are read as doubles: a value of 64 bits is no json_int_t. */
enum { REGISTERS = 32, NAME = 40, CORES = 2, PROFILES = 2 };

static const char *const cores[CORES] = { "cv64a6_imafdc_sv39", "cv32a6_imac_sv32" };
static const char *const profiles[PROFILES] = { "rtl", "spec" };

/* --- the description --- */

/* Keeps lines about perf_counters: lets for data_o, the counters and selectors, checks of data_o.
 */
static size_t cut(const char *text, char *out)
{
    char section = 0;
    bool other = false;
    size_t used = 0;

    while (*text) {
        const char *end = strchr(text, '\n');
        const size_t size = end ? (size_t)(end + 1 - text) : strlen(text);
        const bool head = *text != ' ';
        if (head) {
            section = *text;
            other = false;
        }
        if (strncmp(text, "  - name: ", 10) == 0)
            other = section == 'r' && strncmp(text + 10, "mhpm", 4) != 0;
        const bool keep = head || (section == 'l'   ? strncmp(text, "  asks", 6) == 0
                                   : section == 'c' ? strncmp(text, "  - {name: \"data_o", 18) == 0
                                                    : !other);
        if (keep) {
            memcpy(out + used, text, size);
            used += size;
        }
        text += size;
    }
    return used;
}

/* A file of the description; it is made once. */
static const char *description(unsigned core, unsigned profile)
{
    static char name[CORES][PROFILES][32];
    char *const path = name[core][profile];
    const char *const words[] = {
        "emit", "core", "-q", "--core", cores[core], "--profile", profiles[profile], NULL
    };
    struct verb_said said;

    if (path[0])
        return path;
    FUZZ_CHECK(verb_run(&cli_verb_emit, words, &said) == CLI_OK);
    char *text = malloc(said.out_size + 1);
    FILE *file = tmpfile();
    FUZZ_CHECK(text && file);
    const size_t size = cut(said.out, text);
    FUZZ_CHECK(fwrite(text, 1, size, file) == size && fflush(file) == 0);
    snprintf(path, sizeof name[0][0], "/dev/fd/%d", fileno(file));
    free(text);
    verb_free(&said);
    return path;
}

/* --- what is compared --- */

struct figures {
    struct {
        char name[NAME];
        double compared, differences;
    } reg[REGISTERS];
    size_t regs;
};

static void ask(const char *core, const char *profile, const char *wave, struct figures *f)
{
    const char *const named[] = { "check", "-q",       "-k",   "--core", core, "--profile",
                                  profile, "--format", "json", wave,     NULL };
    const char *const described[] = { "check",    "-q",   "-k", "--core", core,
                                      "--format", "json", wave, NULL };
    struct verb_said said;
    const json_t *reg;
    size_t i;

    f->regs = 0;
    FUZZ_CHECK(verb_run(&cli_verb_check, profile ? named : described, &said) <= CLI_NO);
    json_t *json =
        json_loadb(said.out, said.out_size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    FUZZ_CHECK(json != NULL);
    json_array_foreach(json_object_get(json, "registers"), i, reg)
    {
        const char *name = json_string_value(json_object_get(reg, "name"));
        if (!name || strncmp(name, "mhpm", 4) != 0)
            continue;
        FUZZ_CHECK(f->regs < REGISTERS);
        snprintf(f->reg[f->regs].name, NAME, "%s", name);
        f->reg[f->regs].compared = json_number_value(json_object_get(reg, "compared"));
        f->reg[f->regs++].differences = json_number_value(json_object_get(reg, "differences"));
    }
    json_decref(json);
    verb_free(&said);
}

static void same(const struct figures *a, const struct figures *b)
{
    FUZZ_CHECK(a->regs > 0 && a->regs == b->regs);
    for (size_t i = 0; i < a->regs; i++) {
        FUZZ_CHECK(strcmp(a->reg[i].name, b->reg[i].name) == 0);
        FUZZ_CHECK(!(a->reg[i].compared < b->reg[i].compared) &&
                   !(a->reg[i].compared > b->reg[i].compared));
        FUZZ_CHECK(!(a->reg[i].differences < b->reg[i].differences) &&
                   !(a->reg[i].differences > b->reg[i].differences));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct figures by_name, by_description;
    struct fuzz_bytes in = { data, size };
    struct wave_made made;

    if (size < 4 || size > 64)
        return 0;
    const uint8_t how = fuzz_u8(&in);
    const unsigned core = how & 1, profile = how >> 1 & 1;
    struct wave_plan plan = { .clocks = 40 + fuzz_u8(&in),
                              .reset = 5,
                              .defect = (enum wave_defect)(fuzz_u8(&in) % (WAVE_NO_FREEZE + 1)),
                              .rv32 = core == 1,
                              .calm = how & 4 ? 8 : 0,
                              .wide_selectors = how & 8 };
    plan.at = 6 + fuzz_u8(&in) % (plan.clocks - 6);
    plan.seed = fuzz_u64(&in);
    wave_make(&plan, &made);
    ask(cores[core], profiles[profile], made.path, &by_name);
    ask(description(core, profile), NULL, made.path, &by_description);
    wave_remove(&made);
    fuzz_taken++;
    same(&by_name, &by_description);
    return 0;
}
