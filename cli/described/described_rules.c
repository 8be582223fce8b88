/* SPDX-License-Identifier: MIT */
/* Registers of a description, one for each number of its `for`, and their rules. */
#include "described/described.h"

#include <stdlib.h>
#include <string.h>

#include "wave/event_list.h"

static const char *const keys[] = { "name", "for", "width", "is", "reset", "rules", NULL };
enum { NAME, FOR, WIDTH, IS, RESET, RULES, KEYS };

struct maker {
    struct described *d;
    const yaml_node_t *node, *of[KEYS];
    struct described_number n;
};

static bool is_mapping(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE;
}

/* One value, or one for each number: {0: 64, else: 40}.  *out NULL: the number has none. */
static int by_number(struct maker *m, const yaml_node_t *node, const yaml_node_t **out)
{
    yaml_node_t *key, *value;

    *out = node;
    if (!is_mapping(node))
        return CLI_OK;
    *out = NULL;
    for (size_t i = 0; cli_yaml_pair(&m->d->yaml, node, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        char *end = NULL;
        const long n = text ? strtol(text, &end, 0) : 0;
        if (text && strcmp(text, "else") == 0) {
            if (!*out)
                *out = value;
        } else if (!text || end == text || *end != '\0') {
            return cli_yaml_fail(&m->d->yaml, key, 1902, NULL,
                                 "values by number have numbers before them, or else");
        } else if (m->n.name && n == m->n.value) {
            *out = value;
        }
    }
    if (!m->n.name)
        return cli_yaml_fail(&m->d->yaml, node, 1902, "put a text with { in quotes: \"{hi, lo}\"",
                             "values by number are of registers with for");
    if (*out)
        return CLI_OK;
    return cli_yaml_fail(&m->d->yaml, node, 1902, NULL, "no value for %.*s = %ld, and no else",
                         (int)m->n.length, m->n.name, m->n.value);
}

static int take(struct maker *m, const yaml_node_t *node, const char *what, bool expression,
                const char **out)
{
    const char *text;
    const int code = described_text(m->d, node, what, &text);

    return code ? code : described_expanded(m->d, node, text, &m->n, expression, out);
}

/* --- rules --- */

/* "set", "set[7:0]", "set[3]" */
static int take_slice(struct maker *m, const yaml_node_t *key, struct pc_core_rule *rule)
{
    const char *text;
    char *end;
    int code = take(m, key, "the key", true, &text);

    if (code)
        return code;
    if (text[3] == '\0')
        return CLI_OK;
    unsigned long hi = strtoul(text + 4, &end, 10), lo = hi;
    if (end > text + 4 && *end == ':')
        lo = strtoul(end + 1, &end, 10);
    if (end == text + 4 || strcmp(end, "]") != 0 || lo > hi || hi >= PC_CORE_WIDTH)
        return cli_yaml_fail(&m->d->yaml, key, 1902, NULL,
                             "bits that are set are written set[hi:lo] or set[bit], not %s", text);
    rule->sliced = true;
    rule->hi = (uint32_t)hi;
    rule->lo = (uint32_t)lo;
    return CLI_OK;
}

static bool is_set(const char *text)
{
    return strncmp(text, "set", 3) == 0 && (text[3] == '\0' || text[3] == '[');
}

static int take_action(struct maker *m, const yaml_node_t *key, const yaml_node_t *value,
                       struct pc_core_rule *rule, struct described_rule *at)
{
    static const char *const known[] = { "when", "set",    "add",   "max", "keep",
                                         "then", "clause", "known", NULL };
    const char *text = cli_yaml_text(key), *word = cli_yaml_text(value);
    int code = CLI_OK;

    if (text && strcmp(text, "keep") == 0) {
        rule->action = PC_CORE_KEEP;
        return !word || word[0] == '\0' || strcmp(word, "true") == 0 || strcmp(word, "1") == 0 ||
                       strcmp(word, "~") == 0 || strcmp(word, "null") == 0 ||
                       strcmp(word, "yes") == 0
                   ? CLI_OK
                   : cli_yaml_fail(&m->d->yaml, value, 1902, NULL, "keep is: true");
    }
    if (text && is_set(text)) {
        rule->action = PC_CORE_SET;
        code = take_slice(m, key, rule);
    } else if (text && (strcmp(text, "add") == 0 || strcmp(text, "max") == 0)) {
        rule->action = text[0] == 'a' ? PC_CORE_ADD : PC_CORE_MAX;
    } else if (text && strcmp(text, "then") == 0) {
        rule->go_on = word && strcmp(word, "go on") == 0;
        return rule->go_on ? CLI_OK
                           : cli_yaml_fail(&m->d->yaml, value, 1902, NULL, "then is: go on");
    } else {
        return described_unknown_key(m->d, key, known);
    }
    at->value = value;
    return code ? code : take(m, value, "what a rule acts with", true, &rule->value);
}

static int take_rule(struct maker *m, yaml_node_t *node)
{
    struct described *d = m->d;
    void *array = d->rule, *nodes = d->rule_node;
    yaml_node_t *key, *value;
    unsigned actions = 0;
    int code = CLI_OK;

    if (!is_mapping(node))
        return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                             "a rule is a mapping: {when: ..., add: 1}");
    if (d->rules > PC_CORE_RULES)
        return cli_yaml_fail(&d->yaml, node, 1904, NULL, "there are more than %d rules",
                             PC_CORE_RULES);
    if (!cli_grow(&array, &d->rule_capacity, d->rules + 1, sizeof *d->rule))
        return cli_no_memory();
    d->rule = array;
    if (!cli_grow(&nodes, &d->rule_nodes, d->rules + 1, sizeof *d->rule_node))
        return cli_no_memory();
    d->rule_node = nodes;
    struct pc_core_rule *rule = &d->rule[d->rules];
    struct described_rule *at = &d->rule_node[d->rules++];
    *rule = (struct pc_core_rule){ .when = NULL };
    *at = (struct described_rule){ .of = node, .when = node, .value = node };
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(&d->yaml, node, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        if (text && strcmp(text, "when") == 0) {
            at->when = value;
            code = take(m, value, "when", true, &rule->when);
        } else if (!described_take_said(d, key, value, &at->said, &code)) {
            actions += !text || strcmp(text, "then") != 0;
            code = take_action(m, key, value, rule, at);
        }
    }
    if (code == CLI_OK && actions != 1)
        code =
            cli_yaml_fail(&d->yaml, node, 1901, "write one of them, as in {when: we, set: wdata}",
                          "a rule does one thing: set, set[hi:lo], add, max or keep");
    return code;
}

