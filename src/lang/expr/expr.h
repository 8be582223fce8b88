/* SPDX-License-Identifier: MIT */
/*
 * Inside of the expression language.  An expression is an array of nodes in postfix
 * order: operands stand before the operators that use them.  So every pass is a loop:
 * forward for what flows from the leaves to the root (widths, values), backward for
 * what flows the other way (context widths, delays).  Nothing recurses.
 *
 *   lex.c      text to tokens; literals.c: numbers and texts
 *   names.c    names to wires, and to values of an enumeration
 *   parse.c    tokens to nodes: an operator-precedence parser with its own stack
 *   resolve.c  widths, memory for the evaluation
 *   offer.c    comparisons that are wires of the caller's
 *   eval.c     64 cycles a word, some words at a time, three-valued
 *   numbers.c  + - << >> {a, b} x[i], in rules of described cores
 *   func.c     the boolean function of a small expression
 *   place.c    that function onto one input of a counter (D-12, "Input selection")
 */
#ifndef PC_EXPR_EXPR_H
#define PC_EXPR_EXPR_H

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "pcounter/pcounter.h"

enum {
    EX_MAX_TEXT = 1 << 20,  /* bytes of an expression */
    EX_MAX_NEST = 256,      /* operators and parentheses open at one place */
    EX_MAX_NODES = 1 << 16, /* operators, names and literals */
    EX_MAX_WIDTH = 1 << 12, /* bits of one name or literal */
    EX_MAX_NAME = 1 << 10,  /* bytes of the name of a real */
    EX_PLAIN_WIDTH = 32,    /* of a literal without a size, as Verilog has it, where signs count */
    EX_MAX_BITS = 1 << 20,  /* bits of all intermediate results together */
    EX_WORDS = 16,          /* that are evaluated at a time, */
    EX_WIDE = 1 << 12,      /* one where there are more bits than this */
    EX_MAX_ATOMS = 10,      /* inputs of a function before it is reduced to its support */
    EX_PAST = 4             /* cycles that a table knows: now and three ago */
};

/* In the order of binding strength where two can compete; see parse.c. */
enum ex_op {
    EX_NAME,
    EX_LITERAL,
    EX_NOT,     /* ~x  every bit */
    EX_NEG,     /* -x */
    EX_LNOT,    /* !x  one bit */
    EX_RED_AND, /* &x */
    EX_RED_OR,  /* |x */
    EX_RED_XOR, /* ^x */
    EX_ONEHOT,  /* $onehot(x)  one bit is 1, $onehot0(x)  one at most; an unknown one is not */
    EX_ONEHOT0,
    EX_ISUNKNOWN, /* $isunknown(x)  a bit is unknown */
    EX_COUNTONES, /* $countones(x)  a number */
    EX_SIGNED,
    EX_UNSIGNED,
    EX_PREV,
    EX_RISE,
    EX_FALL,
    EX_EDGE,
    EX_LT,
    EX_LE,
    EX_GT,
    EX_GE,
    EX_EQ,
    EX_NE,
    EX_AND,
    EX_XOR,
    EX_OR,
    EX_LAND,
    EX_LOR,
    EX_SHL, /* from here to EX_INDEX: of rules alone */
    EX_SHR,
    EX_ADD,
    EX_SUB,
    EX_CAT,   /* {a, b} */
    EX_INDEX, /* x[i]: an element of a name, by a number that is computed */
    EX_MUX    /* a ? b : c */
};

#define EX_NONE UINT32_MAX

