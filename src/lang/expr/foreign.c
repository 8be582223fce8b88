/* SPDX-License-Identifier: MIT */
/*
 * Texts of other languages, Verilog's and VHDL's above all: what is
 * written here instead of it.  None of it has a meaning; it ends in an error all the same.
 */
#include "lang/expr/expr.h"

#include "base/text.h"

#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

const char *ex_foreign_operator(const char *text)
{
    if (begins(text, "===") || begins(text, "!=="))
        return "write == or !=; a comparison with unknown bits is marked tainted automatically";
    if (begins(text, "<<") || begins(text, ">>"))
        return "shifts are not supported; name the bits, as in count[7:4]";
    if (begins(text, "/="))
        return "\"differs from\" is written !=";
    if (begins(text, "->"))
        return "\"a implies b\" is written !a | b";
    if (text[0] == '/' && pc_is_word(text[1]) && !pc_is_digit(text[1]))
        return "a path has dots between its parts, as in top.dut.valid; arithmetic is not "
               "supported.  A "
               "name with such a character has a backslash before it and a blank after it";
    switch (text[0]) {
    case '=':
        return text[1] == '=' ? "" : "equality is written ==";
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
        return "arithmetic is not supported; count the parts as separate events.  A name with such "
               "a character has a backslash before it and a blank after it";
    case '{':
    case '}':
        return "concatenation is not supported; compare the parts and join them with &";
    case '@':
        return "one cycle ago is written prev(x)";
    default:
        return "";
    }
}

/* Returns true if it is an operator that is a word, as VHDL and SystemVerilog's properties have
 * them. */
static bool is_operator(const char *text)
{
    static const char *const words[] = { "and", "or", "xor", "nand", "nor", "xnor", "not" };
    size_t n = 0;

    while (text[n] >= 'a' && text[n] <= 'z')
        n++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (n == strlen(words[i]) && begins(text, words[i]))
            return true;
    return false;
}

/* Returns true if the word is before `begin`, with a blank between. It was taken for a name
 * there. */
static bool is_behind(const char *text, size_t begin, const char *word)
{
    const size_t n = strlen(word) + 1;

    return begin >= n && text[begin - 1] == ' ' && begins(text + begin - n, word) &&
           (begin == n || strchr(" (&|^!~?:,=", text[begin - n - 1]));
}

bool ex_foreign_word(const char *text, size_t begin, struct pc_error *err)
{
    static const char *const calls[] = { "posedge", "negedge", "rise", "fall", "edge", "prev" };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (is_behind(text, begin, calls[i])) {
            pc_hint(err,
                    "an edge of x is rise(x), fall(x) or edge(x), and x one cycle ago prev(x)");
            return true;
        }
    if (!is_behind(text, begin, "not") && !is_operator(text + begin))
        return false;
    pc_hint(err, "\"and\" is written &, \"or\" |, \"xor\" ^, and \"not\" !");
    return true;
}

/* After '(': a number, perhaps of a slice as in VHDL. */
static bool is_bit(const char *inside)
{
    while (*inside == ' ' || *inside == '-')
        inside++;
    if (!pc_is_digit(*inside))
        return false;
    while (pc_is_digit(*inside) || *inside == ' ')
        inside++;
    return *inside == ')' || begins(inside, "downto ") || begins(inside, "to ");
}

bool ex_foreign_call(const char *behind, const char *name, struct pc_error *err)
{
    static const struct {
        const char *name, *here;
    } known[] = { { "$past", "prev(x)" },       { "$rose", "rise(x)" },
                  { "$fell", "fall(x)" },       { "$changed", "edge(x)" },
                  { "$stable", "!edge(x)" },    { "rising_edge", "rise(x)" },
                  { "falling_edge", "fall(x)" } };
    const char *open = behind + strspn(behind, " \t\n");

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0) {
            pc_hint(err, "%s is written %s", name, known[i].here);
            return true;
        }
    if (pc_scope_index(open))
        pc_hint(err, "an element of an array of scopes has no blank in it: %s%.*s", name,
                (int)pc_scope_index(open), open);
    else if (is_bit(open + 1))
        pc_hint(err, "write bits in brackets: count[3], count[7:4]; write a name that ends in "
                     "parentheses with a backslash before it and a blank after it");
    else
        return false;
    return true;
}

void ex_foreign_slice(const char *text, struct pc_error *err)
{
    if (begins(text, "downto ") || begins(text, "to ") || begins(text, "+:") || begins(text, "-:"))
        pc_hint(err, "a slice is written [7:4] or [4:7], in the bounds of the declaration");
}

void ex_foreign_literal(const char *quote, struct pc_error *err)
{
    if (quote[1] != '\0' && quote[2] == '\'' && strchr("01LH", quote[1]))
        pc_hint(err, "a bit is written 0 or 1 without quotes, and equality ==");
}
