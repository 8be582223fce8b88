/* SPDX-License-Identifier: MIT */
/* libyaml's functions by name, and its nodes with their places. */
#include "process/yaml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "process/library.h"

enum { MOST_BYTES = 16 << 20, MOST_DEPTH = 1000 };

static int load(struct cli_yaml *y)
{
    const char *missing = NULL;
    struct pc_error err;

    y->library = dlopen(PC_LIBYAML, RTLD_LAZY | RTLD_LOCAL);
    if (!y->library) {
        const char *why = dlerror();
        missing = why ? why : PC_LIBYAML;
        if (cli_library_no_memory(missing))
            return cli_no_memory();
    } else {
#define CLI_YAML_FIND(name) cli_library_find(y->library, "yaml_" #name, &y->name, &missing);
        CLI_YAML_FUNCTIONS(CLI_YAML_FIND)
#undef CLI_YAML_FIND
    }
    if (!missing)
        return CLI_OK;
    cli_fail(&err, y->kind->no_library, "%s are read by libyaml, which was not found: %s",
             y->kind->what, missing);
    return cli_error(&err, NULL, NULL);
}

/* Returns what to type, for common mistakes. */
static void hint_at(struct pc_error *err, const yaml_parser_t *parser)
{
    static const struct {
        const char *problem, *hint;
    } rows[] = {
        { "tab character", "indent with blanks, not with tabs" },
        { "expected key",
          "keys of one level begin in one column; put a text with : or # in quotes" },
        { "',' or '}'", "put a text with [ ] { } , or : in quotes: \"x[7:0]\"" },
        { "',' or ']'", "put a text with [ ] { } , or : in quotes: \"x[7:0]\"" },
        { "'-' indicator",
          "items of a list begin with - in one column; put a text with { } in quotes" },
        { "mapping values", "put a text with : in quotes: \"a ? b : c\"" },
    };

    if (parser->problem && strstr(parser->problem, "unexpected end of stream"))
        snprintf(err->hint, sizeof err->hint, "close the quote that is opened in line %u",
                 (unsigned)parser->context_mark.line + 1);
    for (size_t i = 0; parser->problem && i < sizeof rows / sizeof rows[0]; i++)
        if (strstr(parser->problem, rows[i].problem))
            snprintf(err->hint, sizeof err->hint, "%s", rows[i].hint);
}

static int wrong_yaml(const struct cli_yaml *y, const yaml_parser_t *parser)
{
    struct pc_error err;

    if (parser->error == YAML_MEMORY_ERROR)
        return cli_no_memory();
    cli_fail(&err, y->kind->malformed, "%s%s%s", parser->context ? parser->context : "",
             parser->context ? ": " : "", parser->problem ? parser->problem : "this is not YAML");
    err.line = (uint32_t)parser->problem_mark.line + 1;
    err.column = (uint32_t)parser->problem_mark.column + 1;
    if (parser->error == YAML_READER_ERROR)
        err.line = err.column = 0; /* it tells bytes alone */
    else
        hint_at(&err, parser);
    return cli_error(&err, y->path, y->text);
}

/*
 * libyaml takes the square of the depth of brackets in time.  They are counted as they stand,
 * but for those in double quotes: a file of people has a few, and never so many more open than
 * closed.
 */
static int check_depth(const struct cli_yaml *y, size_t size)
{
    uint32_t line = 1, column = 0;
    struct pc_error err;
    unsigned depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < size && depth <= MOST_DEPTH; i++) {
        const char c = y->text[i];
        column = c == '\n' ? 0 : column + 1;
        line += c == '\n';
        if (c == '"')
            quoted = !quoted;
        else if (c == '\n')
            quoted = false;
        else if (!quoted && (c == '[' || c == '{'))
            depth++;
        else if (!quoted && (c == ']' || c == '}') && depth > 0)
            depth--;
    }
    if (depth <= MOST_DEPTH)
        return CLI_OK;
    cli_fail(&err, y->kind->malformed, "brackets are nested deeper than %d", MOST_DEPTH);
    err.line = line;
    err.column = column;
    return cli_error(&err, y->path, y->text);
}

/* --- what no file may have: two documents, two of one key --- */

struct named {
    const yaml_node_t *key;
    const char *text;
};

static int by_text(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->text, y->text);

    return order ? order
                 : (x->key > y->key) - (x->key < y->key); /* nodes are in the file's order */
}

/* Returns the first key of the same name before it; `<<` of YAML 1.1 may be repeated. */
static const struct named *find_twice(struct named *list, size_t count)
{
    const struct named *found = NULL;

    qsort(list, count, sizeof *list, by_text);
    for (size_t i = 1; i < count; i++)
        if (strcmp(list[i].text, list[i - 1].text) == 0 && strcmp(list[i].text, "<<") != 0 &&
            (!found || list[i].key < found->key))
            found = &list[i];
    return found;
}

