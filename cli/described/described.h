/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of cores (pcounter-core(5)): files of YAML, for `check`, `stat` and `emit`.
 *
 *   described_for.c     `for`, and {n - 3} in texts: numbers that are known when the file is read
 *   described_file.c    the file as a whole: keys, names, lets, vectors, checks
 *   described_rules.c   its registers and their rules
 *   described_names.c   no two things of one name
 *   described_wires.c   names as signals of a waveform, and the planes of a stream
 *   described_clock.c   the edges at which its counters count
 *   described_reset.c   resets that begin and end between two edges of the clock
 *   described_text.c    rules and checks in messages
 */
#ifndef PC_CLI_DESCRIBED_H
#define PC_CLI_DESCRIBED_H

#include "process/yaml.h"
#include "pcounter/unstable/core.h"
#include "wave/read_options.h"

/* The remarks of messages on a rule or a check; NULL: none. */
struct described_said {
    const char *clause; /* of a document: "HPM.INSTRET.3" */
    const char *known;  /* a behaviour that is known, with its issue */
};

/* Where a text of the description stands; NULL: nowhere. */
struct described_rule {
    const yaml_node_t *of, *when, *value;
    struct described_said said;
};
struct described_register {
    const yaml_node_t *of, *is, *reset, *width;
    const char *shown; /* what it is compared with, as the file has it; NULL: nothing */
    size_t first_rule;
};

struct described {
    struct cli_yaml_kind kind;
    struct cli_yaml yaml;
    const char *name, *clock;
    const char *about, *profile, *scope; /* may be NULL */
    const char *stopped;                 /* where it holds nothing counts; NULL: nowhere */
    bool negative;                       /* the clock's falling edges count */
    bool sync;                           /* the reset acts at edges alone */
    bool times;                          /* the caller's wish: blocks tell the time of each edge */
    const yaml_node_t *reset_node, *clock_node;
    struct pc_core_desc desc;
    /* what it points to */
    struct pc_core_let *let;
    struct pc_core_vector *vector;
    struct pc_core_register *reg;
    struct pc_core_rule *rule;
    struct pc_core_check *check;
    const char **metric; /* "NAME = FORMULA" */
    size_t metrics, metric_capacity;
    size_t let_capacity, vector_capacity, reg_capacity, rule_capacity, check_capacity;
    size_t rules;
    /* where these stand */
    const yaml_node_t **let_node, **vector_node, **check_node;
    struct described_register *reg_node;
    struct described_rule *rule_node;
    struct described_said *check_said;
    size_t let_nodes, vector_nodes, check_nodes, reg_nodes, rule_nodes,
        check_saids; /* capacities */
    /* texts that are not in the file itself */
    char **text;
    size_t texts, text_capacity;
    struct pc_core *core;
};

/* Is it the path of a description, and not the name of a configuration? */
bool described_is_file(const char *name);

/* One more let; its texts stay the caller's.  false: no memory. */
bool described_add_let(struct described *d, const char *name, const char *value);
/* The file, and then its expressions; or both.  Exit codes; closed by the caller whatever happened.
 */
int described_read(struct described *d, const char *verb, const char *path);
/* A text in place of a file, which becomes the struct's own; name is its name in messages. */
int described_read_text(struct described *d, const char *verb, const char *name, char *text);
enum pc_status described_prepare(struct described *d, struct pc_core_place *place,
                                 struct pc_error *err);
int described_open(struct described *d, const char *verb, const char *path);
void described_close(struct described *d);

/* --- described_for.c --- */

/* A number for which a register is written out; name NULL: none. */
struct described_number {
    const char *name;
    size_t length;
    long value;
};
/*
 * The text with each {n + 1} as its number; `expression`: also each n, and sums in brackets.  NULL:
 * no memory, or why not, in `wrong`.
 */
char *described_expand(const char *text, const struct described_number *n, bool expression,
                       const char **wrong);
/* "n = 0, 2, 3..12": the numbers, one a call from *at on, which begins as 0; false: no more. */
struct described_for {
    struct described_number number;
    const char *text, *at;
    long next, last;
};
/* NULL, or what is wrong with it. */
const char *described_for_begin(struct described_for *f, const char *text);
/* NULL: *has tells whether there was one more; or what is wrong. */
const char *described_for_next(struct described_for *f, bool *has);

/* --- described_file.c, for described_rules.c --- */

/* Keeps a text that was made; NULL: no memory. */
const char *described_keep(struct described *d, char *text);
/* A scalar as text; an exit code. */
int described_text(struct described *d, const yaml_node_t *node, const char *what,
                   const char **out);
int described_unknown_key(const struct described *d, const yaml_node_t *key,
                          const char *const *known);
