/* SPDX-License-Identifier: MIT */
/*
 * The input is a chip and lines: names of registers with a field and its value after an
 * equals sign, "CTRL[1] MODE=QUAD".  Each line is looked up as everything that has a name.
 * What must hold: a register that is found is found by its full name and its address too; a
 * field changes its own bits alone, and nothing if it is refused.
 */
#include "fuzz.h"

#include <string.h>

#define MAX_LINES 6

static uint32_t field_mask(const struct pc_reg_info *reg, const char *name, bool *found)
{
    uint32_t mask = 0;

    *found = false;
    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *f = &reg->fields[i];
        FUZZ_CHECK(f->bits > 0 && f->shift + f->bits <= 32);
        uint32_t bits = UINT32_MAX >> (32 - f->bits) << f->shift;
        if (strcmp(f->name, name) == 0) {
            mask = bits;
            *found = true;
        }
    }
    return mask;
}

static void set_field(const struct pc_reg_info *reg, char *assignment)
{
    static const uint32_t words[] = { 0, UINT32_MAX, 0x12345678 };
    char *equals = strchr(assignment, '=');
    struct pc_error err = { 0 };
    bool found;

    if (!equals)
        return;
    *equals = '\0';
    uint32_t mask = field_mask(reg, assignment, &found);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint32_t word = words[i];
        enum pc_status status = pc_reg_set_field(reg, assignment, equals + 1, &word, &err);
        fuzz_check_error(status, &err);
        if (status || found)
            FUZZ_CHECK(((word ^ words[i]) & ~mask) == 0);
        FUZZ_CHECK(!status || word == words[i]);
    }
}

static void register_by_name(const struct pc_chip *chip, const char *name, char *assignment)
{
    struct pc_reg_info reg, again;
    struct pc_error err = { 0 };
    char full[64];
    enum pc_status status = pc_reg_find(chip, name, &reg, &err);

    fuzz_check_error(status, &err);
    if (status)
        return;
    pc_reg_full_name(&reg, full, sizeof full);
    status = pc_reg_find(chip, full, &again, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK && again.address == reg.address);
    FUZZ_CHECK(strcmp(again.name, reg.name) == 0);
    status = pc_reg_at(chip, reg.address, &again, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK && again.address == reg.address);
    FUZZ_CHECK(strcmp(again.name, reg.name) == 0);
    if (assignment)
        set_field(&reg, assignment);
}

static void other_names(const struct pc_chip *chip, const char *name)
{
    const struct pc_hpm_config *config = pc_hpm_config_at((size_t)chip->order % 4);
    const struct pc_hpm_profile *profile;
    const struct pc_hpm_event *event;
    struct pc_error err = { 0 };
    struct pc_hpm_reg reg;
    char near[40];
    uint32_t bits;
    unsigned domain;

    (void)pc_chip_find(name);
    (void)pc_governor_find(name);
    pc_chip_near(name, near, sizeof near);
    FUZZ_CHECK(memchr(near, '\0', sizeof near) != NULL);
    fuzz_check_error(pc_chip_find_domain(chip, name, &domain, &err), &err);
    fuzz_check_error(pc_idle_mask(chip, name, &bits, &err), &err);
    fuzz_check_error(pc_hpm_quirk_find(name, &bits, &err), &err);
    fuzz_check_error(pc_hpm_profile_find(name, &profile, &err), &err);
    fuzz_check_error(pc_hpm_event_find(name, &event, &err), &err);
    fuzz_check_error(pc_hpm_config_get(name, &config, &err), &err);
    fuzz_check_error(pc_hpm_reg_find(config, name, &reg, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes in = { data, size };
    const struct pc_chip *chip = fuzz_chip(fuzz_u8(&in));
    struct pc_reg_info reg;
    struct pc_error err = { 0 };
    char line[1024];

    fuzz_check_error(pc_reg_at(chip, fuzz_u32(&in), &reg, &err), &err);
    for (unsigned n = 0; n < MAX_LINES && in.left > 0; n++) {
        fuzz_line(&in, line, sizeof line);
        char *blank = strchr(line, ' ');
        if (blank)
            *blank = '\0';
        register_by_name(chip, line, blank ? blank + 1 : NULL);
        other_names(chip, line);
    }
    return 0;
}
