/* SPDX-License-Identifier: MIT */
/*
 * Verifies what pc_expr_parse() and pc_expr_resolve() refuse, with which code, column and
 * words; which names reach the lookup; the limits; and that running out of memory at any
 * place is a clean error.
 */
#include "heap.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses and resolves; the status of the first that fails. */
static enum pc_status try(const struct pc_alloc *alloc, const char *text, struct pc_error *err)
{
    struct pc_expr *e = NULL;

    memset(err, 0, sizeof *err);
    enum pc_status status = pc_expr_parse(alloc, text, &e, err);
    if (status == PC_OK)
        status = pc_expr_resolve(e, tree_lookup, NULL, err);
    else
        assert_null(e);
    pc_expr_free(e);
    return status;
}

static const struct {
    const char *text;
    unsigned code, column;
    const char *says; /* in text or hint */
} mistakes[] = {
    { "", 301, 1, "expected a signal, a number" },
    { "   ", 301, 4, "found the end" },
    { "a &", 301, 4, "found the end" },
    { "a b", 301, 3, "expected an operator or the end, found \"b\"" },
    { "(a", 301, 3, "expected an operator or \")\"" },
    { "(a", 301, 3, "not closed: \"(a\"" },
    { "a)", 301, 2, "expected an operator or the end, found \")\"" },
    { "()", 301, 2, "found \")\"" },
    { "a ? b", 301, 6, "expected an operator or \":\"" },
    { "a ? (b : c)", 301, 8, "expected an operator or \")\"" },
    { "a : b", 301, 3, "found \":\"" },
    { "(a ? b) : c", 301, 7, "expected an operator or \":\"" },
    { "a = b", 301, 3, "equality is written ==" },
    { "a === b", 301, 3, "write == or !=" },
    { "a !== b", 301, 3, "write == or !=" },
    { "a << 1", 301, 3, "shifts are not supported" },
    { "a + b", 301, 3, "arithmetic is not supported" },
    { "a-b", 301, 2, "a backslash before it" },
    { "a / b", 301, 3, "arithmetic is not supported; count" },
    { "top/dut/v", 301, 4, "dots between its parts" },
    { "/top/v", 301, 1, "dots between its parts" },
    { "posedge a", 301, 9, "rise(x)" },
    { "b & rise a", 301, 10, "rise(x)" },
    { "arise a", 301, 7, "an operator joins two signals" },
    { "Channel 0", 301, 9, "Channel0" },
    { "a b", 301, 3, "an operator joins two signals" },
    { "{a,b}", 301, 1, "concatenation is not supported" },
    { "a ! b", 301, 3, "written !=" },
    { "a == == b", 301, 6, "found \"==\"" },
    { "a @ b", 301, 3, "prev(x)" },
    { "a # b", 301, 3, "expected an operator or the end, found \"#\"" },
    { "a \x01", 301, 3, "0x01" },
    { "a & raise(b)", 305, 5, "did you mean rise?" },
    { "g (0).u", 305, 1, "no blank in it: g(0)" },
    { "g (0)", 305, 1, "in brackets: count[3]" },
    { "g(0 ).u", 305, 1, "in brackets: count[3]" },
    { "g().u", 305, 1, "unknown function \"g\"" },
    { "g(0)x.u", 301, 5, "" },
    { "g(0).3", 303, 6, "after the dot" },
    { "rise(a).u", 301, 8, "found \".\"" },
    { "rise(1).u", 0, 1, "no rise(1).u" }, /* an element: no call has a dot after it */
    { "v(3)", 0, 1, "no v(3)" },           /* a bit, as VHDL writes it */
    { "v(7 downto 4) == 3", 305, 1, "in brackets: count[3]" },
    { "g(x)", 305, 1, "" },
    { "$past(a)", 305, 1, "$past is written prev(x)" },
    { "rising_edge(a)", 305, 1, "rising_edge is written rise(x)" },
    { "a and b", 301, 3, "\"and\" is written &" },
    { "a or b", 301, 3, "\"or\" |" },
    { "a xor b", 301, 3, "\"xor\" ^" },
    { "a nand b", 301, 3, "\"not\" !" },
    { "a nor b", 301, 3, "\"not\" !" },
    { "a xnor b", 301, 3, "\"not\" !" },
    { "a not b", 301, 3, "\"not\" !" },
    { "a andy b", 301, 3, "an operator joins two signals" },
    { "a andz b", 301, 3, "an operator joins two signals" },
    { "not a", 301, 5, "\"not\" !" },
    { "a & not b", 301, 9, "\"not\" !" },
    { "a order", 301, 3, "an operator joins" },
    { "knot a", 301, 6, "an operator joins" },
    { "a /= b", 301, 3, "is written !=" },
    { "a -> b", 301, 3, "!a | b" },
    { "v == x\"1f\"", 301, 7, "0x1f" },
    { "a == '1'", 302, 7, "without quotes" },
    { "k == 8'sq1", 302, 9, "b, o, d or h after the quote and the s" },
    { "k > 8'sd300", 302, 5, "needs 9 bits and is declared with 8" },
    { "k > -", 301, 6, "one of ! ~ - & | ^" },
    { "k - -1", 301, 3, "arithmetic is not supported" },
    { "a & -1", 306, 5, "\"-1\" has 32 bits" },
    { "-k", 306, 1, "\"-k\" has 5 bits" },
    { "signed(k) > 0", 305, 1, "did you mean $signed" },
    { "$signed(k)", 306, 1, "5 bits" },
    { "v[3 downto 0]", 303, 5, "[7:4] or [4:7]" },
    { "v[3+:2]", 303, 4, "[7:4] or [4:7]" },
    { "v[3 x]", 303, 5, "" },
    { "frobnicate(b)", 305, 1, "unknown function \"frobnicate\"" },
    { "rise()", 301, 6, "found \")\"" },
    { "rise(a", 301, 7, "\")\"" },
    { "a.", 303, 3, "after the dot" },
    { "a.3", 303, 3, "after the dot" },
    { "a[", 303, 3, "number of a bit" },
    { "a[x]", 303, 3, "number of a bit" },
    { "a[1:", 303, 5, "number of a bit" },
    { "a[1;0]", 303, 4, "\"]\"" },
    { "\\", 303, 2, "escaped name" },
    { "v == 12a", 302, 8, "\"a\" is not a digit of base 10" },
    { "v == 8'hxx", 302, 9, "\"x\" is not a digit of base 16" },
    { "v == 4'b12", 302, 10, "base 2" },
    { "v == 8'h", 302, 9, "expected a digit" },
    { "v == 8'q1", 302, 8, "b, o, d or h" },
    { "v == 4'hff", 302, 6, "needs 8 bits and is declared with 4" },
    { "v == 0'h1", 302, 6, "the size of a literal" },
    { "v == 0x", 302, 8, "expected a digit" },
    { "v", 306, 1, "\"v\" has 8 bits where one is needed" },
    { "v & a", 306, 1, "name a bit (v[0]) or a slice, or compare it (v != 0)" },
    { "a & v", 306, 5, "\"v\" has 8 bits" },
    { "a | (w ^ (b & ~v[3:1]))", 306, 6, "\"w\" has 4 bits" },
    { "v[3:1]", 306, 1, "compare it (v[3:1] != 0)" },
    { "$countones(v)", 306, 1, "has 5 bits" },
    { "v inside a", 301, 10, "expected { after inside" },
    { "v inside {", 301, 11, "the end" },
    { "v inside {1", 301, 12, "\"}\"" },
    { "v inside {1,}", 301, 13, "found \"}\"" },
    { "v inside {}", 301, 11, "found \"}\"" },
    { "v inside {[1]}", 301, 13, "\":\"" },
    { "v inside {[1:2}", 301, 15, "\"]\"" },
    { "v inside {[1:2] & 3}", 301, 17, "\"}\"" },
    { "a, b", 301, 2, "the end" },
    { "{a}", 301, 1, "concatenation" },
    { "rise(v)", 306, 6, "8 bits" },
    { "edge(v)", 306, 6, "8 bits" },
    { "rise(prev(v))", 306, 6, "\"prev(v)\" has 8 bits" },
    { "rise(w)", 306, 6, "4 bits" },
    { "w ? a : b", 306, 1, "4 bits" },
    { "a ? w : b", 306, 5, "4 bits" },
    { "a & 2", 306, 5, "count == 2" },
    { "a & nowhere", 0, 5, "no nowhere" },
};

