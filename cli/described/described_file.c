/* SPDX-License-Identifier: MIT */
/* The file of a description: its keys, and what is no register. */
#include "described/described.h"

#include <stdlib.h>
#include <string.h>

#include "text/chars.h"
#include "text/regs_text.h"
#include "wave/event_list.h"

static const char *const keys[] = { "pcounter-core", "name",   "about",      "profile", "scope",
                                    "clock",         "reset",  "reset-kind", "let",     "vectors",
                                    "registers",     "checks", "metrics",    "stopped", NULL };
enum {
    VERSION,
    NAME,
    ABOUT,
    PROFILE,
    SCOPE,
    CLOCK,
    RESET,
    KIND,
    LET,
    VECTORS,
    REGISTERS,
    CHECKS,
    METRICS,
    STOPPED,
    KEYS
};

bool described_is_file(const char *name)
{
    const char *dot = strrchr(name, '.');

    return strchr(name, '/') != NULL || strcmp(name, "-") == 0 ||
           (dot &&
            (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0));
}

const char *described_keep(struct described *d, char *text)
{
    void *array = d->text;

    if (!text || !cli_grow(&array, &d->text_capacity, d->texts + 1, sizeof *d->text)) {
        free(text);
        return NULL;
    }
    d->text = array;
    d->text[d->texts++] = text;
    return text;
}

int described_text(struct described *d, const yaml_node_t *node, const char *what, const char **out)
{
    *out = cli_yaml_text(node);
    if (*out && (*out)[0] != '\0')
        return CLI_OK;
    return cli_yaml_fail(&d->yaml, node, 1902,
                         node->type == YAML_SCALAR_NODE && node->tag
                             ? "a text that begins with ! needs quotes: \"!rst_ni\""
                             : "put a text with { [ : or # in quotes",
                         "%s is a text", what);
}

int described_unknown_key(const struct described *d, const yaml_node_t *key,
                          const char *const *known)
{
    const char *text = cli_yaml_text(key);
    char near[160] = "", hint[200] = "";
    size_t used = 0;

    if (text)
        cli_near(text, known, near, sizeof near);
    if (near[0])
        snprintf(hint, sizeof hint, "did you mean %s?", near);
    for (size_t i = 0; !near[0] && known[i] && used < sizeof hint; i++)
        used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%s",
                                 i ? ", " : "the keys here are ", known[i]);
    return cli_yaml_fail(&d->yaml, key, 1901, hint, "unknown key %s", text ? text : "of that kind");
}

int described_expanded(struct described *d, const yaml_node_t *node, const char *text,
                       const struct described_number *n, bool expression, const char **out)
{
    const char *wrong = NULL;

    *out = text;
    if (!n->name && !strchr(text, '{')) /* most: no copy */
        return CLI_OK;
    char *made = described_expand(text, n, expression, &wrong);
    if (wrong)
        return cli_yaml_fail(&d->yaml, node, 1903, NULL, "%s in %s", wrong, text);
    *out = described_keep(d, made);
    return *out ? CLI_OK : cli_no_memory();
}

/* --- nodes of what the library has by numbers --- */

static bool note(const yaml_node_t ***nodes, size_t *capacity, size_t i, const yaml_node_t *node)
{
    void *array = *nodes;

    if (!cli_grow(&array, capacity, i + 1, sizeof **nodes))
        return false;
    *nodes = array;
    (*nodes)[i] = node;
    return true;
}

static const struct described_number no_number = { NULL, 0, 0 };

static int expression(struct described *d, const yaml_node_t *node, const char *what,
                      const char **out)
{
    const char *text;
    const int code = described_text(d, node, what, &text);

    return code ? code : described_expanded(d, node, text, &no_number, true, out);
}

bool described_add_let(struct described *d, const char *name, const char *value)
{
    void *array = d->let;

    if (!cli_grow(&array, &d->let_capacity, d->desc.lets + 1, sizeof *d->let))
        return false;
    d->let = array;
    d->let[d->desc.lets++] = (struct pc_core_let){ name, value };
    return true;
}

