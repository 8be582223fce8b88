/* SPDX-License-Identifier: MIT */
/*
 * The input is two files for `pcounter diff`, with a NUL between them, after a byte for the
 * options.  What must hold: see verb.c; all formats agree on the exit code, and the JSON is one
 * that says the same; a file does not differ from itself, but for counts a cycle of no cycles,
 * which are unknown; who swaps the files finds the same rows, with the other sign; what a tolerance
 * lets differ is what differs without it.
 */
#include "verb.h"

#include <jansson.h>
#include <string.h>

struct call {
    const char *before, *after;
    const char *tolerance, *only; /* NULL: not given */
    bool per_cycle;
};

static int ask(const struct call *c, const char *format, struct verb_said *said)
{
    const char *words[VERB_WORDS] = { "diff", "--format", format };
    unsigned n = 3;

    if (c->tolerance) {
        words[n++] = "--tolerance";
        words[n++] = c->tolerance;
    }
    if (c->only) {
        words[n++] = "--only";
        words[n++] = c->only;
    }
    if (c->per_cycle)
        words[n++] = "--per-cycle";
    words[n++] = c->before;
    words[n++] = c->after;
    return verb_run(&cli_verb_diff, words, said);
}

static int exit_code(const struct call *c, const char *format)
{
    struct verb_said said;
    const int code = ask(c, format, &said);

    verb_free(&said);
    return code;
}

/* --- what the JSON says --- */

static const char *text(const json_t *row, const char *member)
{
    const char *value = json_string_value(json_object_get(row, member));

    return value ? value : "";
}

static bool is(const json_t *row, const char *member, const char *value)
{
    return strcmp(text(row, member), value) == 0;
}

static bool is_difference(const json_t *row)
{
    static const char *const verdict[] = { "differs", "other unit", "unknown", "only before",
                                           "only after" };
    bool found = false;

    for (unsigned i = 0; i < sizeof verdict / sizeof verdict[0]; i++)
        found |= is(row, "verdict", verdict[i]);
    return found;
}

/* NULL, and `code`, if the files cannot be compared. */
static json_t *answer(const struct call *c, int *code)
{
    struct verb_said said;
    const json_t *report, *row;
    size_t i, j;
    bool any = false;

    *code = ask(c, "json", &said);
    json_t *json =
        json_loadb(said.out, said.out_size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    verb_free(&said);
    FUZZ_CHECK((json != NULL) == (*code <= CLI_NO));
    json_array_foreach(json_object_get(json, "reports"), i, report)
    {
        bool differs = false;
        json_array_foreach(json_object_get(report, "counts"), j, row)
        {
            differs |= is_difference(row);
            FUZZ_CHECK(!is(row, "verdict", "unknown") ||
                       json_is_null(json_object_get(row, "difference")));
        }
        FUZZ_CHECK(json_is_true(json_object_get(report, "differs")) == differs);
        any |= differs;
    }
    FUZZ_CHECK(!json || *code == (any ? CLI_NO : CLI_OK));
    return json;
}

/* --- a file and itself --- */

static void check_itself(const struct call *c)
{
    const struct call both = { .before = c->before, .after = c->before, .per_cycle = c->per_cycle };
    const json_t *report, *row;
    size_t i, j;
    int code;
    json_t *json = answer(&both, &code);

    FUZZ_CHECK(c->per_cycle || code != CLI_NO);
    json_array_foreach(json_object_get(json, "reports"), i, report)
    {
        const json_t *rows = json_object_get(report, "counts");
        const json_t *cycles = json_object_get(json_array_get(rows, 0), "before");
        /* of buses and nets each has cycles of its own */
        const bool one = is(json_array_get(rows, 0), "name", "cycles");
        const bool none = !one || (json_is_number(cycles) && !(json_number_value(cycles) > 0));
        json_array_foreach(rows, j, row) FUZZ_CHECK(
            is(row, "verdict", "same") || (c->per_cycle && none && is(row, "verdict", "unknown")));
    }
    json_decref(json);
}

/* --- two files, and swapped --- */

static bool opposite(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return !(json_number_value(a) < -json_number_value(b)) &&
               !(json_number_value(a) > -json_number_value(b));
    return json_is_null(a) && json_is_null(b);
}

/* Not both more, and not both less: either may be none, or too small for a double. */
static bool other_sign(const json_t *x, const json_t *y)
{
    const double a = json_number_value(json_object_get(x, "percent"));
    const double b = json_number_value(json_object_get(y, "percent"));

    return !(a > 0 && b > 0) && !(a < 0 && b < 0);
}

static bool alike(const json_t *x, const char *member, const json_t *y, const char *of_y)
{
    return json_equal(json_object_get(x, member), json_object_get(y, of_y));
}

/* Is y the row x, or the same with before and after swapped?  The unit is that of one side. */
static bool is_row(const json_t *x, const json_t *y, bool swapped)
{
    const char *before = swapped ? "after" : "before", *after = swapped ? "before" : "after";
    const char *state = swapped ? "after_state" : "before_state";
    const char *other = swapped ? "before_state" : "after_state";
    const char *verdict = text(x, "verdict");

    if (swapped && strcmp(verdict, "only before") == 0)
        verdict = "only after";
    else if (swapped && strcmp(verdict, "only after") == 0)
        verdict = "only before";
    return alike(x, "name", y, "name") && alike(x, "kind", y, "kind") &&
           is(y, "verdict", verdict) && alike(x, "before", y, before) &&
           alike(x, "after", y, after) && alike(x, "before_state", y, state) &&
           alike(x, "after_state", y, other) && (!swapped || other_sign(x, y)) &&
           (swapped ? opposite(json_object_get(x, "difference"), json_object_get(y, "difference"))
                    : alike(x, "difference", y, "difference"));
}

static size_t count(const json_t *rows, const json_t *like, bool swapped)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row) n += is_row(like, row, swapped);
    return n;
}

