/* SPDX-License-Identifier: MIT */
/* With ranks rows of stat -I are held until all have ended well: or nothing is written at all. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/ranks.h"

static char folder[] = "held-rows-XXXXXX";
static char wave[64], rows[64];
static bool no_room;

/* The library's, for all that is linked here. */
FILE *tmpfile(void)
{
    char path[64];

    errno = ENOSPC;
    if (no_room)
        return NULL;
    snprintf(path, sizeof path, "%s/held", folder);
    FILE *f = fopen(path, "w+");
    unlink(path);
    return f;
}

static void no_stop(unsigned to)
{
    (void)to;
}

static bool never(void)
{
    return false;
}

/* The exit code; what was printed is in the file `rows`. */
static int count(void)
{
    static const struct cli_ranks one = { .size = 1, .stop = no_stop, .stopped = never };
    char *argv[] = { "stat", "-q", "--clock", "clk", "-e", "a", "-I", "2", wave, NULL };
    const int before = dup(STDOUT_FILENO), to = open(rows, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(before >= 0 && to >= 0);
    fflush(stdout);
    dup2(to, STDOUT_FILENO);
    cli_ranks = &one;
    optind = 0; /* from the beginning */
    const int code = cli_verb_stat.run(9, argv);
    cli_ranks = NULL;
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(to);
    return code;
}

static long written(void)
{
    FILE *f = fopen(rows, "r");

    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    fclose(f);
    return size;
}

static void all_of_them(void **state)
{
    (void)state;
    no_room = false;
    assert_int_equal(count(), CLI_OK);
    assert_true(written() > 100);
}

static void or_none(void **state)
{
    (void)state;
    no_room = true;
    assert_int_equal(count(), CLI_INPUT);
    assert_int_equal(written(), 0);
}

static int make_wave(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(wave, sizeof wave, "%s/wave.vcd", folder);
    snprintf(rows, sizeof rows, "%s/rows", folder);
    FILE *f = fopen(wave, "w");
    if (!f)
        return -1;
    fputs("$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 # a $end\n"
          "$enddefinitions $end\n",
          f);
    for (int t = 0; t < 20; t++)
        fprintf(f, "#%d\n%d!\n%d#\n", t, t % 2, t / 2 % 2);
    return fclose(f);
}

static int remove_wave(void **state)
{
    (void)state;
    return unlink(wave) || unlink(rows) || rmdir(folder) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_of_them), cmocka_unit_test(or_none) };

    return cmocka_run_group_tests_name("cli_held_rows", tests, make_wave, remove_wave);
}
