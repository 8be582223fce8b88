/* SPDX-License-Identifier: MIT */
/* A signal that ends the program leaves no unfinished file, however late it comes. */
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* The library's, for all that is linked here: the signal comes when the file is whole. */
int rename(const char *from, const char *to)
{
    (void)from;
    (void)to;
    raise(SIGTERM);
    return 0;
}

/* How many files were there. */
static unsigned remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    unsigned count = 0;

    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d))
        if (e->d_name[0] != '.') {
            count++;
            assert_int_equal(unlinkat(dirfd(d), e->d_name, 0), 0);
        }
    closedir(d);
    assert_int_equal(rmdir(folder), 0);
    return count;
}

static void just_before_the_name(void **state)
{
    char folder[] = "/tmp/pc_output_signal.XXXXXX", path[sizeof folder + 10];
    int status;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out.txt", folder);
    const pid_t child = fork();
    if (child == 0) {
        struct cli_out out;
        if (cli_out_open(&out, path) != CLI_OK || fputs("text", out.file) < 0)
            _exit(99);
        _exit(cli_out_commit(&out) == CLI_OK ? 98 : 97); /* it is not to come back */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    const unsigned left = remove_folder(folder);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CLI_INTERRUPTED);
    assert_int_equal(left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(just_before_the_name) };

    return cmocka_run_group_tests_name("cli_output_signal", tests, NULL, NULL);
}