static void check_swapped(const struct call *c)
{
    struct call plain = *c, swapped = *c;
    const json_t *report, *row;
    size_t i, j;
    int code, other_code;

    plain.tolerance = swapped.tolerance = NULL; /* that is of the value before */
    swapped.before = c->after;
    swapped.after = c->before;
    json_t *json = answer(&plain, &code), *other = answer(&swapped, &other_code);
    FUZZ_CHECK(code == other_code);
    json_array_foreach(json_object_get(json, "reports"), i, report)
    {
        const json_t *rows = json_object_get(report, "counts");
        const json_t *others =
            json_object_get(json_array_get(json_object_get(other, "reports"), i), "counts");
        FUZZ_CHECK(json_array_size(rows) == json_array_size(others));
        json_array_foreach(rows, j, row)
            FUZZ_CHECK(count(rows, row, false) == count(others, row, true));
    }
    json_decref(json);
    json_decref(other);
    FUZZ_CHECK(code != CLI_OK || exit_code(c, "json") == CLI_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const tolerances[] = { NULL, "0", "5", "0.1%", "100", "1000000" };
    static const char *const patterns[] = { NULL, "*", "c*", "?" };

    if (size < 1 || size > 1 << 15)
        return 0;
    const uint8_t options = data[0];
    const uint8_t *nul = memchr(data + 1, '\0', size - 1);
    const size_t first = nul ? (size_t)(nul - data) - 1 : size - 1;
    const struct call c = {
        .before = fuzz_file_of(0, data + 1, first),
        .after =
            nul ? fuzz_file_of(1, nul + 1, size - first - 2) : fuzz_file_of(1, data + 1, first),
        .tolerance = tolerances[options / 8 % 6],
        .only = patterns[options / 2 % 4],
        .per_cycle = options & 1,
    };
    const int code = exit_code(&c, "text");
    FUZZ_CHECK(exit_code(&c, "csv") == code && exit_code(&c, "json") == code);
    check_itself(&c);
    check_swapped(&c);
    return 0;
}
