/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* mkdtemp, pipe2 */
#include "process/converter.h"
#include "text/regs_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "vcd2fst"

/* The converter of this call. */
static struct {
    pid_t process; /* 0: none runs */
    int reason;    /* errno of what failed at the start */
    FILE *input;
    char folder[200], path[220], beside[230]; /* vcd2fst keeps names in a file beside the FST */
} converter;

/* --- which calls --- */

/* Returns true if it is -o or --output, as far as that is written. *value: what is in the same
 * word, or NULL. */
static bool is_output(const char *word, const char **value)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);

    *value = NULL;
    if (strncmp(word, "--", 2) == 0) {
        *value = equals ? equals + 1 : NULL;
        return length > 2 && length <= strlen("--output") && strncmp(word, "--output", length) == 0;
    }
    if (strncmp(word, "-o", 2) == 0 && word[2])
        *value = word + 2;
    return strncmp(word, "-o", 2) == 0;
}

static bool is_wanted(int argc, char *const *argv)
{
    bool cut = false, fst = false;
    const char *value;

    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        cut |= strcmp(argv[i], "--cut") == 0;
        if (is_output(argv[i], &value))
            fst |= cli_has_suffix(value ? value : argv[i + 1], ".fst");
    }
    return cut && fst;
}

/* --- start --- */

static bool make_folder(void)
{
    const char *parent = getenv("TMPDIR");

    if (!parent || strlen(parent) > 150 || access(parent, W_OK | X_OK) != 0)
        parent = "/tmp";
    snprintf(converter.folder, sizeof converter.folder, "%s/pcounter-XXXXXX", parent);
    if (!mkdtemp(converter.folder)) {
        converter.folder[0] = '\0';
        return false;
    }
    snprintf(converter.path, sizeof converter.path, "%s/cut.fst", converter.folder);
    snprintf(converter.beside, sizeof converter.beside, "%s.hier", converter.path);
    cli_remove_at_signal(converter.path);
    cli_remove_at_signal(converter.beside);
    cli_remove_at_signal(converter.folder);
    return true;
}

/* The child: its input is the pipe, and its output is not needed. */
static void be_converter(int input, int told)
{
    const int nothing = open("/dev/null", O_RDWR);

    if (nothing >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
        dup2(nothing, STDERR_FILENO) >= 0)
        execlp(PROGRAM, PROGRAM, "-v", "-", "-f", converter.path, (char *)NULL);
    const int reason = errno;
    (void)!write(told, &reason, sizeof reason);
    _exit(127);
}

static bool start(void)
{
    int input[2], told[2];

    if (!make_folder() || pipe2(input, O_CLOEXEC) != 0 || pipe2(told, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    converter.process = fork();
    if (converter.process < 0)
        return false;
    if (converter.process == 0)
        be_converter(input[0], told[1]);
    close(input[0]);
    close(told[1]);
    converter.input = fdopen(input[1], "w");
    int reason = 0;
    const bool failed = read(told[0], &reason, sizeof reason) == (ssize_t)sizeof reason;
    close(told[0]);
    errno = reason;
    return !failed && converter.input;
}

void cli_converter_begin(const struct cli_verb *verb, int argc, char *const *argv)
{
    if (!verb || strcmp(verb->name, "record") != 0 || !is_wanted(argc, argv))
        return;
    if (!start())
        converter.reason = errno ? errno : EIO;
}

/* --- use --- */

static int PC_PRINTF(1, 2) fail(const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 1610, fmt, args);
    va_end(args);
    return cli_error(&err, NULL, NULL);
}

FILE *cli_converter_input(void)
{
    if (converter.reason || !converter.input) {
        fail("cannot start " PROGRAM ": %s",
             converter.reason == ENOENT ? "it is not installed (Debian: gtkwave)"
                                        : strerror(converter.reason ? converter.reason : EIO));
        return NULL;
    }
    return converter.input;
}

/* Waits for its end; its status. */
static int wait_for_it(void)
{
    int status = -1;

    if (converter.input)
        fclose(converter.input);
    converter.input = NULL;
    while (converter.process > 0 && waitpid(converter.process, &status, 0) < 0 && errno == EINTR)
        continue;
    converter.process = 0;
    return status;
}

int cli_converter_finish(FILE *out)
{
    const bool written = fflush(converter.input) == 0 && !ferror(converter.input);
    const int status = wait_for_it();
    char bytes[1 << 14];
    size_t n, all = 0;

    if (!written || status != 0)
        return fail(PROGRAM " did not take the values: it %s %d",
                    WIFSIGNALED(status) ? "was ended by signal" : "ended with",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    FILE *from = fopen(converter.path, "r");
    if (!from)
        return fail(PROGRAM " made no file: %s", strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0 && fwrite(bytes, 1, n, out) == n)
        all += n;
    const bool read = !ferror(from);
    fclose(from);
    return read && all > 0 ? CLI_OK : fail("the file of " PROGRAM " cannot be read");
}

void cli_converter_end(void)
{
    wait_for_it();
    if (converter.folder[0]) {
        (void)unlink(converter.path);
        (void)unlink(converter.beside);
        (void)rmdir(converter.folder);
        converter.folder[0] = '\0';
    }
}
