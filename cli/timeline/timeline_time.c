/* SPDX-License-Identifier: MIT */
/* Times of timelines as decimal text: all of their digits, where a double has fewer. */
#include "timeline.h"

#include <string.h>

void timeline_point(const char *digits, int decimals, char out[TIMELINE_TEXT])
{
    const int length = (int)strlen(digits), before = length - decimals;

    if (decimals <= 0)
        snprintf(out, TIMELINE_TEXT, "%s%.*d", digits, -decimals, 0);
    else if (before > 0)
        snprintf(out, TIMELINE_TEXT, "%.*s.%s", before, digits, digits + before);
    else
        snprintf(out, TIMELINE_TEXT, "0.%.*d%s", -before, 0, digits);
}
