/* SPDX-License-Identifier: MIT */
/*
 * The first byte chooses a chip, the rest is a table of names of the user's.  Refused, it has a
 * place and nothing has changed; taken, every signal is found again by its name and by its place,
 * and its settings are settings or say why they are none on this chip.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_settings(const struct pc_chip *chip, const struct pc_signal *s)
{
    for (const char *word = s->mux; *word;) {
        size_t n = strcspn(word, " ");
        struct pc_setting setting;
        struct pc_error err = { 0 };
        char text[1000];
        snprintf(text, sizeof text, "%.*s", (int)n, word);
        if (n < sizeof text && strchr(text, '='))
            fuzz_check_error(pc_setting_parse(chip, text, &setting, &err), &err);
        word += n;
        word += strspn(word, " ");
    }
}

/* Names, signals and strings, as one number. */
static uint64_t check_names(const struct pc_names *names, bool found)
{
    struct pc_chip_domain place;
    struct pc_signal s, again;
    struct pc_error err = { 0 };
    uint64_t sum = 0;

    for (unsigned d = 0; pc_chip_get_domain(pc_names_chip(names), d, &place); d++) {
        unsigned last = 0;
        for (size_t i = 0; pc_names_at(names, d, i, &s); i++) {
            FUZZ_CHECK(s.domain == d && s.position >= last && s.position < PC_MAX_SIGNALS);
            last = s.position;
            for (const char *c = s.name; *c; c++)
                sum = sum * 31 + (uint8_t)*c + d + s.position;
            if (!found)
                continue;
            enum pc_status status = pc_names_find(names, d, s.name, &again, &err);
            fuzz_check_error(status, &err);
            FUZZ_CHECK(status == PC_EAMBIG || again.position == s.position);
            FUZZ_CHECK(pc_names_position(names, d, s.position, &again));
            check_settings(pc_names_chip(names), &s);
        }
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_heap heap = { .limit = 64u << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct fuzz_bytes in = { data, size };
    const struct pc_chip *chip = fuzz_chip(fuzz_u8(&in));
    struct pc_error err = { 0 };
    struct pc_names *names;
    size_t added = 77;

    if (pc_names_open(&alloc, chip, &names, &err) == PC_OK) {
        uint64_t before = check_names(names, false);
        enum pc_status status = pc_names_load(names, (const char *)in.at, in.left, &added, &err);
        fuzz_check_error(status, &err);
        if (status != PC_OK)
            FUZZ_CHECK(check_names(names, false) == before);
        else
            check_names(names, added > 0 && size <= 4096);
        pc_names_close(names);
    }
    fuzz_all_returned(&heap);
    return 0;
}