static int read_lets(struct described *d, yaml_node_t *node)
{
    yaml_node_t *key, *value;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                             "let is a mapping of names to expressions");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(&d->yaml, node, i, &key, &value); i++) {
        const char *name, *text;
        code = described_text(d, key, "the name of a let", &name);
        if (code == CLI_OK)
            code = expression(d, value, "a let", &text);
        if (code == CLI_OK &&
            (!note(&d->let_node, &d->let_nodes, i, value) || !described_add_let(d, name, text)))
            code = cli_no_memory();
    }
    return code;
}

/* An element is an expression, or {NAME: expression}. */
static int read_element(struct described *d, yaml_node_t *node, const char **element,
                        const char **called)
{
    yaml_node_t *key, *value, *other;

    *called = NULL;
    if (node->type != YAML_MAPPING_NODE)
        return expression(d, node, "an element of a vector", element);
    if (!cli_yaml_pair(&d->yaml, node, 0, &key, &value) ||
        cli_yaml_pair(&d->yaml, node, 1, &other, &other))
        return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                             "an element is an expression, or {NAME: expression}");
    const int code = described_text(d, key, "the name of an element", called);
    return code ? code : expression(d, value, "an element of a vector", element);
}

static int read_elements(struct described *d, yaml_node_t *node, struct pc_core_vector *v)
{
    const size_t most = cli_yaml_items(node);
    const char **element = calloc(most + 1, sizeof *element), **called = NULL, *name;
    yaml_node_t *item;
    int code = element ? CLI_OK : cli_no_memory();

    v->element = element;
    for (size_t i = 0; code == CLI_OK && (item = cli_yaml_item(&d->yaml, node, i)) != NULL; i++) {
        v->elements = i + 1;
        code = read_element(d, item, &element[i], &name);
        if (code == CLI_OK && name && !called && !(called = calloc(most, sizeof *called)))
            code = cli_no_memory();
        if (called)
            called[i] = name;
    }
    v->called = called;
    return code;
}

static int read_vectors(struct described *d, yaml_node_t *node)
{
    yaml_node_t *key, *value;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                             "vectors is a mapping of names to lists of expressions");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(&d->yaml, node, i, &key, &value); i++) {
        void *array = d->vector;
        if (!cli_grow(&array, &d->vector_capacity, i + 1, sizeof *d->vector) ||
            !note(&d->vector_node, &d->vector_nodes, i, value))
            return cli_no_memory();
        d->vector = array;
        d->vector[i] = (struct pc_core_vector){ .name = NULL };
        d->desc.vectors = i + 1;
        code = described_text(d, key, "the name of a vector", &d->vector[i].name);
        if (code == CLI_OK && value->type != YAML_SEQUENCE_NODE)
            code = cli_yaml_fail(&d->yaml, value, 1902, NULL,
                                 "a vector is a list of expressions, element 0 first");
        if (code == CLI_OK)
            code = read_elements(d, value, &d->vector[i]);
    }
    return code;
}

static int read_check(struct described *d, yaml_node_t *node, struct pc_core_check *check,
                      struct described_said *said)
{
    static const char *const known[] = { "name", "when", "that", "clause", "known", NULL };
    yaml_node_t *key, *value;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(&d->yaml, node, 1902, NULL, "a check is a mapping: name, when, that");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(&d->yaml, node, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        if (text && strcmp(text, "name") == 0)
            code = described_text(d, value, "name", &check->name);
        else if (text && strcmp(text, "when") == 0)
            code = expression(d, value, "when", &check->when);
        else if (text && strcmp(text, "that") == 0)
            code = expression(d, value, "that", &check->that);
        else if (!described_take_said(d, key, value, said, &code))
            code = described_unknown_key(d, key, known);
    }
    if (code == CLI_OK && (!check->name || !check->that))
        code = cli_yaml_fail(&d->yaml, node, 1901, "write {name: TEXT, that: CONDITION}",
                             "a check has a name, and that, which must hold");
    return code;
}