struct ex_node {
    enum ex_op op;
    uint32_t child[3];   /* EX_NONE where there is none */
    uint32_t begin, end; /* bytes of the text, half-open */
    uint32_t width;      /* bits; 0 before resolve, but for literals */
    uint32_t room;       /* bits as Verilog counts them: a literal without a size has 32 */
    uint32_t set;        /* a comparison of inside: 1 + the node that is compared; else 0 */
    uint32_t data;       /* EX_NAME: offset of its text in arena;
                            EX_LITERAL: offset of its bits in literal_bits */
    uint32_t word;       /* EX_LITERAL: 1 + its text in arena where it is a name of a value */
    uint32_t text;       /* 1 + where arena has the characters of a "text"; 0: it is none */
    uint32_t number;     /* 1 + where arena has a decimal number, after =; 0: it is none */
    union {
        struct {
            uint32_t first_wire; /* EX_NAME: of its `width` wires */
            int32_t low;         /* EX_INDEX: the index of the first element */
            enum ex_op was;      /* EX_NAME that is given: the comparison */
            uint32_t history;    /* EX_PREV to EX_EDGE: first of the operand's last bits */
        };
        struct ex_parsed { /* EX_LITERAL with a word: what it was before it was that of a value */
            enum ex_op op;
            uint32_t child, data, width;
        } parsed;
    };
    uint32_t plane; /* first of its `width` planes */
    /* the small ones together: there are many nodes */
    bool parsed_signed, parsed_unsized; /* as `parsed` */
    bool fraction;   /* of `number`: it has a point or an exponent, and meets reals alone */
    bool real;       /* EX_NAME: of a real, whose bits compare as it does */
    bool is_signed;  /* the value is a signed number */
    bool unsized;    /* a literal without a size: what is above it is 0, whatever it meets */
    bool below_zero; /* the value is signed, and can be less than 0 */
    bool plain;      /* ... not by signs, as something in the set has none */
    bool negative;   /* of rules: its value can be below 0, whatever uses it */
    bool fill;       /* whoever uses it takes its highest bit for those above */
    bool given;      /* EX_NAME: a comparison, `was`, whose wire the caller gave */
    bool gone;       /* EX_NAME: of such a comparison; it has no wires */
    uint8_t delays;  /* bit d: its value d cycles ago is used; bit EX_PAST: that many or more */
};

/* A signal now or some cycles ago. */
struct ex_atom {
    uint32_t wire;
    uint32_t delay;      /* 0 .. EX_PAST - 1 */
    uint32_t begin, end; /* where the text names it first */
};

/* An expression as place.c needs it. */
struct ex_func {
    bool deep; /* looks back more than one cycle, at deep_begin .. deep_end */
    bool far;  /* EX_PAST cycles or more: no table */
    uint32_t deep_begin, deep_end;
    uint32_t unknown_begin, unknown_end;   /* $isunknown, which no hardware computes; end 0: none */
    size_t inputs;                         /* distinct atoms; more than EX_MAX_ATOMS: no table */
    struct ex_atom atom[EX_MAX_ATOMS + 1]; /* in the order of the text */
    uint64_t table[(1u << EX_MAX_ATOMS) / 64]; /* bit i: value for inputs i, atom 0 is bit 0 of i */
};

/* Planes that many expressions have in common: what one has in them is there until another is
 * evaluated. */
struct ex_scratch {
    uint64_t *value, *unknown;
    size_t planes; /* of one word */
};

struct pc_expr {
    struct pc_alloc alloc;
    bool numbers, resolved; /* numbers: the language of rules: logic, and numbers */
    char *text;
    size_t text_size; /* with the NUL */
    struct ex_node *node;
    size_t nodes, nodes_capacity;
    char
        *arena; /* texts of names, NUL-terminated, without blanks; a backslash of an escape stays */
    size_t arena_used, arena_capacity;
    uint8_t *literal_bits; /* one byte a bit, least significant first */
    size_t literal_used, literal_capacity;
    size_t literal_parsed; /* of literal_used: those of the text, without names of values */
    pc_expr_value_fn *value_of;
    const void *value_ctx;
    uint32_t *wire;
    size_t wires, wires_capacity;
    struct ex_scratch *scratch; /* NULL: its planes are its own */
    uint64_t *value, *unknown;  /* planes: `words` words for each bit of each node, and one of 0 */
    size_t planes, words;
    uint8_t *history; /* bit 0 value, bit 1 unknown; bits 2, 3: what they are before all cycles */
    size_t histories;
    struct core_watch *watch; /* of a described core's expressions: what a run tries of it */
    /* from here on not of rules, which are allocated without */
    pc_expr_offer_fn *offer;
    void *offer_ctx;
    struct ex_func func;
};
static inline size_t ex_size(bool numbers)
{
    return numbers ? offsetof(struct pc_expr, offer) : sizeof(struct pc_expr);
}

/* --- lex.c --- */

