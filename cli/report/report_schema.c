/* SPDX-License-Identifier: MIT */
/* JSON Schemas (draft 2020-12) of the JSON that reports are, from their trees. */
#include "report/report_writer.h"

#include <inttypes.h>
#include <string.h>

struct sheet {
    FILE *out;
    bool lines;
};

static bool is_member(const struct sheet *s, const struct rep_field *f)
{
    return !(f->flags & (REP_NO_JSON | (s->lines ? REP_NO_LINES : 0u)));
}

static void indent(const struct sheet *s, int depth)
{
    fprintf(s->out, "\n%*s", 2 * depth, "");
}

static void put_string(const struct sheet *s, const char *text)
{
    cli_json_string(s->out, text);
}

static void describe(const struct sheet *s, const char *about)
{
    if (!about)
        return;
    fputs(", \"description\": ", s->out);
    put_string(s, about);
}

static void put_object(const struct sheet *s, const struct rep_field *members, bool or_null,
                       int depth);

/* {"type": ...} of a value, without its end. */
static void put_type(const struct sheet *s, const char *type, const struct rep_field *f)
{
    if (f->flags & REP_NULL)
        fprintf(s->out, "{ \"type\": [\"%s\", \"null\"]", type);
    else
        fprintf(s->out, "{ \"type\": \"%s\"", type);
}

static void put_words(const struct sheet *s, const struct rep_field *f)
{
    fputs("{ \"enum\": [", s->out);
    for (size_t i = 0; f->words[i]; i++) {
        fputs(i ? ", " : "", s->out);
        put_string(s, f->words[i]);
    }
    fputs(f->flags & REP_NULL ? ", null]" : "]", s->out);
}

static void put_count(const struct sheet *s, const struct rep_field *f)
{
    put_type(s, "integer", f);
    fprintf(s->out, ", \"minimum\": %" PRIu64, f->least);
    if (f->most)
        fprintf(s->out, ", \"maximum\": %" PRIu64, f->most);
}

static void put_field(const struct sheet *s, const struct rep_field *f, int depth);

static void put_list(const struct sheet *s, const struct rep_field *f, int depth)
{
    put_type(s, "array", f);
    if (f->flags & REP_SOME)
        fputs(", \"minItems\": 1", s->out);
    fputs(", \"items\": ", s->out);
    if (f->value) {
        put_field(s, f->value, depth);
        return;
    }
    put_object(s, f->field, false, depth + 1);
    describe(s, f->item);
    fputs(" }", s->out);
}

/* Up to its description. */
static void put_kind(const struct sheet *s, const struct rep_field *f, int depth)
{
    switch (f->kind) {
    case REP_TEXT:
        put_type(s, "string", f);
        if (f->pattern) {
            fputs(", \"pattern\": ", s->out);
            put_string(s, f->pattern);
        }
        break;
    case REP_WORD:
        put_words(s, f);
        break;
    case REP_BOOL:
        put_type(s, "boolean", f);
        break;
    case REP_COUNT:
        put_count(s, f);
        break;
    case REP_INT:
        put_type(s, "integer", f);
        break;
    case REP_NUMBER:
        put_type(s, "number", f);
        break;
    case REP_HEX:
        put_type(s, "string", f);
        fprintf(s->out, ", \"pattern\": \"^0x[0-9a-f]{%d}$\"", f->digits);
        break;
    case REP_OBJECT:
        put_object(s, f->field, (f->flags & REP_NULL) != 0, depth);
        break;
    case REP_MAP:
        put_type(s, "object", f);
        if (f->words) {
            fputs(", \"propertyNames\": ", s->out);
            put_words(s, f);
            fputs(" }", s->out);
        }
        if (f->pattern) {
            fputs(", \"propertyNames\": { \"pattern\": ", s->out);
            put_string(s, f->pattern);
            fputs(" }", s->out);
        }
        fputs(", \"additionalProperties\": ", s->out);
        if (f->value) {
            put_field(s, f->value, depth);
            break;
        }
        put_object(s, f->field, false, depth + 1);
        describe(s, f->item);
        fputs(" }", s->out);
        break;
    case REP_LIST:
        put_list(s, f, depth);
        break;
    }
}

static void put_field(const struct sheet *s, const struct rep_field *f, int depth)
{
    put_kind(s, f, depth);
    describe(s, f->about);
    fputs(" }", s->out);
}

