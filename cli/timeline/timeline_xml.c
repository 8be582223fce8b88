/* SPDX-License-Identifier: MIT */
/* Names of a waveform as text of a page. */
#include "timeline_plot.h"

void timeline_put(FILE *out, const char *text)
{
    char hidden[CLI_HIDDEN];

    while (*text) {
        size_t n = cli_character(text);
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
            if (n == 0) {
                n = cli_hidden(text, hidden);
                fputs(hidden, out);
            } else {
                fwrite(text, 1, n, out);
            }
        }
        text += n;
    }
}