static void errors(void **state)
{
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        enum pc_status status = try(NULL, mistakes[i].text, &err);
        const struct pc_error_info *info = pc_explain(mistakes[i].code);
        if (status != (info ? info->status : PC_ENOENT) || err.code != mistakes[i].code)
            fail_msg("\"%s\": PC-E%04u expected, got %u: %s", mistakes[i].text, mistakes[i].code,
                     err.code, err.text);
        if (err.line != 1 || err.column != mistakes[i].column)
            fail_msg("\"%s\": column %u expected, got %u", mistakes[i].text, mistakes[i].column,
                     err.column);
        if (!strstr(err.text, mistakes[i].says) && !strstr(err.hint, mistakes[i].says))
            fail_msg("\"%s\": \"%s\" is neither in \"%s\" nor in \"%s\"", mistakes[i].text,
                     mistakes[i].says, err.text, err.hint);
    }
}

static enum pc_status note_name(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                                size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)capacity;
    (void)err;
    strcat(ctx, name);
    strcat(ctx, "|");
    wires[0] = 0;
    *count = 1;
    return PC_OK;
}

/* Names reach the lookup as written, without blanks. */
static void names(void **state)
{
    static const struct {
        const char *text, *names;
    } rows[] = {
        { "top.dut.count[3:0]", "top.dut.count[3:0]|" },
        { "a.b[3].c[7:0] & $x._y", "a.b[3].c[7:0]|$x._y|" },
        { "mem [ 2 ][7 : 0]", "mem[2][7:0]|" },
        { "x[-1:-4]", "x[-1:-4]|" },
        { "\\any.thing & b", "\\any.thing|b|" },
        { "\\a,b(c) [3] | top.\\e&f .g", "\\a,b(c)[3]|top.\\e&f.g|" },
        { "top.g(0).q[3] & tile(3)(-2).x", "top.g(0).q[3]|tile(3)(-2).x|" },
        { "rise(g(1).x) | g(12).\\y(0) [2]", "g(1).x|g(12).\\y(0)[2]|" },
        { "rise | fall & edge.x", "rise|fall|edge.x|" },
        { "rise(prev) & prev (rise)", "prev|rise|" },
        { "a?b:c", "a|b|c|" },
        { "a#2 & t.b#12[3:0] | c[1]#1", "a#2|t.b#12[3:0]|c[1]#1|" },
        { "\\x-y #2 [3] | \\z#1 ", "\\x-y#2[3]|\\z#1|" },
        { "gr\xc3\xb6\xc3\x9f"
          "e",
          "gr\xc3\xb6\xc3\x9f"
          "e|" },
    };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_expr *e = NULL;
        char seen[200] = "";
        test_ok(pc_expr_parse(NULL, rows[i].text, &e, &err), &err);
        test_ok(pc_expr_resolve(e, note_name, seen, &err), &err);
        assert_string_equal(seen, rows[i].names);
        pc_expr_free(e);
    }
}

