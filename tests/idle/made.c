/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];
static char written[8][160];
static size_t files;

void made_add(struct made_call *c, const char *fmt, ...)
{
    va_list args;

    assert_true(c->args + 1 < MADE_ARGS);
    va_start(args, fmt);
    vsnprintf(c->arg[c->args++], MADE_TEXT, fmt, args);
    va_end(args);
}

void made_folder(void)
{
    strcpy(folder, "idle-XXXXXX"); /* where the test runs */
    assert_non_null(mkdtemp(folder));
}

const char *made_path(const char *name)
{
    static char path[160];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remember(const char *path)
{
    for (size_t i = 0; i < files; i++)
        if (strcmp(written[i], path) == 0)
            return;
    assert_true(files < sizeof written / sizeof written[0]);
    strcpy(written[files++], path);
}

void made_write(const char *name, const char *data, size_t size)
{
    const char *path = made_path(name);
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    remember(path);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void made_remove(void)
{
    for (size_t i = 0; i < files; i++)
        unlink(written[i]);
    assert_int_equal(rmdir(folder), 0);
}

static void be_program(const char *program, const struct made_call *c, int out)
{
    char *argv[MADE_ARGS + 1];
    char name[MADE_TEXT];
    struct made_call *copy = malloc(sizeof *copy);
    int nothing = open("/dev/null", O_RDWR);

    if (!copy || nothing < 0)
        _exit(126);
    *copy = *c;
    snprintf(name, sizeof name, "%s", program);
    argv[0] = name;
    for (size_t i = 0; i < c->args; i++)
        argv[i + 1] = copy->arg[i];
    argv[c->args + 1] = NULL;
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execv(program, argv);
    _exit(127);
}

static char *read_all(int fd)
{
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc(capacity + 1);
    ssize_t got;

    assert_non_null(text);
    while ((got = read(fd, text + used, capacity - used)) > 0) {
        used += (size_t)got;
        if (used == capacity) {
            capacity *= 2;
            text = realloc(text, capacity + 1);
            assert_non_null(text);
        }
    }
    text[used] = '\0';
    return text;
}

int made_run(const char *program, const struct made_call *c, char **output)
{
    int fd[2], status;

    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(fd[0]);
        be_program(program, c, fd[1]);
    }
    close(fd[1]);
    *output = read_all(fd[0]);
    close(fd[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 130 || WEXITSTATUS(status) == 126 ||
        WEXITSTATUS(status) == 127) {
        for (size_t i = 0; i < c->args; i++)
            fprintf(stderr, "  argument %zu: %s\n", i + 1, c->arg[i]);
        fail_msg("the program died: status 0x%x", (unsigned)status);
    }
    return WEXITSTATUS(status);
}
