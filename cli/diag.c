/* SPDX-License-Identifier: MIT */
/* Diagnostics, output files and the encodings of names that all subcommands share. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

bool cli_quiet, cli_progress_shown;

/* Where this thread's payload and messages go; NULL: stdout and stderr. */
static _Thread_local FILE *payload, *messages;

void cli_redirect(FILE *out, FILE *err)
{
    payload = out;
    messages = err;
}

FILE *cli_stdout(void)
{
    return payload ? payload : stdout;
}

FILE *cli_stderr(void)
{
    return messages ? messages : stderr;
}

/* What was printed so far stands before the message, and no line of progress in front of it. */
static void begin_message(void)
{
    if (messages)
        return;
    fflush(stdout);
    if (cli_progress_shown)
        fputs("\r\033[K", stderr);
    cli_progress_shown = false;
}

static int exit_code(enum pc_status status)
{
    switch (status) {
    case PC_EUNFIT:
        return CLI_UNFIT;
    case PC_ELIMIT:
    case PC_ENOMEM:
        return CLI_LIMIT;
    default:
        return CLI_INPUT;
    }
}

/* Bytes 10xxxxxx are no characters of their own in UTF-8. */
static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * The line of the source with a caret under the column; tabs keep their place.  Of a long
 * line what is around the column.
 */
static void print_caret(const char *text, uint32_t line, uint32_t column)
{
    enum { SHOWN = 160, BEFORE = 60 };

    for (uint32_t i = 1; i < line; i++) {
        text = strchr(text, '\n');
        if (!text)
            return;
        text++;
    }
    size_t length = strcspn(text, "\r\n"), at = column - 1 < length ? column - 1 : length;
    size_t from = length > SHOWN && at > BEFORE ? at - BEFORE : 0;
    while (from && continues(text[from]))
        from--;
    size_t end = length - from > SHOWN ? from + SHOWN : length;
    while (end < length && continues(text[end]))
        end++;
    fprintf(cli_stderr(), "  | %s", from ? "..." : "");
    for (size_t i = from; i < end; i++) {
        bool control = (unsigned char)text[i] < ' ' || text[i] == 0x7f;
        fputc(control && text[i] != '\t' ? '?' : text[i], cli_stderr());
    }
    fprintf(cli_stderr(), "%s\n  | %s", end < length ? "..." : "", from ? "   " : "");
    for (size_t i = from; i < at; i++)
        if (!continues(text[i]))
            fputc(text[i] == '\t' ? '\t' : ' ', cli_stderr());
    fputs("^\n", cli_stderr());
}

int cli_error(const struct pc_error *err, const char *path, const char *text)
{
    begin_message();
    fprintf(cli_stderr(), "pcounter: error[PC-E%04u]: ", err->code);
    cli_print_name(cli_stderr(), err->text);
    fputc('\n', cli_stderr());
    if (path || err->line || err->has_byte) {
        fputs(" --> ", cli_stderr());
        cli_print_name(cli_stderr(), path ? path : "(text)");
        if (err->line)
            fprintf(cli_stderr(), ":%" PRIu32, err->line);
        if (err->line && err->column)
            fprintf(cli_stderr(), ":%" PRIu32, err->column);
        if (err->has_byte)
            fprintf(cli_stderr(), " byte %" PRIu64, err->byte);
        fputc('\n', cli_stderr());
    }
    if (text && err->column)
        print_caret(text, err->line ? err->line : 1, err->column);
    const struct pc_error_info *info = pc_explain(err->code);
    const char *help = err->hint[0] ? err->hint : info ? info->what_to_do : "";
    if (help[0]) {
        fputs("help: ", cli_stderr());
        cli_print_name(cli_stderr(), help);
        fputc('\n', cli_stderr());
    }
    return exit_code(err->status);
}

int cli_no_memory(void)
{
    const struct pc_error err = { .status = PC_ENOMEM, .code = 100, .text = "out of memory" };

    return cli_error(&err, NULL, NULL);
}

void cli_print_help(const struct cli_verb *verb, bool full)
{
    fputs(verb->brief, cli_stdout());
    if (full && verb->full[0]) {
        fputc('\n', cli_stdout());
        fputs(verb->full, cli_stdout());
    }
}

int cli_usage(const char *verb, const char *fmt, ...)
{
    char text[4000]; /* a path fits */
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    begin_message();
    fputs("pcounter: error[PC-E0900]: ", cli_stderr());
    cli_print_name(cli_stderr(), text);
    fprintf(cli_stderr(), "\nhelp: see `pcounter %s%s-h`\n", verb ? verb : "", verb ? " " : "");
    return CLI_INPUT;
}

static void remark(const char *kind, char letter, unsigned code, const char *fmt, va_list args)
{
    char text[1000];

    if (cli_quiet)
        return;
    vsnprintf(text, sizeof text, fmt, args);
    begin_message();
    fprintf(cli_stderr(), "pcounter: %s[PC-%c%04u]: ", kind, letter, code);
    cli_print_name(cli_stderr(), text);
    fputc('\n', cli_stderr());
}

void cli_note(unsigned code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    remark("note", 'N', code, fmt, args);
    va_end(args);
}

void cli_warning(unsigned code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    remark("warning", 'W', code, fmt, args);
    va_end(args);
}

