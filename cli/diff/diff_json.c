/* SPDX-License-Identifier: MIT */
/* The JSON of a file, within limits: of diff, and of merge. */
#include "diff/diff.h"
#include "diff/diff_jansson.h"
#include "process/library.h"

#include <stdlib.h>
#include <string.h>

int diff_fail(const struct diff_file *f, unsigned code, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    snprintf(err.hint, sizeof err.hint, "%s", f->hint);
    return cli_error(&err, cli_input_name(f->path), NULL);
}

/* Refuses a file that would take too much memory: a report takes up to 14 times its size,
 * others 80. */
static int too_much(const struct diff_file *f, uint64_t most)
{
    return cli_error_at(130, NULL, 0, "if it is a report, --memory SIZE allows more",
                        "%s takes more than %s of memory, %s", cli_input_name(f->path),
                        cli_count(most, "byte"),
                        f->memory ? "which --memory allows" : "20 times its size");
}

/* The end of a string that begins there, or of the text. */
static const char *end_of_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
}

/* Copies the text, with long integers as texts: so no digit of them is lost.  NULL: no memory. */
static char *quote_long(const char *text, size_t size, size_t *out_size)
{
    char *out = malloc(size + 2 * (size / DIFF_LONG) + 1), *to = out;
    const char *end = text + size;

    for (const char *p = text, *rest; out && p < end; p = rest) {
        rest = p + 1;
        const char *digits = p + (*p == '-');
        if (*p == '"')
            rest = end_of_string(p, end);
        else if (digits < end && *digits >= '0' && *digits <= '9')
            while (rest < end && *rest && strchr("0123456789.eE+-", *rest))
                rest++;
        const size_t n = (size_t)(rest - p), of = (size_t)(rest - digits);
        const bool is_long = rest > digits && of >= DIFF_LONG &&
                             strspn(digits, "0123456789") >= of && *digits != '0';
        if (is_long)
            *to++ = '"';
        memcpy(to, p, n);
        to += n;
        if (is_long)
            *to++ = '"';
    }
    *out_size = (size_t)(to - out);
    return out;
}

static int parse(struct diff_file *f, const char *text, size_t size)
{
    const uint64_t most = f->memory ? f->memory : 20 * (uint64_t)size + (1 << 16);
    json_error_t wrong;
    size_t quoted_size;
    char *quoted = quote_long(text, size, &quoted_size);

    if (!quoted)
        return cli_no_memory();
    diff_jansson_limit(most);
    f->json = diff_jansson_parse(f->jansson, quoted, quoted_size, &wrong);
    free(quoted);
    if (diff_jansson_at_limit())
        return too_much(f, most);
    if (diff_jansson_refused())
        return cli_no_memory();
    return f->json ? CLI_OK
                   : diff_fail(f, 1701, "not JSON: %.120s in line %d", wrong.text, wrong.line);
}

int diff_json_open(struct diff_file *f, const char *text, size_t size)
{
    f->jansson = calloc(1, sizeof *f->jansson);
    const char *why = f->jansson ? diff_jansson_load(f->jansson) : NULL;

    if (!f->jansson || (why && cli_library_no_memory(why)))
        return cli_no_memory();
    return why ? cli_error_at(1700, NULL, 0, NULL, "%.200s", why) : parse(f, text, size);
}

void diff_json_close(struct diff_file *f)
{
    if (f->json)
        f->jansson->delete (f->json); /* no one else has it */
    if (f->jansson)
        diff_jansson_unload(f->jansson);
    free(f->jansson);
    f->json = NULL;
    f->jansson = NULL;
}
