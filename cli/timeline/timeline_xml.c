/* SPDX-License-Identifier: MIT */
/* Names of a waveform as text of a page. */
#include "timeline_plot.h"

#include <string.h>

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_no_character(const char *text)
{
    return memcmp(text, "\xef\xbf", 2) == 0 && ((unsigned char)text[2] | 1) == 0xbf;
}

void timeline_put(FILE *out, const char *text)
{
    while (*text) {
        const size_t n = cli_character(text);
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            if (n == 0 || (n == 3 && is_no_character(text)))
                fprintf(out, "\\x%02X", (unsigned char)*text);
            else
                fwrite(text, 1, n, out);
        }
        text += n > 0 && !(n == 3 && is_no_character(text)) ? n : 1;
    }
}