static int check_mapping(struct cli_yaml *y, const yaml_node_t *node)
{
    const size_t pairs = (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    struct named *list = pairs > 1 ? malloc(pairs * sizeof *list) : NULL;
    yaml_node_t *key, *value;
    size_t count = 0;
    int code = CLI_OK;

    if (pairs <= 1)
        return CLI_OK;
    if (!list)
        return cli_no_memory();
    for (size_t i = 0; cli_yaml_pair(y, node, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        if (text)
            list[count++] = (struct named){ key, text };
    }
    const struct named *second = find_twice(list, count);
    if (second)
        code = cli_yaml_fail(y, second->key, y->kind->malformed,
                             "delete one of them, or give it another name",
                             "there are two %s here: the first is in line %zu", second->text,
                             second[-1].key->start_mark.line + 1);
    free(list);
    return code;
}

/* A tag that the file does not have is a text of 22 bytes for each node: NULL says as much. */
static void drop_tag(yaml_node_t *node)
{
    if (!node->tag || node->tag[0] == '!')
        return;
    free(node->tag);
    node->tag = NULL;
}

static int check_nodes(struct cli_yaml *y)
{
    int code = CLI_OK;

    for (yaml_node_t *n = y->document.nodes.start; n < y->document.nodes.top; n++) {
        drop_tag(n);
        if (code == CLI_OK && n->type == YAML_MAPPING_NODE)
            code = check_mapping(y, n);
    }
    return code;
}

/* A second document would be dropped without a word. */
static int check_end(struct cli_yaml *y, yaml_parser_t *parser)
{
    yaml_document_t second;
    int code = CLI_OK;

    if (!y->parser_load(parser, &second))
        return wrong_yaml(y, parser);
    const yaml_node_t *root = y->document_get_root_node(&second);
    if (root) {
        struct pc_error err;
        cli_fail(&err, y->kind->malformed, "a second document begins here, and a file has one");
        err.line = (uint32_t)second.start_mark.line + 1;
        err.column = (uint32_t)second.start_mark.column + 1;
        snprintf(err.hint, sizeof err.hint, "split the file, or delete the line ---");
        code = cli_error(&err, y->path, y->text);
    }
    y->document_delete(&second);
    return code;
}

static int parse(struct cli_yaml *y, size_t size)
{
    yaml_parser_t parser;
    int code = check_depth(y, size);

    if (code == CLI_OK)
        code = load(y);
    if (code)
        return code;
    if (!y->parser_initialize(&parser))
        return cli_no_memory();
    y->parser_set_input_string(&parser, (const unsigned char *)y->text, size);
    if (y->parser_load(&parser, &y->document))
        y->parsed = true;
    else
        code = wrong_yaml(y, &parser);
    if (code == CLI_OK && cli_yaml_root(y))
        code = check_end(y, &parser);
    y->parser_delete(&parser);
    return code ? code : check_nodes(y);
}

int cli_yaml_open(struct cli_yaml *y, const struct cli_yaml_kind *kind, const char *path)
{
    size_t size = 0;

    *y = (struct cli_yaml){ .kind = kind, .path = cli_input_name(path) };
    const int code = cli_read_file(kind->verb, path, MOST_BYTES, &y->text, &size);
    return code ? code : parse(y, size);
}

int cli_yaml_open_text(struct cli_yaml *y, const struct cli_yaml_kind *kind, const char *path,
                       char *text)
{
    *y = (struct cli_yaml){ .kind = kind, .path = path, .text = text };
    return parse(y, strlen(text));
}

void cli_yaml_close(struct cli_yaml *y)
{
    if (y->parsed)
        y->document_delete(&y->document);
    if (y->library)
        dlclose(y->library);
    free(y->text);
}

yaml_node_t *cli_yaml_root(struct cli_yaml *y)
{
    return y->document_get_root_node(&y->document);
}

bool cli_yaml_pair(struct cli_yaml *y, const yaml_node_t *node, size_t i, yaml_node_t **key,
                   yaml_node_t **value)
{
    if (node->type != YAML_MAPPING_NODE)
        return false;
    const yaml_node_pair_t *first = node->data.mapping.pairs.start;
    if (i >= (size_t)(node->data.mapping.pairs.top - first))
        return false;
    *key = y->document_get_node(&y->document, first[i].key);
    *value = y->document_get_node(&y->document, first[i].value);
    return *key && *value;
}

yaml_node_t *cli_yaml_item(struct cli_yaml *y, const yaml_node_t *node, size_t i)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return NULL;
    const yaml_node_item_t *first = node->data.sequence.items.start;
    if (i >= (size_t)(node->data.sequence.items.top - first))
        return NULL;
    return y->document_get_node(&y->document, first[i]);
}

size_t cli_yaml_items(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

const char *cli_yaml_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE ||
        strlen((const char *)node->data.scalar.value) != node->data.scalar.length)
        return NULL;
    return (const char *)node->data.scalar.value;
}

int cli_yaml_fail(const struct cli_yaml *y, const yaml_node_t *node, unsigned code,
                  const char *hint, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    err.line = (uint32_t)node->start_mark.line + 1;
    err.column = (uint32_t)node->start_mark.column + 1;
    if (hint && hint[0])
        snprintf(err.hint, sizeof err.hint, "%s", hint);
    return cli_error(&err, y->path, y->text);
}
