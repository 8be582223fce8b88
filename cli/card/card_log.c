/* SPDX-License-Identifier: MIT */
/* The head of a log. */
#include "card/card.h"

#include <string.h>

static void write_lines(struct replay_log *log, const char *line)
{
    for (const char *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        replay_log_command(log, line, (size_t)(end - line));
    }
}

void card_log_begin(struct replay_log *log, const struct card_options *o,
                    const struct card_setup *setup)
{
    replay_log_begin_card(log, o->chip);
    write_lines(log, setup->commands);
    write_lines(log, setup->waves);
}