/* --- registers --- */

static int take_width(struct maker *m, struct pc_core_register *r, struct described_register *at)
{
    int code = by_number(m, m->of[WIDTH], &at->width);
    const char *text;
    char *end;

    if (code == CLI_OK)
        code = take(m, at->width, "width", false, &text);
    if (code)
        return code;
    const unsigned long width = strtoul(text, &end, 0);
    if (*end != '\0' || end == text || width < 1 || width > PC_CORE_WIDTH)
        return cli_yaml_fail(&m->d->yaml, at->width, 1904, NULL,
                             "the width of %s is a number from 1 to %d, not %s", r->name,
                             PC_CORE_WIDTH, text);
    r->width = (uint32_t)width;
    return CLI_OK;
}

/* Finds the signal that the register is compared with: by default the one of its name. */
static int take_is(struct maker *m, struct pc_core_register *r, struct described_register *at)
{
    r->is = r->name;
    if (m->of[IS]) {
        int code = by_number(m, m->of[IS], &at->is);
        if (code == CLI_OK)
            code = take(m, at->is, "is", true, &r->is);
        if (code)
            return code;
    }
    if (strcmp(r->is, "none") == 0)
        r->is = NULL;
    at->shown = r->is;
    return CLI_OK;
}

static int take_reset(struct maker *m, struct pc_core_register *r, struct described_register *at)
{
    r->reset = "0";
    if (m->of[RESET]) {
        int code = by_number(m, m->of[RESET], &at->reset);
        if (code == CLI_OK)
            code = take(m, at->reset, "reset", false, &r->reset);
        if (code)
            return code;
    }
    if (strcmp(r->reset, "none") == 0)
        r->reset = NULL;
    return CLI_OK;
}