enum ex_token_kind {
    EX_T_END,
    EX_T_NAME,
    EX_T_LITERAL,
    EX_T_FUNCTION, /* a name before a parenthesis: op tells which; the "(" is consumed too */
    EX_T_OPEN,
    EX_T_CLOSE,
    EX_T_NOT,    /* ~ */
    EX_T_LNOT,   /* ! */
    EX_T_MINUS,  /* -; hint as of EX_T_OTHER where it would stand between operands */
    EX_T_BINARY, /* op tells which; EX_AND, EX_OR, EX_XOR may also be reductions */
    EX_T_QUESTION,
    EX_T_COLON,
    EX_T_COMMA,
    EX_T_OPEN_SET, /* { } of inside, and [ ] of a range in it */
    EX_T_CLOSE_SET,
    EX_T_OPEN_RANGE,
    EX_T_CLOSE_RANGE,
    EX_T_OTHER /* a byte that begins nothing of the language */
};

struct ex_token {
    enum ex_token_kind kind;
    enum ex_op op;
    uint32_t begin, end;
    uint32_t data;           /* names, literals: as in ex_node */
    uint32_t width;          /* literals */
    bool is_signed, unsized; /* literals */
    uint32_t text, number;   /* as in ex_node */
    bool fraction;
    const char *hint; /* EX_T_OTHER, EX_T_MINUS, braces: what to write instead, or "" */
};

/* The token at *at; moves *at past it.  Texts of names and bits of literals go into the
 * expression. */
enum pc_status ex_lex(struct pc_expr *e, size_t *at, struct ex_token *out, struct pc_error *err);

static inline bool ex_is_blank(char c)
{
    return pc_is_space(c) || c == '\f' || c == '\v';
}

static inline size_t ex_skip_blanks(const char *text, size_t at)
{
    while (ex_is_blank(text[at]))
        at++;
    return at;
}

/* --- literals.c: at a digit or a quote, and at a " --- */

enum pc_status ex_lex_number(struct pc_expr *e, size_t *at, struct ex_token *t,
                             struct pc_error *err);
enum pc_status ex_lex_text(struct pc_expr *e, size_t *at, struct ex_token *t, struct pc_error *err);
/* Reserves memory for that many more bits. */
enum pc_status ex_reserve_bits(struct pc_expr *e, size_t count, struct pc_error *err);

/* --- names.c --- */

/* Names, texts and numbers that are values of the signal which they are compared with become
 * literals of its bits; those of an earlier time are names again. */
struct ex_names;
enum pc_status ex_spell_values(struct pc_expr *e, const struct ex_names *names,
                               struct pc_error *err);
void ex_take_back_values(struct pc_expr *e);

/*
 * foreign.c: what other languages write, and how it is written here.  Operators: the hint for what
 * stands at `text`, or "".  The others set the hint of an error that has been made: for the word
 * at `begin`, which is no operator; a call of a function `name` with `after` after it; what
 * comes after the number of a bit; a quote.  True if they know what it is.
 */
const char *ex_foreign_operator(const char *text);
bool ex_foreign_word(const char *text, size_t begin, struct pc_error *err);
bool ex_foreign_call(const char *behind, const char *name, struct pc_error *err);
void ex_foreign_slice(const char *text, struct pc_error *err);
void ex_foreign_literal(const char *quote, struct pc_error *err);

/* Fails at a place of the text: code, byte offset, text. */
#define EX_FAIL(err, code, offset, ...)                                                            \
    pc_fail_at(err, code, 1, (uint32_t)(offset) + 1, __VA_ARGS__)

/* Room for text that errors quote: at most that many bytes of it, then "...". */
#define EX_QUOTE_SIZE 64
const char *ex_quote(const struct pc_expr *e, uint32_t begin, uint32_t end,
                     char out[EX_QUOTE_SIZE]);

/* Returns true for operators whose operands are widened to the result (Verilog:
 * context-determined). */
static inline bool ex_bitwise(enum ex_op op)
{
    return op == EX_NOT || op == EX_NEG || op == EX_AND || op == EX_XOR || op == EX_OR ||
           op == EX_MUX;
}

