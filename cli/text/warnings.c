/* SPDX-License-Identifier: MIT */
/* See warnings.h. */
#include "text/warnings.h"

#include "text/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Those of this thread's report; what there is no memory for is one of the others. */
static _Thread_local struct {
    char *text[CLI_WARNINGS];
    size_t count;
    uint64_t others;
    char more[64];
    char error[600];
} kept;

/* Keeps the text, which is taken over; false: it is one of the others. */
static bool keep(char *text)
{
    if (text && kept.count < CLI_WARNINGS && !kept.others) {
        kept.text[kept.count++] = text;
        return true;
    }
    free(text);
    return false;
}

void cli_keep_warning(unsigned code, const char *text)
{
    enum { CODE = sizeof "PC-W0000: " };
    const size_t size = CODE + strlen(text) + 8;
    char *copy = malloc(size);

    if (copy)
        snprintf(copy, size, "PC-W%04u: %s", code, text);
    if (keep(copy))
        return;
    kept.others++;
    snprintf(kept.more, sizeof kept.more, "%" PRIu64 " more warning%s not listed", kept.others,
             kept.others == 1 ? " is" : "s are");
}

void cli_keep_again(const char *text)
{
    const uint64_t others = strtoull(text, NULL, 10);

    if (others == 0) {
        (void)keep(strdup(text));
        return;
    }
    kept.others += others;
    snprintf(kept.more, sizeof kept.more, "%s", text);
}

void cli_keep_error(unsigned code, const char *text)
{
    snprintf(kept.error, sizeof kept.error, "PC-E%04u: %s", code, text);
}

const char *cli_last_error(void)
{
    return kept.error;
}

void cli_warnings_forget(void)
{
    kept.error[0] = '\0';
    for (size_t i = 0; i < kept.count; i++)
        free(kept.text[i]);
    kept.count = 0;
    kept.others = 0;
}

const char *cli_warning_at(size_t i)
{
    if (i < kept.count)
        return kept.text[i];
    return i == kept.count && kept.others ? kept.more : NULL;
}

void cli_json_warnings(FILE *out)
{
    const char *text;

    fputs("\"warnings\": [", out);
    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++) {
        fputs(i ? ", " : "", out);
        cli_json_string(out, text);
    }
    fputc(']', out);
}

void cli_text_warnings(FILE *out)
{
    const char *text = cli_warning_at(0);

    if (!text || !cli_quiet)
        return;
    cli_page_text_alone(out); /* Markdown has them at its end, always */
    fputc('\n', out);
    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++) {
        fputs("warning: ", out);
        cli_print_name(out, text);
        fputc('\n', out);
    }
    cli_page_text_alone(out);
}
