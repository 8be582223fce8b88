/* SPDX-License-Identifier: MIT */
/* Rules and checks of a description as messages have them, with their lines; errors at its texts.
 */
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

const struct described_said *described_rule_said(const struct described *d, size_t reg, size_t rule)
{
    static const struct described_said nothing = { NULL, NULL };

    return rule == PC_CORE_NO_RULE ? &nothing
                                   : &d->rule_node[d->reg_node[reg].first_rule + rule].said;
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
    if (strncmp(err->hint, "arithmetic is not supported", 22) == 0)
        snprintf(err->hint, sizeof err->hint, "%s",
                 "rules have + - << >> and no * / %: 2 * x is x << 1, x / 4 is x >> 2");
    else if (err->hint[0] == '\0')
        snprintf(err->hint, sizeof err->hint, "%s",
                 "write names, 8'hff, ! ~ - & | ^ && || == != < <= > >=, a ? b : c, + - << >>, "
                 "{a, b}, x[i], x[7:0], countones(x), rise(x), prev(x): pcounter-core(5)");
}

bool described_take_said(struct described *d, const yaml_node_t *key, const yaml_node_t *value,
                         struct described_said *said, int *code)
{
    const char *text = cli_yaml_text(key);
    const char **out = !text                         ? NULL
                       : strcmp(text, "clause") == 0 ? &said->clause
                       : strcmp(text, "known") == 0  ? &said->known
                                                     : NULL;

    if (out)
        *code = described_text(d, value, text, out);
    return out != NULL;
}

/* The node of a text, and the text as the library had it. */
static const yaml_node_t *node_of(const struct described *d, const struct pc_core_place *p,
                                  const char **text)
{
    const size_t i = p->item;

    *text = NULL;
    switch (p->what) {
    case PC_CORE_RESET:
        *text = d->desc.reset;
        return d->reset_node;
    case PC_CORE_LET:
        *text = d->let[i].value;
        return d->let_node[i];
    case PC_CORE_VECTOR:
        *text = d->vector[i].element ? d->vector[i].element[p->part] : NULL;
        return d->vector_node[i];
    case PC_CORE_IS:
        *text = d->reg[i].is;
        return d->reg_node[i].is ? d->reg_node[i].is : d->reg_node[i].of;
    case PC_CORE_RESET_VALUE:
        *text = d->reg[i].reset;
        return d->reg_node[i].reset ? d->reg_node[i].reset : d->reg_node[i].of;
    case PC_CORE_WIDTH_OF:
        return d->reg_node[i].width ? d->reg_node[i].width : d->reg_node[i].of;
    case PC_CORE_WHEN:
        *text = d->reg[i].rule[p->part].when;
        return d->rule_node[d->reg_node[i].first_rule + p->part].when;
    case PC_CORE_VALUE:
        *text = d->reg[i].rule[p->part].value;
        return d->rule_node[d->reg_node[i].first_rule + p->part].value;
    case PC_CORE_CHECK_WHEN:
        *text = d->check[i].when;
        return d->check_node[i];
    case PC_CORE_CHECK_THAT:
        *text = d->check[i].that;
        return d->check_node[i];
    default:
        return NULL;
    }
}

int described_fail(const struct described *d, const struct pc_core_place *place,
                   const struct pc_error *err)
{
    const char *text;
    const yaml_node_t *node = node_of(d, place, &text);
    struct pc_error told = *err;

    if (err->status == PC_ENOMEM)
        return cli_no_memory();
    if (text && err->column > 0)
        cli_fail(&told, err->code, "%s, in \"%.200s\"%s", err->text, text,
                 strlen(text) > 200 ? "..." : "");
    memcpy(told.hint, err->hint, sizeof told.hint);
    described_hint(&told);
    told.line = node ? (uint32_t)node->start_mark.line + 1 : 0;
    told.column = node ? (uint32_t)node->start_mark.column + 1 : 0;
    return cli_error(&told, d->yaml.path, d->yaml.text);
}