static int read_checks(struct described *d, yaml_node_t *node)
{
    yaml_node_t *item;
    int code = CLI_OK;

    if (node->type != YAML_SEQUENCE_NODE)
        return cli_yaml_fail(&d->yaml, node, 1902, NULL, "checks is a list");
    for (size_t i = 0; code == CLI_OK && (item = cli_yaml_item(&d->yaml, node, i)) != NULL; i++) {
        void *array = d->check;
        if (!cli_grow(&array, &d->check_capacity, i + 1, sizeof *d->check) ||
            !note(&d->check_node, &d->check_nodes, i, item))
            return cli_no_memory();
        d->check = array;
        void *said = d->check_said;
        if (!cli_grow(&said, &d->check_saids, i + 1, sizeof *d->check_said))
            return cli_no_memory();
        d->check_said = said;
        d->check[i] = (struct pc_core_check){ .name = NULL };
        d->check_said[i] = (struct described_said){ NULL, NULL };
        d->desc.checks = i + 1;
        code = read_check(d, item, &d->check[i], &d->check_said[i]);
    }
    return code;
}

/* NAME: FORMULA, as -M takes them. */
static int read_metrics(struct described *d, yaml_node_t *node)
{
    yaml_node_t *key, *value;
    const char *name, *formula;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                             "metrics is a mapping of names to formulas");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(&d->yaml, node, i, &key, &value); i++) {
        void *array = d->metric;
        code = described_text(d, key, "the name of a metric", &name);
        if (code == CLI_OK)
            code = described_text(d, value, "a formula", &formula);
        if (code)
            return code;
        const size_t size = strlen(name) + strlen(formula) + 4;
        char *text = malloc(size);
        if (text)
            snprintf(text, size, "%s = %s", name, formula);
        if (!cli_grow(&array, &d->metric_capacity, i + 1, sizeof *d->metric)) {
            free(text);
            return cli_no_memory();
        }
        d->metric = array;
        d->metric[i] = described_keep(d, text);
        if (!d->metric[i])
            return cli_no_memory();
        d->metrics = i + 1;
    }
    return code;
}

/* "posedge clk", "negedge clk", "clk" */
static int read_clock(struct described *d, yaml_node_t *node)
{
    const char *text;
    const int code = described_text(d, node, "clock", &text);

    if (code)
        return code;
    d->clock_node = node;
    d->negative = strncmp(text, "negedge", 7) == 0 && cli_is_blank(text[7]);
    if (d->negative || (strncmp(text, "posedge", 7) == 0 && cli_is_blank(text[7])))
        text += 7;
    while (cli_is_blank(*text))
        text++;
    d->clock = text;
    return CLI_OK;
}

static int read_kind(struct described *d, yaml_node_t *node)
{
    const char *text = cli_yaml_text(node);

    d->sync = text && strcmp(text, "sync") == 0;
    if (d->sync || (text && strcmp(text, "async") == 0))
        return CLI_OK;
    return cli_yaml_fail(&d->yaml, node, 1902, NULL, "reset-kind is async or sync");
}

/* An expression of signals, as the reset; the library does not read it. */
static int read_stopped(struct described *d, yaml_node_t *node)
{
    struct pc_expr *expr = NULL;
    struct pc_error err;
    const int code = expression(d, node, "stopped", &d->stopped);

    if (code)
        return code;
    const enum pc_status status = pc_expr_parse(NULL, d->stopped, &expr, &err);
    pc_expr_free(expr);
    if (status == PC_OK)
        return CLI_OK;
    return status == PC_ENOMEM ? cli_no_memory()
                               : cli_yaml_fail(&d->yaml, node, err.code, err.hint, "%s, in \"%s\"",
                                               err.text, d->stopped);
}

static int read_version(struct described *d, const yaml_node_t *node)
{
    const char *text = cli_yaml_text(node);

    if (text && strcmp(text, "1") == 0)
        return CLI_OK;
    return cli_yaml_fail(&d->yaml, node, 1902, NULL,
                         "pcounter-core is 1, the version of this language");
}

