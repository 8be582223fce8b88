/* SPDX-License-Identifier: MIT */
/* Whole files in memory: scripts and what goes with them, maps, programs. */
#include "cli.h"

#include "process/simulation.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT_MAX ((size_t)256 << 20)
#define CHUNK    65536u

static int cannot_read(const char *path, int reason)
{
    struct pc_error err = { .status = PC_EIO, .code = 906 };

    if (reason == ENOMEM)
        return cli_no_memory();
    snprintf(err.text, sizeof err.text, "cannot read: %s", strerror(reason));
    return cli_error(&err, path, NULL);
}

static int too_large(const char *path, size_t most)
{
    struct pc_error err = { .status = PC_ELIMIT, .code = 905 };

    snprintf(err.text, sizeof err.text, "more than %zu bytes", most);
    return cli_error(&err, path, NULL);
}

bool cli_read_once(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

const char *cli_input_label(const char *path)
{
    const char *simulation = cli_simulation_name();

    return simulation && strcmp(path, "-") == 0 ? simulation : path;
}

const char *cli_input_name(const char *path)
{
    const char *label = cli_input_label(path);

    return strcmp(label, "-") == 0 ? "standard input" : label;
}

unsigned cli_dashes(const char *const *path, size_t count)
{
    unsigned dashes = 0;

    for (size_t i = 0; i < count; i++)
        dashes += path[i] && strcmp(path[i], "-") == 0;
    return dashes;
}

int cli_check_dashes(const char *verb, unsigned dashes)
{
    return dashes > 1 ? cli_usage(verb, "standard input can be read once: only one of the files "
                                        "can be -")
                      : CLI_OK;
}

int cli_claim_input(const char *verb, const char *path)
{
    static atomic_flag taken = ATOMIC_FLAG_INIT;

    if (!cli_reads(path))
        return cli_would_replace(cli_input_name(path));
    if (strcmp(path, "-") != 0)
        return CLI_OK;
    if (!atomic_flag_test_and_set(&taken))
        return CLI_OK;
    return cli_check_dashes(verb, 2);
}

/* Reads the next bytes; 0 at the end or after an error, which a signal that somebody catches is
 * not. */
static size_t read_some(FILE *file, char *to, size_t size)
{
    for (;;) {
        size_t got = fread(to, 1, size, file);
        bool interrupted = ferror(file) && errno == EINTR;
        if (interrupted)
            clearerr(file);
        if (got > 0 || !interrupted)
            return got;
    }
}

size_t cli_drop_mark(char *text, size_t size)
{
    if (size < 3 || memcmp(text, "\xef\xbb\xbf", 3) != 0)
        return size;
    memmove(text, text + 3, size - 3 + 1);
    return size - 3;
}

int cli_read_file(const char *verb, const char *path, size_t most, char **data, size_t *size)
{
    bool standard = strcmp(path, "-") == 0;

    if (cli_claim_input(verb, path) != CLI_OK)
        return CLI_INPUT;
    FILE *file = standard ? stdin : fopen(path, "rb");
    size_t capacity = 0, used = 0, got = 1;
    char *buffer = NULL, *grown = NULL;

    while (file && got > 0 && used <= most) {
        if (capacity - used < CHUNK + 1) {
            capacity = capacity ? 2 * capacity : 2 * CHUNK;
            grown = realloc(buffer, capacity);
            if (!grown)
                break;
            buffer = grown;
        }
        got = read_some(file, buffer + used, CHUNK);
        used += got;
    }
    bool bad = !file || ferror(file);
    int reason = errno;
    if (file && !standard)
        fclose(file);
    if (bad || got > 0 || used > most) {
        free(buffer);
        if (bad)
            return cannot_read(path, reason);
        return grown ? too_large(path, most) : cli_no_memory();
    }
    buffer[used] = '\0';
    *data = buffer;
    *size = used;
    return CLI_OK;
}

int cli_read_text(const char *verb, const char *path, char **text, size_t *size)
{
    const int code = cli_read_file(verb, path, TEXT_MAX, text, size);

    if (code == CLI_OK)
        *size = cli_drop_mark(*text, *size);
    return code;
}

bool cli_says_nothing(const char *text, size_t size)
{
    bool comment = false;

    for (size_t i = 0; i < size; i++) {
        comment = text[i] != '\n' && (comment || text[i] == '#');
        if (!comment && !memchr(" \t\r\n", text[i], 4))
            return false;
    }
    return true;
}