int described_registers(struct described *d, yaml_node_t *node);
/* Takes the keys clause and known; true: it was one of them, and *code an exit code. */
bool described_take_said(struct described *d, const yaml_node_t *key, const yaml_node_t *value,
                         struct described_said *said, int *code);
/* Returns the remarks on a rule, or on a check. */
const struct described_said *described_rule_said(const struct described *d, size_t reg,
                                                 size_t rule);
/* A text with its numbers written in; an exit code. */
int described_expanded(struct described *d, const yaml_node_t *node, const char *text,
                       const struct described_number *n, bool expression, const char **out);

/* An error of the library at the text that the place names; an exit code. */
int described_fail(const struct described *d, const struct pc_core_place *place,
                   const struct pc_error *err);

/* --- described_names.c --- */

/* Once all is read: an error where two things have one name; an exit code.  Nodes may be NULL. */
int described_check_names(struct described *d, const yaml_node_t *lets, const yaml_node_t *vectors,
                          const yaml_node_t *metrics);

/* --- described_text.c --- */

enum { DESCRIBED_RULE_SIZE = 600 };
uint32_t described_line(const yaml_node_t *node);
/* "line 22: when event[n], add 1": the rule as the file has it. */
void described_rule_text(const struct described *d, size_t reg, size_t rule, char *out,
                         size_t size);
/* "line 30: rdata == cnt0". */
void described_check_text(const struct described *d, size_t check, char *out, size_t size);

/* Returns what to type, where the hint of an expression is one for events of `stat`. */
void described_hint(struct pc_error *err);

/* --- described_wires.c --- */

struct described_wires {
    struct described *d;
    struct pc_wave *wave;
    const char *scope;       /* --scope, or that of the file; NULL: none */
    struct pc_wave_bit *bit; /* of the stream */
    size_t bits, capacity;
    size_t *slot; /* from a bit to its number: a table */
    size_t slots;
    char missing[400]; /* names that are not there, with commas */
    char near[400];    /* what may be meant by the first */
    size_t missed;
    struct pc_wave_clock clock;
    const char *map_path; /* --map */
    char *map_text;       /* NUL after each name and signal */
    struct described_row {
        const char *name, *signal;
    } * row;
    size_t rows, row_capacity;
};
/* Begins with the map; an exit code. */
int described_map(struct described_wires *w, struct described *d, struct pc_wave *wave,
                  const char *scope, const char *map);
/* Finds the clock, and whether all names are there; an exit code. */
int described_begin(struct described_wires *w);
/* That, and all names as bits of a stream, which is bound; an exit code. */
int described_find(struct described_wires *w, struct described *d, struct pc_wave *wave,
                   const char *scope, const char *map);
void described_drop(struct described_wires *w);
/* The declared index of the lowest of the bits. */
int32_t described_low(const struct described_wires *w, const struct pc_wave_bit *bits,
                      size_t count);
/* Writes the path of a name as descriptions mean it: by the map, and in the scope if it is there.
 */
enum { DESCRIBED_PATH = 4096 + 1024 };
void described_path(const struct described_wires *w, const char *name, char out[DESCRIBED_PATH]);
/* The bits of a name as descriptions mean it: in the scope first. */
enum pc_status described_bits(const struct described_wires *w, const char *name,
                              struct pc_wave_bit *bits, size_t capacity, size_t *count,
                              struct pc_error *err);

/* --- described_clock.c --- */

/*
 * Returns the clock with what --clock has after iff: neither in reset nor where the counters are
 * stopped, by names as in the description; the caller's, NULL: no memory.
 */
char *described_clock_text(const struct described_wires *w);

/* --- described_reset.c --- */

/* The bits of a name in the reset's expression. */
typedef enum pc_status described_reset_bits_fn(const void *ctx, const char *name,
                                               struct pc_wave_bit *bits, size_t capacity,
                                               size_t *count, struct pc_error *err);
struct described_resets {
    const char *reset; /* the expression */
    struct pc_wave_clock clock;
    described_reset_bits_fn *find;
    const void *ctx;
    const struct cli_read_options *read;
    const char *path;
    struct pc_wave *wave; /* NULL: not open */
    bool opened, before, since;
    uint64_t edges;
    struct pc_expr *expr;
    struct pc_wave_bit *bit;
    size_t bits, capacity;
    uint64_t unasked, unasked_edge; /* edges that were asked about where the file cannot be read
                                     * twice */
};
/* Begins with the reset and the clock of a description; for another one, fills in the struct. */
void described_resets_begin(struct described_resets *r, const struct described_wires *w,
                            const struct cli_read_options *read, const char *path);
/* For pc_core_watch. */
bool described_reset_between(void *resets, uint64_t edge);
void described_resets_close(struct described_resets *r);

#endif