static int read_key(struct described *d, int key, yaml_node_t *value)
{
    switch (key) {
    case VERSION:
        return read_version(d, value);
    case NAME:
        return described_text(d, value, "name", &d->name);
    case ABOUT:
        return described_text(d, value, "about", &d->about);
    case PROFILE:
        return described_text(d, value, "profile", &d->profile);
    case SCOPE:
        return described_text(d, value, "scope", &d->scope);
    case CLOCK:
        return read_clock(d, value);
    case RESET:
        d->reset_node = value;
        return expression(d, value, "reset", &d->desc.reset);
    case KIND:
        return read_kind(d, value);
    case STOPPED:
        return read_stopped(d, value);
    case LET:
        return read_lets(d, value);
    case VECTORS:
        return read_vectors(d, value);
    case REGISTERS:
        return described_registers(d, value);
    case CHECKS:
        return read_checks(d, value);
    default:
        return read_metrics(d, value);
    }
}

static int read_root(struct described *d)
{
    yaml_node_t *root = cli_yaml_root(&d->yaml), *key, *value, *of[KEYS] = { NULL };
    struct pc_error err;
    int code = CLI_OK;

    if (!root) {
        cli_fail(&err, 1900, "the file is empty");
        return cli_error(&err, d->yaml.path, NULL);
    }
    if (root->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(&d->yaml, root, 1902, NULL,
                             "a description begins with pcounter-core: 1, and other keys");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(&d->yaml, root, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        int k = 0;
        while (k < KEYS && !(text && strcmp(text, keys[k]) == 0))
            k++;
        if (k == KEYS)
            return described_unknown_key(d, key, keys);
        of[k] = value;
        code = read_key(d, k, value);
    }
    static const int needed[] = { VERSION, NAME, CLOCK, REGISTERS };
    static const char *const typed[] = { "add pcounter-core: 1", "add name: NAME",
                                         "add clock: SIGNAL",
                                         "add registers: and a list, - name: SIGNAL" };
    for (size_t i = 0; code == CLI_OK && i < sizeof needed / sizeof needed[0]; i++)
        if (!of[needed[i]])
            code = cli_yaml_fail(&d->yaml, root, 1901, typed[i], "the description has no %s",
                                 keys[needed[i]]);
    return code ? code : described_check_names(d, of[LET], of[VECTORS], of[METRICS]);
}

int described_read(struct described *d, const char *verb, const char *path)
{
    *d = (struct described){ .kind = { verb, "descriptions of cores", 1909, 1900 } };
    const int code = cli_yaml_open(&d->yaml, &d->kind, path);
    return code ? code : read_root(d);
}

int described_read_text(struct described *d, const char *verb, const char *name, char *text)
{
    *d = (struct described){ .kind = { verb, "descriptions of cores", 1909, 1900 } };
    const int code = cli_yaml_open_text(&d->yaml, &d->kind, name, text);
    return code ? code : read_root(d);
}

enum pc_status described_prepare(struct described *d, struct pc_core_place *place,
                                 struct pc_error *err)
{
    for (size_t i = 0; i < d->desc.regs; i++)
        d->reg[i].rule = d->rule + d->reg_node[i].first_rule;
    d->desc.let = d->let;
    d->desc.vector = d->vector;
    d->desc.reg = d->reg;
    d->desc.check = d->check;
    return pc_core_create(&d->desc, &d->core, place, err);
}

int described_open(struct described *d, const char *verb, const char *path)
{
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct pc_error err;
    const int code = described_read(d, verb, path);

    if (code)
        return code;
    return described_prepare(d, &place, &err) ? described_fail(d, &place, &err) : CLI_OK;
}

void described_close(struct described *d)
{
    pc_core_destroy(d->core);
    cli_yaml_close(&d->yaml);
    for (size_t i = 0; i < d->texts; i++)
        free(d->text[i]);
    free(d->text);
    for (size_t i = 0; i < d->desc.vectors; i++) {
        void *array;
        memcpy(&array, &d->vector[i].element, sizeof array);
        free(array);
        memcpy(&array, &d->vector[i].called, sizeof array);
        free(array);
    }
    free(d->let);
    free(d->vector);
    free(d->reg);
    free(d->rule);
    free(d->check);
    free(d->metric);
    free(d->let_node);
    free(d->vector_node);
    free(d->check_node);
    free(d->reg_node);
    free(d->rule_node);
    free(d->check_said);
}
