/* SPDX-License-Identifier: MIT */
/* Runs of the program, its output and its JSON. */
#include "wave_run.h"

#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGS = 24 };

static const char *program;

bool wave_given(int argc, char **argv)
{
    program = argc == 2 ? argv[1] : NULL;
    return program != NULL;
}

static void read_back(FILE *file, char *out, size_t size)
{
    rewind(file);
    out[fread(out, 1, size - 1, file)] = '\0';
}

void wave_run(struct wave_ran *r, const char *first, ...)
{
    const char *arg[MOST_ARGS + 2] = { program, first };
    FILE *out = tmpfile(), *errors = tmpfile();
    size_t n = 2;
    int status;
    va_list args;

    memset(r, 0, sizeof *r);
    assert_true(out && errors);
    va_start(args, first);
    while ((arg[n] = va_arg(args, const char *)) != NULL)
        assert_true(++n <= MOST_ARGS);
    va_end(args);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char *argv[MOST_ARGS + 2];
        memcpy(argv, arg, sizeof argv);
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(errors), STDERR_FILENO);
        execv(program, argv);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status))
        fail_msg("%s %s ended by a signal", arg[1], arg[2]);
    r->code = WEXITSTATUS(status);
    read_back(out, r->out, sizeof r->out);
    read_back(errors, r->errors, sizeof r->errors);
    if (r->out[0] == '{')
        r->json = json_loads(r->out, JSON_DECODE_INT_AS_REAL, NULL); /* of 64 bits */
    fclose(out);
    fclose(errors);
}

void wave_done(struct wave_ran *r)
{
    json_decref(r->json);
    r->json = NULL;
}

void wave_expect_error(struct wave_ran *r, const char *code, const char *text)
{
    assert_int_equal(r->code, 2);
    if (!strstr(r->errors, code) || !strstr(r->errors, text))
        fail_msg("no %s, \"%s\" in: %s", code, text, r->errors);
    wave_done(r);
}

int64_t wave_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (json_is_string(value))
        return strtoll(json_string_value(value), NULL, 0);
    if (!json_is_number(value))
        fail_msg("no number \"%s\"", key);
    return (int64_t)json_number_value(value);
}

const char *wave_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

json_t *wave_find(const json_t *array, const char *key, const char *value)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (strcmp(wave_text(json_array_get(array, i), key), value) == 0)
            return json_array_get(array, i);
    return NULL;
}
