/* SPDX-License-Identifier: MIT */
/*
 * Waveforms of a core through a pipe that has a name: what comes out of it can be read once, as
 * with standard input.
 */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CORE "cv64a6_imafdc_sv39"

enum { SECONDS = 60 }; /* a second reader of a pipe waits for ever */

static struct wave_ran ran;

static void copy_and_exit(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    char bytes[4096];
    size_t n;

    while (in && out && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
        if (fwrite(bytes, 1, n, out) != n)
            break;
    _exit(!in || !out || fclose(out) != 0);
}

static void make_pipe(const struct wave_made *m, char path[80], pid_t *writer)
{
    snprintf(path, 80, "%s.pipe", m->path);
    assert_int_equal(mkfifo(path, 0600), 0);
    *writer = fork();
    assert_true(*writer >= 0);
    if (*writer == 0) {
        alarm(SECONDS);
        copy_and_exit(m->path, path);
    }
    alarm(SECONDS);
}

static void remove_pipe(const char *path, pid_t writer)
{
    int status;

    alarm(0);
    kill(writer, SIGKILL);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    unlink(path);
}

static void check_file(const char *path)
{
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "-k", path, NULL);
}

static void check_piped(const struct wave_made *m)
{
    char path[80];
    pid_t writer;

    make_pipe(m, path, &writer);
    check_file(path);
    remove_pipe(path, writer);
}

/* Verifies that check compares a pipe once, whole, and says nothing of the times of edges. */
static void check_reads_a_pipe_once(void **state)
{
    const struct wave_plan plan = {
        .clocks = 1200, .reset = 5, .seed = 5, .defect = WAVE_EXTRA, .at = 600
    };
    struct wave_made m;
    char text[32];

    (void)state;
    wave_make(&plan, &m);
    check_file(m.path);
    assert_int_equal(ran.code, 1);
    assert_non_null(strstr(ran.out, " ns): mhpmcounter"));
    wave_done(&ran);
    check_piped(&m);
    if (ran.code != 1)
        fail_msg("exit code %d: %s%s", ran.code, ran.out, ran.errors);
    snprintf(text, sizeof text, "difference at edge %u: mhpm", plan.at + 1);
    assert_non_null(strstr(ran.out, text));
    assert_non_null(strstr(ran.out, "edges 1,200"));
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that check tells of a pipe where a reset between two edges may be. */
static void check_notes_a_reset_in_a_pipe(void **state)
{
    const struct wave_plan plan = { .clocks = 1200, .reset = 5, .seed = 6, .pulse = 600 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    check_file(m.path);
    assert_int_equal(ran.code, 0);
    assert_null(strstr(ran.errors, "PC-N1048"));
    wave_done(&ran);
    check_piped(&m);
    assert_int_equal(ran.code, 1);
    if (!strstr(ran.errors, "note[PC-N1048]: every register is 0 at edge 600, "))
        fail_msg("%s", ran.errors);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that stat --core counts a pipe as it counts the file, and refuses times in it. */
static void stat_reads_a_pipe_once(void **state)
{
    const struct wave_plan plan = { .clocks = 1200, .reset = 5, .seed = 5 };
    struct wave_made m;
    char path[80], wanted[4096];
    pid_t writer;

    (void)state;
    wave_make(&plan, &m);
    wave_run(&ran, "stat", "--core", CORE, "-e", "1", m.path, NULL);
    assert_int_equal(ran.code, 0);
    snprintf(wanted, sizeof wanted, "%s", strstr(ran.out, "\nscope"));
    wave_done(&ran);
    make_pipe(&m, path, &writer);
    wave_run(&ran, "stat", "--core", CORE, "-e", "1", path, NULL);
    remove_pipe(path, writer);
    assert_int_equal(ran.code, 0);
    assert_string_equal(strstr(ran.out, "\nscope"), wanted);
    wave_done(&ran);
    make_pipe(&m, path, &writer);
    wave_run(&ran, "stat", "--core", CORE, "-e", "1", "--from", "20ns", path, NULL);
    remove_pipe(path, writer);
    wave_expect_error(&ran, "", "cannot be read twice for the times of edges");
    wave_remove(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_reads_a_pipe_once),
        cmocka_unit_test(check_notes_a_reset_in_a_pipe),
        cmocka_unit_test(stat_reads_a_pipe_once),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