/* Which bytes begin a name and which ones go on with it: all 255. */
static void characters_of_names(void **state)
{
    (void)state;
    for (unsigned c = 1; c < 256; c++) {
        const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        const bool begins = letter || c == '_' || c == '$' || c >= 0x80;
        const bool goes_on = begins || (c >= '0' && c <= '9');
        const char text[2][3] = { { (char)c }, { 'x', (char)c } };
        for (unsigned i = 0; i < 2; i++) {
            struct pc_expr *e = NULL;
            char seen[20] = "", name[8];
            snprintf(name, sizeof name, "%s|", text[i]);
            bool is_name = pc_expr_parse(NULL, text[i], &e, NULL) == PC_OK &&
                           pc_expr_resolve(e, note_name, seen, NULL) == PC_OK &&
                           strcmp(seen, name) == 0;
            pc_expr_free(e);
            if (is_name != (i == 0 ? begins : goes_on))
                fail_msg("byte %u, %s a name: \"%s\"", c, i == 0 ? "begins" : "goes on with", seen);
        }
    }
}

/* head, then `body` n times, then `middle`, then `tail` n times. */
static char *repeat(const char *body, size_t n, const char *middle, const char *tail)
{
    char *text = malloc(n * (strlen(body) + strlen(tail)) + strlen(middle) + 1), *p = text;

    assert_non_null(text);
    for (size_t i = 0; i < n; i++, p += strlen(body))
        memcpy(p, body, strlen(body));
    memcpy(p, middle, strlen(middle));
    p += strlen(middle);
    for (size_t i = 0; i < n; i++, p += strlen(tail))
        memcpy(p, tail, strlen(tail));
    *p = '\0';
    return text;
}