static void put_member(const struct sheet *s, const struct rep_field *f, const char *name,
                       int depth)
{
    indent(s, depth);
    put_string(s, name);
    fputs(": ", s->out);
    put_field(s, f, depth);
}

static void put_required(const struct sheet *s, const struct rep_field *members, const char *comma)
{
    for (; members->name; members++) {
        if (!is_member(s, members) || members->flags & REP_MAYBE)
            continue;
        fputs(comma, s->out);
        put_string(s, members->name);
        comma = ", ";
    }
}

/* Up to its description; one of two levels in, where the members are. */
static void put_object(const struct sheet *s, const struct rep_field *members, bool or_null,
                       int depth)
{
    const char *comma = "";

    fputs(or_null ? "{ \"type\": [\"object\", \"null\"]" : "{ \"type\": \"object\"", s->out);
    fputs(", \"additionalProperties\": false", s->out);
    fputs(", \"required\": [", s->out);
    put_required(s, members, "");
    fputs("], \"properties\": {", s->out);
    for (; members->name; members++) {
        if (!is_member(s, members))
            continue;
        fputs(comma, s->out);
        put_member(s, members, members->name, depth + 1);
        comma = ",";
    }
    indent(s, depth);
    fputs("}", s->out);
}

/* --- a schema --- */

static const struct rep_field tool = { .name = "tool",
                                       .kind = REP_TEXT,
                                       .pattern = "^pcounter [0-9]+[.][0-9]+[.][0-9]+(-rc[0-9]+)?$",
                                       .about = "the program and its version" };

static void put_name(const struct sheet *s, const char *name, int depth)
{
    indent(s, depth);
    fprintf(s->out,
            "\"$schema\": { \"const\": \"%s\", \"description\": \"the name of this schema\" }",
            name);
}

static void put_head(const struct sheet *s, const struct rep_def *def, const char *name)
{
    fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"$id\": ",
          s->out);
    put_string(s, name);
    fprintf(s->out, ",\n  \"title\": \"%s --format %s\",\n  \"description\": ", def->call,
            s->lines ? "jsonl" : "json");
    put_string(s, def->about);
    fputs(",\n  \"type\": \"object\",\n", s->out);
}

/* All of it: of JSON lines one line. */
static void put_whole(const struct sheet *s, const struct rep_def *def)
{
    fputs("  \"additionalProperties\": false,\n  \"required\": [\"$schema\"", s->out);
    fputs(s->lines ? ", \"type\", \"seq\"" : "", s->out);
    fputs(def->bare ? "" : ", \"tool\"", s->out);
    put_required(s, def->field, ", ");
    fputs("],\n  \"properties\": {", s->out);
    if (s->lines)
        fprintf(s->out,
                "\n    \"type\": { \"const\": \"%s\", \"description\": \"type of the line\" },"
                "\n    \"seq\": { \"const\": 0, \"description\": \"the only line of its kind\" },",
                def->line);
    put_name(s, s->lines ? def->lines : def->schema, 2);
    if (!def->bare) {
        fputs(",", s->out);
        put_member(s, &tool, tool.name, 2);
    }
    for (const struct rep_field *f = def->field; f->name; f++) {
        if (!is_member(s, f))
            continue;
        fputs(",", s->out);
        put_member(s, f, f->name, 2);
    }
    fputs("\n  }\n}\n", s->out);
}

/* --- lines --- */

static const struct rep_field *next_stream(const struct rep_field *f)
{
    while (f->name && !(f->flags & REP_STREAM))
        f++;
    return f;
}