/* The register for one number. */
static int take_register(struct maker *m)
{
    struct described *d = m->d;
    void *array = d->reg, *nodes = d->reg_node;
    yaml_node_t *item;

    if (d->desc.regs == PC_CORE_REGISTERS)
        return cli_yaml_fail(&d->yaml, m->node, 1904, NULL, "there are more than %d registers",
                             PC_CORE_REGISTERS);
    if (!cli_grow(&array, &d->reg_capacity, d->desc.regs + 1, sizeof *d->reg))
        return cli_no_memory();
    d->reg = array;
    if (!cli_grow(&nodes, &d->reg_nodes, d->desc.regs + 1, sizeof *d->reg_node))
        return cli_no_memory();
    d->reg_node = nodes;
    struct pc_core_register *r = &d->reg[d->desc.regs];
    struct described_register *at = &d->reg_node[d->desc.regs];
    *r = (struct pc_core_register){ .name = NULL };
    *at = (struct described_register){ .of = m->node, .first_rule = d->rules };
    int code = take(m, m->of[NAME], "name", false, &r->name);
    if (code == CLI_OK)
        code = take_width(m, r, at);
    if (code == CLI_OK)
        code = take_is(m, r, at);
    if (code == CLI_OK)
        code = take_reset(m, r, at);
    for (size_t i = 0; code == CLI_OK && (item = cli_yaml_item(&d->yaml, m->of[RULES], i)) != NULL;
         i++)
        code = take_rule(m, item);
    r->rules = d->rules - at->first_rule;
    d->desc.regs++;
    return code;
}

static int take_all(struct maker *m)
{
    struct described_for f;
    const char *text;
    bool has = true;

    if (!m->of[FOR])
        return take_register(m);
    int code = described_text(m->d, m->of[FOR], "for", &text);
    if (code)
        return code;
    for (const char *wrong = described_for_begin(&f, text); code == CLI_OK;) {
        if (!wrong)
            wrong = described_for_next(&f, &has);
        if (wrong)
            return cli_yaml_fail(&m->d->yaml, m->of[FOR], 1903, NULL, "%s", wrong);
        if (!has)
            break;
        m->n = f.number;
        code = take_register(m);
    }
    return code;
}

static int read_register(struct described *d, const yaml_node_t *node)
{
    struct maker m = { .d = d, .node = node };
    yaml_node_t *key, *value;

    if (!is_mapping(node))
        return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                             "a register is a mapping: name, width, rules");
    for (size_t i = 0; cli_yaml_pair(&d->yaml, node, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        int k = 0;
        while (k < KEYS && !(text && strcmp(text, keys[k]) == 0))
            k++;
        if (k == KEYS)
            return described_unknown_key(d, key, keys);
        m.of[k] = value;
    }
    static const int needed[] = { NAME, WIDTH, RULES };
    static const char *const typed[] = { "add name: SIGNAL", "add width: BITS",
                                         "add rules: and a list, - {when: we, set: wdata}" };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!m.of[needed[i]])
            return cli_yaml_fail(&d->yaml, node, 1901, typed[i], "the register has no %s",
                                 keys[needed[i]]);
    if (m.of[RULES]->type != YAML_SEQUENCE_NODE)
        return cli_yaml_fail(&d->yaml, m.of[RULES], 1902, NULL, "rules is a list");
    return take_all(&m);
}

int described_registers(struct described *d, yaml_node_t *node)
{
    yaml_node_t *item;
    int code = CLI_OK;

    if (node->type != YAML_SEQUENCE_NODE)
        return cli_yaml_fail(&d->yaml, node, 1902, NULL, "registers is a list");
    for (size_t i = 0; code == CLI_OK && (item = cli_yaml_item(&d->yaml, node, i)) != NULL; i++)
        code = read_register(d, item);
    if (code == CLI_OK && d->desc.regs == 0)
        code = cli_yaml_fail(&d->yaml, node, 1901, NULL, "there is no register");
    return code;
}
