/* SPDX-License-Identifier: MIT */
/*
 * Values of fields by name or number.  The inverse, a field's value and its name, needs no
 * function: pc_field_info has all of it.
 */
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"
#include "model/regs/rows.h"

#include <stdio.h>
#include <string.h>

/* Parses a number, decimal, or hexadecimal with 0x; the whole text; 32 bits. 010 might be meant as
 * octal: no. */
static bool parse_number(const char *text, uint32_t *out)
{
    unsigned base = 10;
    uint64_t value = 0;

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (text[0] == '0' && text[1] != '\0') {
        return false;
    }
    if (*text == '\0')
        return false;
    for (; *text; text++) {
        unsigned digit = (unsigned)pc_hex_digit(*text);
        if (digit >= base)
            return false;
        value = value * base + digit;
        if (value > UINT32_MAX)
            return false;
    }
    *out = (uint32_t)value;
    return true;
}

static const struct pc_field_info *find_field(const struct pc_reg_info *reg, const char *name,
                                              struct pc_error *err)
{
    struct pc_near near;
    char names[200];

    pc_near_begin(&near, name);
    for (size_t i = 0; i < reg->field_count; i++) {
        if (pc_same_text(reg->fields[i].name, name))
            return &reg->fields[i];
        pc_near_offer(&near, reg->fields[i].name);
    }
    pc_fail(err, 210, "%s has no field \"%s\" on this chip", reg->name, name);
    pc_near_text(&near, names, sizeof names);
    if (names[0]) {
        pc_hint(err, "did you mean %s?", names);
        return NULL;
    }
    size_t used = 0;
    for (size_t i = 0; i < reg->field_count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 reg->fields[i].name);
    pc_hint(err, "its fields: %s", names);
    return NULL;
}

/* Finds the value whose name is `text`, or whose name is the same number; false if there is
 * none. */
static bool value_by_name(const struct pc_field_info *field, const char *text, uint32_t *out)
{
    uint32_t number, named;
    bool is_number = parse_number(text, &number);

    for (uint32_t v = 0; v < field->value_count; v++) {
        const char *name = field->values[v];
        if (name[0] && (pc_same_text(name, text) ||
                        (is_number && parse_number(name, &named) && named == number))) {
            *out = v;
            return true;
        }
    }
    return false;
}

static enum pc_status no_such_value(const struct pc_field_info *field, const char *text,
                                    struct pc_error *err)
{
    enum pc_status status =
        pc_fail(err, 211, "\"%s\" is neither a number nor a value of %s", text, field->name);
    char names[300] = "";
    size_t used = 0;

    for (size_t v = 0; v < field->value_count && used < sizeof names; v++)
        if (field->values[v][0])
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     field->values[v]);
    if (text[0] == '0' && text[strspn(text, "0123456789")] == '\0')
        pc_hint(err, "write 31 or 0x1f, no leading zeros");
    else if (names[0])
        pc_hint(err, "its values: %s", names);
    else
        pc_hint(err, "it takes a number of %u bit%s", field->bits, field->bits == 1 ? "" : "s");
    return status;
}

enum pc_status pc_reg_set_field(const struct pc_reg_info *reg, const char *field, const char *value,
                                uint32_t *word, struct pc_error *err)
{
    const struct pc_field_info *f = find_field(reg, field, err);
    uint32_t number;

    if (!f)
        return PC_ENOENT;
    if (!f->writable && !f->strobe)
        return pc_fail(err, 213, "%s of %s is read-only", f->name, reg->name);
    uint32_t mask = UINT32_MAX >> (32 - f->bits);
    bool is_number = parse_number(value, &number);
    bool too_large = !is_number && value[0] != '\0' && value[0] != '0' &&
                     value[strspn(value, "0123456789")] == '\0';
    if ((!is_number || number > mask) && !value_by_name(f, value, &number)) {
        if (!is_number && !too_large)
            return no_such_value(f, value, err);
        enum pc_status status = pc_fail(err, 212, "%s does not fit into %s, which has %u bit%s",
                                        value, f->name, f->bits, f->bits == 1 ? "" : "s");
        pc_hint(err, "the largest value is 0x%x", (unsigned)mask);
        return status;
    }
    *word = (*word & ~(mask << f->shift)) | (number << f->shift);
    return PC_OK;
}
