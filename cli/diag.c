/* SPDX-License-Identifier: MIT */
/* Diagnostics that all subcommands share, and where they and the payload go. */
#include "cli.h"
#include "text/warnings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

bool cli_quiet, cli_progress_shown;

/* Where this thread's payload and messages go; NULL: stdout and stderr. */
static _Thread_local FILE *payload, *messages;

void cli_redirect(FILE *out, FILE *err)
{
    payload = out;
    messages = err;
}

struct cli_streams cli_streams(void)
{
    return (struct cli_streams){ payload, messages };
}

FILE *cli_stdout(void)
{
    return payload ? payload : stdout;
}

FILE *cli_stderr(void)
{
    return messages ? messages : stderr;
}

/* Where there was no memory to cut it to its size, closing it leaves NULL, and is no failure. */
bool cli_collected(FILE *file, char *const *text)
{
    const bool failed = ferror(file);

    return fclose(file) == 0 && !failed && *text;
}

/* A stream forgets why a write failed, and what it could not write. */
static atomic_int why_flush_failed;

void cli_flush(FILE *file)
{
    int none = 0;

    if (fflush(file) != 0)
        atomic_compare_exchange_strong(&why_flush_failed, &none, errno);
}

int cli_flush_failed(void)
{
    return atomic_load(&why_flush_failed);
}

/* Flushes the output printed so far, and removes the line of progress, before a message. */
static void begin_message(void)
{
    if (messages)
        return;
    cli_flush(stdout);
    if (cli_progress_shown)
        fputs("\r\033[K", stderr);
    cli_progress_shown = false;
}

static int exit_code(enum pc_status status)
{
    switch (status) {
    case PC_EUNFIT:
    case PC_ENOUNIT:
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

/* A part of a line, a column each character, tabs as they are; or blanks of that width. */
static void print_shown(const char *text, size_t from, size_t end, bool blank)
{
    while (from < end) {
        size_t n = cli_character(&text[from]);
        if (text[from] == '\t')
            fputc('\t', cli_stderr());
        else if (n == 0 || blank)
            fputc(blank ? ' ' : '?', cli_stderr());
        else
            fwrite(&text[from], 1, n, cli_stderr());
        from += n ? n : 1;
    }
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
    print_shown(text, from, end, false);
    fprintf(cli_stderr(), "%s\n  | %s", end < length ? "..." : "", from ? "   " : "");
    print_shown(text, from, at, true);
    fputs("^\n", cli_stderr());
}

/* Ends a text that did not fit in "...", without its last word unless that is very long. */
static void end_in_dots(char *text, size_t size, int length)
{
    static const char dots[] = " ...";

    if (length < 0 || (size_t)length < size)
        return;
    text[size - sizeof dots] = '\0';
    char *blank = strrchr(text, ' ');
    char *end = blank && blank > text + size / 2 ? blank : text + size - sizeof dots;
    memcpy(end, dots, sizeof dots);
}

bool cli_suggests(const struct pc_error *err)
{
    return strncmp(err->hint, "did you mean", 12) == 0;
}

void cli_set_error(struct pc_error *err, unsigned code, const char *fmt, va_list args)
{
    *err = (struct pc_error){ .status = pc_explain(code)->status, .code = code };
    end_in_dots(err->text, sizeof err->text, vsnprintf(err->text, sizeof err->text, fmt, args));
}

enum pc_status cli_fail(struct pc_error *err, unsigned code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cli_set_error(err, code, fmt, args);
    va_end(args);
    return err->status;
}

/* "dump.vcd:3:5 byte 17", for the file of an error; nothing where there is no place. */
static void place_of(const struct pc_error *err, const char *path, char *out, size_t size)
{
    char line[24] = "", column[24] = "", byte[40] = "";

    out[0] = '\0';
    if (!path && !err->line && !err->has_byte)
        return;
    if (err->line)
        snprintf(line, sizeof line, ":%" PRIu32, err->line);
    if (err->line && err->column)
        snprintf(column, sizeof column, ":%" PRIu32, err->column);
    if (err->has_byte)
        snprintf(byte, sizeof byte, " byte %" PRIu64, err->byte);
    snprintf(out, size, "%s%s%s%s", path ? path : "(text)", line, column, byte);
}

int cli_error(const struct pc_error *err, const char *path, const char *text)
{
    char place[CLI_PATH + 100], kept[CLI_PATH + 800];

    place_of(err, path, place, sizeof place);
    snprintf(kept, sizeof kept, "%s%s%s", place, place[0] ? ": " : "", err->text);
    cli_keep_error(err->code, kept);
    begin_message();
    fprintf(cli_stderr(), "pcounter: error[PC-E%04u]: ", err->code);
    cli_print_name(cli_stderr(), err->text);
    fputc('\n', cli_stderr());
    if (place[0]) {
        fputs(" --> ", cli_stderr());
        cli_print_name(cli_stderr(), place);
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

int cli_usage(const char *verb, const char *fmt, ...)
{
    char text[4000]; /* a path fits */
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cli_keep_error(900, text);
    begin_message();
    fputs("pcounter: error[PC-E0900]: ", cli_stderr());
    cli_print_name(cli_stderr(), text);
    fprintf(cli_stderr(), "\nhelp: see `pcounter %s%s-h`\n", verb ? verb : "", verb ? " " : "");
    return CLI_INPUT;
}

static void remark(const char *kind, char letter, unsigned code, const char *fmt, va_list args)
{
    char text[1000];

    vsnprintf(text, sizeof text, fmt, args);
    if (letter == 'W')
        cli_keep_warning(code, text);
    if (cli_quiet && letter == 'N')
        return;
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

const struct cli_remark *cli_remark_at(size_t i)
{
#define R(letter, code, title, why) { letter, code, title, why },
    static const struct cli_remark rows[] = {
#include "remarks.def"
    };
#undef R
    return i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}
