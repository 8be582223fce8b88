/* SPDX-License-Identifier: MIT */
/*
 * The classes of defect that readers of VCD and extended VCD are known for (the numbers are those
 * of CVE-2023-...; FST has fst_hostile.c), each a file of our own in the corpus of the fuzz target:
 * what it is refused with and where, or how many warnings it is read with, from a file and from a
 * pipe that brings a byte at a time.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct row {
    const char *name;
    unsigned code; /* 0: it is read */
    uint32_t line;
    size_t warnings;
};

static const struct row rows[] = {
    /* 34087: the size of a port */
    { "34087-port-range-huge", 514, 2, 0 },
    { "34087-port-range-negative", 0, 0, 0 },
    { "34087-port-range-reversed", 514, 2, 0 },
    { "34087-port-size-0", 0, 0, 0 },
    { "34087-port-size-2-to-32", 514, 2, 0 },
    { "34087-port-size-negative", 607, 5, 0 },
    /* 37416 to 37420: values and strengths of a port */
    { "37416-port-value-longer", 0, 0, 1 },
    { "37417-port-strengths-longer", 0, 0, 0 },
    { "37418-port-strengths-missing", 0, 0, 1 },
    { "37419-port-value-empty", 0, 0, 1 },
    { "37420-port-value-at-the-end", 0, 0, 1 },
    /* 37442 to 37447: declarations that are not whole */
    { "37442-var-cut-type", 602, 2, 0 },
    { "37442-var-nothing", 607, 5, 0 },
    { "37443-var-cut-size", 602, 2, 0 },
    { "37443-var-no-name", 607, 5, 0 },
    { "37444-var-cut-id", 602, 2, 0 },
    { "37444-var-range-open", 0, 0, 0 },
    { "37445-var-cut-name", 602, 2, 0 },
    { "37445-var-range-huge", 0, 0, 0 },
    { "37446-var-no-end", 603, 3, 0 },
    { "37446-var-range-other-size", 0, 0, 1 },
    { "37447-var-nul-bytes", 0, 0, 1 },
    /* 37921 to 37923: identifiers that nobody declared, or that are numbers of many digits */
    { "37921-id-of-another-width", 0, 0, 1 },
    { "37921-id-undeclared", 0, 0, 1 },
    { "37922-id-94-radix", 0, 0, 1 },
    { "37923-id-high-bytes", 0, 0, 0 },
};

static void expect(const struct row *row, const char *path, const char *how)
{
    struct pc_wave_desc desc = { .path = path };
    struct pc_var_activity activity[4]; /* with it all values are looked at */
    struct pc_wave_totals totals;
    struct pc_wave_info info = { .warnings = 0 };
    struct pc_error err = { 0 };
    struct pc_wave *wave = NULL;
    enum pc_status status = pc_wave_open(&desc, &wave, &err);

    if (status == PC_OK) {
        pc_wave_get_info(wave, &info);
        assert_in_range(info.codes, 0, 4);
        status = pc_wave_scan(wave, &totals, activity, &err);
    }
    if (wave)
        pc_wave_get_info(wave, &info);
    const unsigned code = status ? err.code : 0;
    const uint32_t line = status ? err.line : 0;
    if (code != row->code || line != row->line || (code == 0 && info.warnings != row->warnings))
        fail_msg("%s, %s: error %u in line %u, %zu warnings", row->name, how, code, (unsigned)line,
                 info.warnings);
    pc_wave_close(wave);
}

static void expect_piped(const struct row *row, const char *text, size_t size, size_t piece)
{
    char path[32];
    pid_t writer;
    int fd = test_pipe(text, size, piece, &writer);

    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    expect(row, path, "piped");
    close(fd);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
}

static void classes_of_defects(void **state)
{
    static char text[4096];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/vcd/class-%s", PC_SOURCE_DIR,
                 rows[i].name);
        expect(&rows[i], path, "a file");
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        assert_in_range(size, 1, sizeof text - 1);
        expect_piped(&rows[i], text, size, 1);
    }
}

/* 37573 to 37578: a word that grows across the end of what was read, wherever that is. */
static void words_across_the_window(void **state)
{
    enum { MOST = (1 << 18) + 4096 };
    static const size_t end[] = { 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18 };
    static const char head[] = "$timescale 1ns $end $var wire 1 ! clk $end $comment ";
    static const char tail[] = " $end $var wire 1 longidentifier name $end $enddefinitions $end\n"
                               "#0 0! 1longidentifier\n#5 1! 0longidentifier\n";
    const struct row row = { "37573-word-across-the-window", 0, 0, 0 };
    char *text = malloc(MOST + sizeof head + sizeof tail);

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof end / sizeof end[0]; i++)
        for (size_t in = 0; in < sizeof tail; in += 3) { /* byte `in` of the tail ends the window */
            size_t fill = end[i] - (sizeof head - 1) - in, size = 0;
            memcpy(text, head, sizeof head - 1);
            size += sizeof head - 1;
            for (size_t k = 0; k < fill; k++)
                text[size++] = k % 50 ? 'x' : '\n';
            memcpy(text + size, tail, sizeof tail - 1);
            size += sizeof tail - 1;
            expect_piped(&row, text, size, in % 2 ? 4096 : 65536);
        }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(classes_of_defects),
                                        cmocka_unit_test(words_across_the_window) };

    return cmocka_run_group_tests_name("wave/vcd_classes", tests, NULL, NULL);
}
