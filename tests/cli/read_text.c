/* SPDX-License-Identifier: MIT */
/* Texts from standard input: in pieces, and between signals that somebody catches. */
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { PIECES = 50, PIECE = 100 };

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    (void)number;
    caught = 1;
}

/* Mostly while the other one waits in read(): a signal, then a piece. */
static void write_slowly(int fd)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    char piece[PIECE];

    memset(piece, 'a', sizeof piece);
    for (int i = 0; i < PIECES; i++) {
        nanosleep(&pause, NULL);
        kill(getppid(), SIGUSR1);
        nanosleep(&pause, NULL);
        if (write(fd, piece, sizeof piece) != PIECE)
            _exit(1);
    }
    _exit(0);
}

static void drops_a_mark(void **state)
{
    static const struct {
        const char *text, *left;
    } cases[] = { { "", "" },
                  { "\xef\xbb", "\xef\xbb" },
                  { "\xef\xbb\xbf", "" },
                  { "\xef\xbb\xbf"
                    "a",
                    "a" },
                  { "\xef\xbb\xbf\xef\xbb\xbf", "\xef\xbb\xbf" },
                  { "a\xef\xbb\xbf", "a\xef\xbb\xbf" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[8];
        strcpy(text, cases[i].text);
        assert_int_equal(cli_drop_mark(text, strlen(text)), strlen(cases[i].left));
        assert_string_equal(text, cases[i].left);
    }
}

static void signals_do_not_end_it(void **state)
{
    struct sigaction action = { .sa_handler = on_signal }; /* without SA_RESTART */
    char *text = NULL;
    size_t size = 0;
    int end[2], status;

    (void)state;
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(pipe(end), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        close(end[0]);
        write_slowly(end[1]);
    }
    close(end[1]);
    assert_int_equal(dup2(end[0], STDIN_FILENO), STDIN_FILENO);
    close(end[0]);
    assert_int_equal(cli_read_text("run", "-", &text, &size), CLI_OK);
    assert_int_equal(size, PIECES * PIECE);
    assert_int_equal(strspn(text, "a"), size);
    assert_true(caught);
    free(text);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(drops_a_mark),
                                        cmocka_unit_test(signals_do_not_end_it) };

    return cmocka_run_group_tests_name("cli_read_text", tests, NULL, NULL);
}