void cli_print_name(FILE *file, const char *name)
{
    for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
        if (*p < ' ' || *p == 0x7f)
            fprintf(file, "\\x%02x", *p);
        else
            fputc(*p, file);
    }
}

const struct cli_remark *cli_remark_at(size_t i)
{
#define R(letter, code, title, why) { letter, code, title, why },
    static const struct cli_remark rows[] = {
#include "remarks.def"
    };
#undef R
    return i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}

/* The temporary file to remove if a signal ends the program; empty: none. */
static char unfinished[4096];

static void end_without_it(int signal_number)
{
    (void)signal_number;
    if (unfinished[0])
        unlink(unfinished);
    _exit(CLI_INTERRUPTED);
}

/* Signals that a verb handles itself (partial results) are left to it. */
static void guard(const char *temporary)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

    memcpy(unfinished, temporary, strlen(temporary) + 1);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
            now.sa_handler = end_without_it;
            sigaction(signals[i], &now, NULL);
        }
    }
}

static int cannot_write(const char *path)
{
    const char *why = strerror(errno);

    fputs("pcounter: error[PC-E0901]: cannot write ", cli_stderr());
    cli_print_name(cli_stderr(), path);
    fprintf(cli_stderr(), ": %s\n", why);
    return CLI_INPUT;
}

/*
 * Written to directly: devices, pipes, and what stands for an open file (/dev/stdout, which
 * can be a regular one): a new file never takes their place.
 */
static bool is_direct(const char *path)
{
    struct stat info;

    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

/* The file beside `path`: its name, cut if there is no room for more, and a suffix. */
static int open_temporary(char *out, size_t size, const char *path)
{
    enum { NAME = 240 };
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    int n = snprintf(out, size, "%.*s%.*s.XXXXXX", (int)folder, path, NAME, path + folder);

    if (n < 0 || (size_t)n >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(out);
}

int cli_out_open(struct cli_out *out, const char *path)
{
    memset(out, 0, sizeof *out);
    if (!path || payload || strcmp(path, "-") == 0) {
        out->file = cli_stdout();
        return CLI_OK;
    }
    if (is_direct(path)) {
        out->file = fopen(path, "a");
        out->close = out->file != NULL;
        return out->file ? CLI_OK : cannot_write(path);
    }
    int fd = open_temporary(out->temporary, sizeof out->temporary, path);
    if (fd >= 0)
        out->file = fdopen(fd, "w");
    if (!out->file) {
        int code = cannot_write(path);
        if (fd >= 0) {
            close(fd);
            unlink(out->temporary);
        }
        return code;
    }
    out->path = path;
    guard(out->temporary);
    return CLI_OK;
}

int cli_out_commit(struct cli_out *out)
{
    bool bad = fflush(out->file) != 0 || ferror(out->file);

    if (!out->path) {
        if (bad && errno != EPIPE)
            fprintf(cli_stderr(), "pcounter: error[PC-E0901]: cannot write the output: %s\n",
                    strerror(errno));
        if (out->close)
            bad |= fclose(out->file) != 0;
        return bad ? CLI_INPUT : CLI_OK;
    }
    unfinished[0] = '\0';
    mode_t mask = umask(0);
    umask(mask);
    bad |= fchmod(fileno(out->file), 0666 & ~mask) != 0;
    bad |= fclose(out->file) != 0;
    if (!bad)
        bad = rename(out->temporary, out->path) != 0;
    if (bad) {
        int code = cannot_write(out->path);
        unlink(out->temporary);
        return code;
    }
    return CLI_OK;
}

int cli_written(int code)
{
    struct cli_out out = { .file = stdout };
    int written = cli_out_commit(&out);

    return written == CLI_OK ? code : written;
}

void cli_out_abort(struct cli_out *out)
{
    if (out->path || out->close)
        fclose(out->file);
    if (out->path)
        unlink(out->temporary);
    unfinished[0] = '\0';
}

const char *cli_grouped(uint64_t value)
{
    static _Thread_local char ring[8][32];
    static _Thread_local unsigned next;
    char digits[24];
    char *out = ring[next++ % 8];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, value);
    int at = 0;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

/* Length of the valid UTF-8 sequence at p, or 0. */
static size_t utf8_length(const unsigned char *p)
{
    size_t n = p[0] < 0x80             ? 1
               : (p[0] & 0xe0) == 0xc0 ? 2
               : (p[0] & 0xf0) == 0xe0 ? 3
               : (p[0] & 0xf8) == 0xf0 ? 4
                                       : 0;

    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if (n == 2 && p[0] < 0xc2)
        return 0;
    if (n == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)))
        return 0;
    if (n == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || p[0] > 0xf4 || (p[0] == 0xf4 && p[1] > 0x8f)))
        return 0;
    return n;
}

void cli_json_string(FILE *file, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    fputc('"', file);
    while (*p) {
        size_t n = utf8_length(p);
        if (n == 0) {
            fputs("\\ufffd", file);
            p++;
        } else if (*p < ' ' || *p == 0x7f) {
            fprintf(file, "\\u%04x", *p++);
        } else {
            if (*p == '"' || *p == '\\')
                fputc('\\', file);
            fwrite(p, 1, n, file);
            p += n;
        }
    }
    fputc('"', file);
}

void cli_csv_field(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}
