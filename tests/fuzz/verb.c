/* SPDX-License-Identifier: MIT */
/*
 * What any call of a verb keeps: the exit code is one of those that are documented; an error says
 * why, once, with a code that `pcounter explain` knows; and no byte of the input reaches the
 * terminal that is no character of a text: control characters and what is not UTF-8 are escaped.
 */
#include "verb.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static void check_text(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t n = cli_character(text + i);
        if (n == 0)
            FUZZ_CHECK(text[i] == '\n' || text[i] == '\t' || text[i] == '\r');
        i += n ? n : 1;
    }
}

/* The errors that begin a line: those in a line of the input that is shown do not count. */
static unsigned errors_in(const char *text, const char **code)
{
    static const char mark[] = "pcounter: error[PC-E";
    unsigned count = 0;

    for (const char *p = text; (p = strstr(p, mark)) != NULL; p += sizeof mark - 1)
        if (p == text || p[-1] == '\n') {
            *code = p + sizeof mark - 1;
            count++;
        }
    return count;
}

static void check_errors(int code, const char *text)
{
    const char *number = NULL;
    const unsigned errors = errors_in(text, &number);

    FUZZ_CHECK(code >= CLI_OK && code <= CLI_LIMIT);
    FUZZ_CHECK(errors == (code > CLI_NO));
    if (errors)
        FUZZ_CHECK(pc_explain((unsigned)strtoul(number, NULL, 10)) != NULL);
}

int verb_run(const struct cli_verb *verb, const char *const *words, struct verb_said *said)
{
    char *argv[VERB_WORDS + 1] = { NULL };
    int argc = 0;

    memset(said, 0, sizeof *said);
    for (; words[argc]; argc++) {
        FUZZ_CHECK(argc < VERB_WORDS);
        argv[argc] = strdup(words[argc]);
        FUZZ_CHECK(argv[argc] != NULL);
    }
    FILE *out = open_memstream(&said->out, &said->out_size);
    FILE *err = open_memstream(&said->err, &said->err_size);
    FUZZ_CHECK(out && err);
    optind = 0;
    cli_quiet = false;
    cli_redirect(out, err);
    int code = verb->run(argc, argv);
    cli_redirect(NULL, NULL);
    fclose(out);
    fclose(err);
    while (argc > 0)
        free(argv[--argc]);
    FUZZ_CHECK(strlen(said->out) == said->out_size && strlen(said->err) == said->err_size);
    check_text(said->out, said->out_size);
    check_text(said->err, said->err_size);
    check_errors(code, said->err);
    return code;
}

void verb_free(struct verb_said *said)
{
    free(said->out);
    free(said->err);
}
