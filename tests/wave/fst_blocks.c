/* SPDX-License-Identifier: MIT */
/*
 * Blocks by the direct path (docs/adr/012) are those of the path by timestamps: streams,
 * clocks, edges, conditions, bits and the number of threads chosen pseudo-randomly, on every
 * FST file there is.  A stream of every timestamp beside them makes the reader take the
 * other path.  PC_TEST_LONG: 25 times as often.
 */
#include "fst_blocks.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 256

static char *files[FILES_MAX];
static size_t file_count;

static int add_file(const char *path, const struct stat *st, int type)
{
    const size_t n = strlen(path);

    (void)st;
    if (type != FTW_F || n < 4 || strcmp(path + n - 4, ".fst") != 0 || file_count == FILES_MAX)
        return 0;
    files[file_count] = strdup(path);
    assert_non_null(files[file_count++]);
    return 0;
}

/* So that a file keeps its streams when another one comes. */
static uint64_t seed_of(const char *path)
{
    const char *name = strrchr(path, '/');
    uint64_t seed = 0;

    while (*++name)
        seed = seed * 131 + (unsigned char)*name;
    return seed << 16;
}

static void every_file(void **state)
{
    char root[4096];
    unsigned rounds = test_long() ? 50 : 2;
    size_t ended = 0;

    (void)state;
    if (!test_shared("waves", root, sizeof root))
        skip();
    assert_int_equal(ftw(root, add_file, 16), 0);
    assert_true(file_count > 0);
    for (size_t i = 0; i < file_count; i++) {
        struct stat st;
        assert_int_equal(stat(files[i], &st), 0);
        unsigned n = st.st_size > 1 << 18 ? (rounds + 9) / 10 : rounds;
        for (unsigned k = 0; k < n; k++)
            ended += blocks_agree(files[i], seed_of(files[i]) + k);
        free(files[i]);
    }
    assert_true(ended > file_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),
    };

    blocks_skipped();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