/* Returns true for operators that make one value of all bits of their operand. */
static inline bool ex_reducing(enum ex_op op)
{
    return op >= EX_RED_AND && op <= EX_COUNTONES;
}

/* Returns true for those that ask if their operands are 0: also vectors. */
static inline bool ex_logical(enum ex_op op)
{
    return op == EX_LNOT || op == EX_LAND || op == EX_LOR;
}

/* Returns true for operators that look at the cycle before. */
static inline bool ex_delaying(enum ex_op op)
{
    return op >= EX_PREV && op <= EX_EDGE;
}

/* --- eval.c --- */

/* So many words; `last`: the last cycle of the last of them that counts, kept for the next part. */
struct ex_part {
    size_t words;
    unsigned last;
    const uint64_t *restart; /* cycles before which there was nothing; NULL: none of them */
};

/* Returns the words of a plane of e->value or e->unknown. */
static inline uint64_t *ex_plane(const struct pc_expr *e, uint64_t *planes, size_t plane)
{
    return planes + plane * e->words;
}

/* A bit of a node in some words. */
struct ex_row {
    uint64_t *v, *u;
};
static inline struct ex_row ex_row(const struct pc_expr *e, const struct ex_node *n, uint32_t bit)
{
    const size_t above = n->fill ? n->plane + n->width - 1 : e->planes - 1; /* the last one is 0 */
    const size_t plane = bit < n->width ? n->plane + bit : above;

    return (struct ex_row){ ex_plane(e, e->value, plane), ex_plane(e, e->unknown, plane) };
}

/* Computes all nodes from the planes of the names, which the caller has filled in. */
void ex_operate(struct pc_expr *e, struct ex_part part);

/* Forgets the past: every signal was 0. */
void ex_settle(struct pc_expr *e);

/* --- offer.c --- */

/* Comparisons that were given at an earlier time are as they were. */
void ex_take_back_offers(struct pc_expr *e);
/* Takes the comparisons that the caller gives. */
enum pc_status ex_offer(struct pc_expr *e, struct pc_error *err);

/* --- numbers.c: what rules have beside logic: + - << >> {a, b} x[i] --- */

/* Parses as pc_expr_parse() does, in the language of rules. */
enum pc_status ex_parse_rule(const struct pc_alloc *alloc, const char *text, struct pc_expr **out,
                             struct pc_error *err);

/*
 * Elements of a name that is indexed by a computed number: how many bits each has, and the index
 * of the first.
 */
typedef enum pc_status ex_elements_fn(void *ctx, const char *name, uint32_t *bits, int32_t *low,
                                      struct pc_error *err);
struct ex_names {
    pc_expr_lookup_fn *lookup;
    ex_elements_fn *elements; /* NULL: nothing is indexed so */
    void *ctx;
};
/* names.c: the wires of one name. */
enum pc_status ex_look_up(struct pc_expr *e, struct ex_node *n, const struct ex_names *names,
                          struct pc_error *err);
/* As pc_expr_resolve(); in rules, vectors are also results. */
enum pc_status ex_resolve(struct pc_expr *e, const struct ex_names *names, struct pc_error *err);

static inline bool ex_is_number(enum ex_op op)
{
    return op == EX_NEG || (op >= EX_SHL && op <= EX_INDEX);
}

/* Sets the width and sign of a node of rules from those of its operands. */
enum pc_status ex_number_width(const struct pc_expr *e, struct ex_node *n, struct pc_error *err);
/* true: the node was one of these, and is calculated. */
bool ex_number_operate(struct pc_expr *e, const struct ex_node *n, size_t words);

/*
 * Takes words first to first + words - 1 of the planes of all bits of the result: bit b's are
 * ex_root(e, b). At most e->words of them. With `shift`, only the cycle of that number of the one
 * word is looked at, as cycle 0.
 */
void ex_take_scratch(struct pc_expr *e); /* eval.c: its literals into the shared planes */
void ex_evaluate(struct pc_expr *e, const uint64_t *const *value, const uint64_t *const *unknown,
                 size_t first, unsigned shift, struct ex_part part);
static inline const struct ex_node *ex_root(const struct pc_expr *e)
{
    return &e->node[e->nodes - 1];
}

/* --- func.c --- */

void ex_find_function(struct pc_expr *e);

#endif