/* Writes the schema of one type of lines: members from `f` to `end` that are not streams. */
static void put_line(const struct sheet *s, const struct rep_def *def, const char *type,
                     const struct rep_field *f, const struct rep_field *end)
{
    const bool begins = strcmp(type, "begin") == 0;

    fprintf(s->out, "{ \"type\": \"object\", \"additionalProperties\": false, \"required\": "
                    "[\"type\", \"seq\"");
    fputs(begins ? ", \"$schema\", \"tool\"" : ", \"items\", \"partial\"", s->out);
    for (const struct rep_field *m = f; m != end; m++)
        if (is_member(s, m) && !(m->flags & (REP_MAYBE | REP_STREAM))) {
            fputs(", ", s->out);
            put_string(s, m->name);
        }
    fprintf(s->out, "], \"properties\": {");
    fprintf(s->out,
            "\n      \"type\": { \"const\": \"%s\", \"description\": \"type of the line\" },",
            type);
    fprintf(s->out,
            "\n      \"seq\": { \"type\": \"integer\", \"minimum\": %s, \"description\": \"the "
            "number of the line\" },",
            begins ? "0, \"maximum\": 0" : "1");
    if (begins) {
        put_name(s, def->lines, 3);
        fputs(",", s->out);
        put_member(s, &tool, tool.name, 3);
    } else {
        fputs("\n      \"items\": { \"type\": \"integer\", \"minimum\": 0, \"description\": "
              "\"items before this line\" },"
              "\n      \"partial\": { \"type\": \"boolean\", \"description\": \"true: interrupted "
              "before the end of the input, or failed\" }",
              s->out);
    }
    for (; f != end; f++) {
        if (!is_member(s, f) || f->flags & REP_STREAM)
            continue;
        fputs(",", s->out);
        put_member(s, f, f->name, 3);
    }
    fputs("\n    } }", s->out);
}

static void put_item(const struct sheet *s, const struct rep_field *stream)
{
    fprintf(s->out,
            "{ \"type\": \"object\", \"additionalProperties\": false, \"required\": [\"type\", "
            "\"seq\", \"%s\"], \"properties\": {",
            stream->one);
    fputs("\n      \"type\": { \"const\": \"item\", \"description\": \"type of the line\" },"
          "\n      \"seq\": { \"type\": \"integer\", \"minimum\": 1, \"description\": \"the number "
          "of the line\" },",
          s->out);
    indent(s, 3);
    put_string(s, stream->one);
    fputs(": ", s->out);
    put_object(s, stream->field, false, 4);
    describe(s, stream->item);
    fputs(" }\n    } }", s->out);
}

static void put_choice(const struct sheet *s, const char *type)
{
    fprintf(s->out,
            "{ \"if\": { \"properties\": { \"type\": { \"const\": \"%s\" } } }, \"then\": ", type);
}

/* Which of several kinds of items it is. */
static void put_items(const struct sheet *s, const struct rep_field *first)
{
    const struct rep_field *next, *f = first;
    int more = 0;

    for (; (next = next_stream(f + 1))->name; f = next, more++)
        fprintf(s->out,
                "{ \"if\": { \"required\": [\"%s\"] }, \"then\": { \"$ref\": \"#/$defs/%s_line\" "
                "}, \"else\": ",
                f->one, f->one);
    fprintf(s->out, "{ \"$ref\": \"#/$defs/%s_line\" }", f->one);
    while (more-- > 0)
        fputs(" }", s->out);
}

static void put_lines(const struct sheet *s, const struct rep_def *def)
{
    const struct rep_field *first = next_stream(def->field), *end = first;

    while (end->name)
        end++;
    fputs("  \"required\": [\"type\", \"seq\"],\n  \"properties\": { \"type\": { \"enum\": "
          "[\"begin\", \"item\", \"end\"], \"description\": \"type of the line\" } },\n  "
          "\"allOf\": [\n    ",
          s->out);
    put_choice(s, "begin");
    fputs("{ \"$ref\": \"#/$defs/begin\" } },\n    ", s->out);
    put_choice(s, "item");
    put_items(s, first);
    fputs(" },\n    ", s->out);
    put_choice(s, "end");
    fputs("{ \"$ref\": \"#/$defs/end\" } }\n  ]", s->out);
    fputs(",\n  \"$defs\": {\n    \"begin\": ", s->out);
    put_line(s, def, "begin", def->field, first);
    for (const struct rep_field *f = first; f->name; f = next_stream(f + 1)) {
        fprintf(s->out, ",\n    \"%s_line\": ", f->one);
        put_item(s, f);
    }
    fputs(",\n    \"end\": ", s->out);
    put_line(s, def, "end", first, end);
    fputs("\n  }\n}\n", s->out);
}

void rep_schema(FILE *out, const struct rep_def *def, bool lines)
{
    const struct sheet s = { .out = out, .lines = lines };

    put_head(&s, def, lines ? def->lines : def->schema);
    if (lines && !def->line)
        put_lines(&s, def);
    else
        put_whole(&s, def);
}
