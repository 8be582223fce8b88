/* SPDX-License-Identifier: MIT */
/* Rules and checks of a description as messages have them, with their lines. */
#include "described/described.h"

#include <inttypes.h>
#include <string.h>

uint32_t described_line(const yaml_node_t *node)
{
    return (uint32_t)node->start_mark.line + 1;
}

void described_rule_text(const struct described *d, size_t reg, size_t rule, char *out, size_t size)
{
    static const char *const actions[] = { "keep", "set", "add", "max" };
    char slice[40] = "";

    if (rule == PC_CORE_NO_RULE) {
        snprintf(out, size, "no rule held: it keeps its value");
        return;
    }
    const struct pc_core_rule *k = &d->reg[reg].rule[rule];
    const yaml_node_t *node = d->rule_node[d->reg_node[reg].first_rule + rule].of;
    if (k->sliced && k->hi == k->lo)
        snprintf(slice, sizeof slice, "[%" PRIu32 "]", k->lo);
    else if (k->sliced)
        snprintf(slice, sizeof slice, "[%" PRIu32 ":%" PRIu32 "]", k->hi, k->lo);
    snprintf(out, size, "line %" PRIu32 ": %s%.300s%s%s%s%s%.200s", described_line(node),
             k->when ? "when " : "", k->when ? k->when : "", k->when ? ", " : "",
             actions[k->action], slice, k->value ? " " : "", k->value ? k->value : "");
}

void described_check_text(const struct described *d, size_t check, char *out, size_t size)
{
    snprintf(out, size, "line %" PRIu32 ": %s", described_line(d->check_node[check]),
             d->check[check].that);
}

/* Rules have more than expressions of events, which the hints of these do not know. */
void described_hint(struct pc_error *err)
{
    if (err->code != 301)
        return;
    if (strncmp(err->hint, "there is no arithmetic", 22) == 0)
        snprintf(err->hint, sizeof err->hint, "%s",
                 "rules have + - << >> and no * / %: 2 * x is x << 1, x / 4 is x >> 2");
    else if (err->hint[0] == '\0')
        snprintf(err->hint, sizeof err->hint, "%s",
                 "write names, 8'hff, ! ~ - & | ^ && || == != < <= > >=, a ? b : c, + - << >>, "
                 "{a, b}, x[i], x[7:0], countones(x), rise(x), prev(x): pcounter-core(5)");
}