static void expect(char *text, enum pc_status expected)
{
    struct pc_error err;
    enum pc_status status = try(NULL, text, &err);

    if (status != expected)
        fail_msg("%.20s...: %s instead of %s: %s", text, pc_status_name(status),
                 pc_status_name(expected), err.text);
    free(text);
}

static void limits(void **state)
{
    (void)state;
    expect(repeat("(", 256, "a", ")"), PC_OK);
    expect(repeat("(", 257, "a", ")"), PC_ELIMIT);
    expect(repeat("!", 256, "a", ""), PC_OK);
    expect(repeat("!", 100000, "a", ""), PC_ELIMIT);
    expect(repeat("a ? b : ", 256, "a", ""), PC_OK);
    expect(repeat("a ? ", 128, "a", ": b"), PC_OK);
    expect(repeat("a?a:a?", 300, "a", ":a"), PC_ELIMIT);
    expect(repeat("a&", 32767, "a", ""), PC_OK);
    expect(repeat("a&", 32768, "a", ""), PC_ELIMIT);
    expect(repeat(" ", 1 << 20, "a", ""), PC_ELIMIT);
    expect(repeat("f", 1024, "'hf == 0", ""), PC_EINPUT);
    expect(repeat("", 1, "4096'h0 == 0", ""), PC_OK);
    expect(repeat("", 1, "4097'h0 == 0", ""), PC_EINPUT);
    expect(repeat("", 1024, "0 == 0x", "f"), PC_OK);
    expect(repeat("", 1025, "0 == 0x", "f"), PC_ELIMIT);
    /* 4096 bits in each of 300 operands. */
    expect(repeat("4096'h0 == 0 & ", 300, "a", ""), PC_ELIMIT);
}

static enum pc_status parse(void *text, const struct pc_alloc *alloc, struct pc_error *err)
{
    return try(alloc, text, err);
}

static void out_of_memory(void **state)
{
    char text[] = "rise(a) & v[3:0] == 4'hf | prev(w & 3) != 0 ^ (c ? d : e) & w[1] | b";

    (void)state;
    test_refuse_each(parse, text, 5);
}

/* Any bytes whatever: an answer, no crash; and the same answer again. */
static void any_text(void **state)
{
    static const char *const words[] = {
        "a",        "v",  "w[3:0]", "(",  ")",        "rise(",      "prev (", "~",   "!",
        "&",        "&&", "|",      "^",  "==",       "!=",         "<",      ">=",  "?",
        ":",        "0",  "8'hff",  "0x", "'",        "[",          "]",      ".",   "\\",
        " ",        "3",  "top.x",  ",",  "{",        "\xff",       "=",      "'b1", " inside {",
        " inside ", "}",  "{[",     "]}", "$onehot(", "$countones("
    };
    struct test_rng rng = test_rng_start(7, NULL);
    char text[256];
    struct pc_error err, again;

    (void)state;
    for (int round = 0; round < 50000; round++) {
        size_t n = test_rand_below(&rng, 14);
        text[0] = '\0';
        for (size_t i = 0; i < n; i++)
            strcat(text, words[test_rand_below(&rng, sizeof words / sizeof words[0])]);
        enum pc_status status = try(NULL, text, &err);
        assert_int_equal(status, try(NULL, text, &again));
        if (status) {
            assert_in_range(err.column, 1, strlen(text) + 1);
            assert_int_equal(err.column, again.column);
            assert_true(err.text[0] != '\0');
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors),
        cmocka_unit_test(names),
        cmocka_unit_test(characters_of_names),
        cmocka_unit_test(limits),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(any_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
