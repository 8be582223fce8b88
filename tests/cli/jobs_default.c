/* SPDX-License-Identifier: MIT */
/* How many threads there are without -j: by the sizes of the files and the CPUs one may use. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "test.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "process/jobs.h"

static char folder[] = "jobs-XXXXXX";

/* A file with a hole of that size. */
static const char *file(const char *name, off_t size, char path[64])
{
    snprintf(path, 64, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(ftruncate(fileno(f), size), 0);
    fclose(f);
    return path;
}

static unsigned expected(void)
{
    cpu_set_t set;

    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return CPU_COUNT(&set) < 4 ? (unsigned)CPU_COUNT(&set) : 4;
}

static void by_size(void **state)
{
    char a[64], b[64];
    const char *one[] = { file("small", CLI_SMALL_FILES - 1, a) };
    const char *two[] = { one[0], file("byte", 1, b) };

    (void)state;
    assert_int_equal(cli_jobs(0, one, 1), 1);
    assert_int_equal(cli_jobs(0, two, 2), expected());
    assert_int_equal(cli_jobs(0, two + 1, 1), 1);
    one[0] = file("huge", (off_t)1 << 40, a);
    assert_int_equal(cli_jobs(0, one, 1), expected());
    two[1] = one[0];
    assert_int_equal(cli_jobs(0, two, 2), expected());
}

static void what_has_no_size(void **state)
{
    const char *paths[] = { "-", "/dev/zero", "not-there", folder };

    (void)state;
    assert_int_equal(cli_jobs(0, paths, 4), 1);
    assert_int_equal(cli_jobs(0, paths, 0), 1);
}

static void asked_for(void **state)
{
    char path[64];
    const char *small[] = { "-" }, *large[] = { file("large", CLI_SMALL_FILES, path) };

    (void)state;
    assert_int_equal(cli_jobs(7, small, 1), 7);
    assert_int_equal(cli_jobs(1, large, 1), 1);
    assert_int_equal(cli_jobs(64, large, 1), 64);
}

static void by_cpus(void **state)
{
    char path[64];
    const char *large[] = { file("large", CLI_SMALL_FILES, path) };
    cpu_set_t before, only;
    size_t cpu = 0;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    assert_int_equal(sched_setaffinity(0, sizeof only, &only), 0);
    assert_int_equal(cli_jobs(0, large, 1), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(cli_jobs(0, large, 1), expected());
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = { "small", "byte", "huge", "large" };
    char path[64];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_size),
        cmocka_unit_test(what_has_no_size),
        cmocka_unit_test(asked_for),
        cmocka_unit_test(by_cpus),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
