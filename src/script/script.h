/* SPDX-License-Identifier: MIT */
/*
 * Inside of src/script: text -> commands (lex.c, parse.c, args.c), commands -> device
 * (run.c, waves.c).  Nothing is kept of a script but its text: it is parsed once as a
 * whole to find mistakes before anything runs, and again, line by line, while it runs.
 */
#ifndef PC_SCRIPT_SCRIPT_H
#define PC_SCRIPT_SCRIPT_H

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/pcounter.h"
#include "pcounter/unstable/script.h"

#define SC_LINE_MAX    (1u << 20)          /* bytes of a line */
#define SC_REPEAT_MAX  ((uint64_t)1 << 32) /* accesses of one repeat */
#define SC_RUN_MAX     ((uint64_t)1 << 48) /* cycles of one run */
#define SC_CLOCK_MAX   UINT32_MAX          /* period and phase of a clock */
#define SC_ADDRESS_END 0x1000000u          /* registers lie below */

/* A word of the script, without its quotes; not NUL-terminated. */
struct sc_text {
    const char *at;
    size_t size;
    uint32_t column; /* from 1 */
    bool quoted;
};

/* The rest of a line. */
struct sc_cursor {
    const char *at, *end, *start;
    uint32_t line;
};

/* Reads the next word: PC_END (and an empty *out with its column) at the end of the line or at a
 * comment.
 */
enum pc_status sc_word(struct sc_cursor *c, struct sc_text *out, struct pc_error *err);

/* Reads the words that are left, as one text: from the first to the last one, without a comment. */
enum pc_status sc_rest(struct sc_cursor *c, struct sc_text *out, struct pc_error *err);

bool sc_is(const struct sc_text *text, const char *word);
/* Writes at most size - 1 bytes of it, NUL-terminated, control characters as '?'; returns out. */
const char *sc_show(const struct sc_text *text, char *out, size_t size);

enum sc_verb {
    SC_CHIP,
    SC_OPTION,
    SC_LATENCY,
    SC_CLOCK,
    SC_SET,
    SC_PLAY,
    SC_PULSE,
    SC_IDLE,
    SC_WRITE,
    SC_READ,
    SC_REPEAT, /* only while parsing: it becomes the access with a count */
    SC_RUN,
    SC_KEEP,
    SC_WAVE,
    SC_BIND_CLOCK,
    SC_BIND
};

/* One command, checked.  Only the members of its verb are set. */
struct sc_command {
    enum sc_verb verb;
    uint32_t column; /* of its first word */
    uint32_t line;
    struct sc_text whole;   /* from its first word to the end of the line */
    unsigned domain;        /* clock set play run bind; as the device numbers them */
    unsigned signal;        /* set play bind */
    bool level;             /* set */
    enum pc_pulse pulse;    /* pulse */
    uint32_t latency[2];    /* write, read */
    uint64_t period, phase; /* clock */
    uint64_t hz;            /* clock: instead of them; 0: they are given */
    uint32_t address;       /* w r */
    unsigned size;          /* w r: bytes, 4; w8, w16: 1, 2 */
    bool io;                /* w r: of I[], PDAEMON's own addresses */
    uint32_t value;         /* w: to write; r: expected; idle */
    uint32_t mask;          /* w: bits to change; r: to compare */
    bool expects;           /* r */
    uint64_t count;         /* w r: how often; run: cycles */
    bool repeated;          /* w r: part of a repeat */
    bool to_end;            /* run end */
    struct sc_text name;    /* chip, option's name, wave, bind's signal or clock */
    struct sc_text text;    /* option's value, play's bits, r's expectation */
};

/* Zeroed but for text and size before the first command. */
struct sc_parser {
    const char *text;
    size_t size;
    size_t at; /* where the next line starts */
    uint32_t line;
    const struct pc_chip *chip;
    bool has_wave, has_run;
    bool sampled;     /* the wave gives samples, not time */
    uint64_t clocked; /* domains whose clock is bound */
    uint64_t bound[PC_GPU_DOMAINS][PC_SIG_WORDS];
    uint32_t bound_line[PC_GPU_DOMAINS]; /* of the first signal bound in the domain, else 0 */
    const struct pc_alloc *alloc;
    pc_script_names_fn *open_names; /* NULL: those of the chip */
    void *ctx;
    struct pc_names *names; /* from the first name on */
};

/* The arguments of one command; the caller checks that the line ends after them. */
typedef enum pc_status sc_parse_fn(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                   struct pc_error *err);
sc_parse_fn sc_parse_run, sc_parse_wave, sc_parse_bind; /* parse_waves.c */

/* Reads the next command; PC_END after the last. */
enum pc_status sc_next(struct sc_parser *p, struct sc_command *out, struct pc_error *err);
/* Gives back what the parser holds. */
void sc_end(struct sc_parser *p);

/*
 * Parses the whole script, from the beginning, and rewinds.  *has_wave: it names a waveform.
 * The names stay open for the second time.
 */
enum pc_status sc_check(struct sc_parser *p, bool *has_wave, struct pc_error *err);

/* ---- arguments (args.c): each takes one word, `what` names it in the error ---- */

enum pc_status sc_need(struct sc_cursor *c, const char *what, struct sc_text *out,
                       struct pc_error *err);
/* Reads an address in the registers of the card, or I[ADDRESS] of PDAEMON. */
enum pc_status sc_address(const struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                          struct pc_error *err);
enum pc_status sc_hex(struct sc_cursor *c, const char *what, uint32_t *out, struct pc_error *err);
/* Optional: *given tells whether a word was left. */
enum pc_status sc_hex_or_end(struct sc_cursor *c, const char *what, struct sc_text *word,
                             uint32_t *out, bool *given, struct pc_error *err);
enum pc_status sc_count(struct sc_cursor *c, const char *what, uint64_t limit, uint64_t *out,
                        struct pc_error *err);
enum pc_status sc_count_or_end(struct sc_cursor *c, const char *what, uint64_t limit, uint64_t *out,
                               bool *given, struct pc_error *err);
enum pc_status sc_count_text(const struct sc_cursor *c, const struct sc_text *word,
                             const char *what, uint64_t limit, uint64_t *out, struct pc_error *err);
/* Reads a domain of the chip by name: "3", "hub0", "gpc0.1", "part1.0". */
enum pc_status sc_domain(struct sc_cursor *c, const struct pc_chip *chip, unsigned *out,
                         struct pc_error *err);
/* Reads a domain, or `pdaemon`, which has a clock and nothing else of a domain; not every chip has
 * it. */
enum pc_status sc_clocked_text(const struct sc_parser *p, const struct sc_cursor *c,
                               const struct sc_text *word, struct sc_command *out,
                               struct pc_error *err);
enum pc_status sc_no_idle_counters(const struct sc_parser *p, const struct sc_cursor *c,
                                   const struct sc_command *out, struct pc_error *err);
/* Returns true if any domain of the chip has a signal of this kind, which the unit drives. */
bool sc_drives(const struct pc_chip *chip, enum pc_signal_kind kind);
/* Reads a raw signal of the domain, by number or by name; one that the unit drives is an error. */
enum pc_status sc_signal_text(struct sc_parser *p, const struct sc_cursor *c,
                              const struct sc_text *word, unsigned domain, unsigned *out,
                              struct pc_error *err);
enum pc_status sc_signal(struct sc_parser *p, struct sc_cursor *c, unsigned domain, unsigned *out,
                         struct pc_error *err);
enum pc_status sc_done(struct sc_cursor *c, struct pc_error *err);

/* "3", "gpc0.1" */
struct sc_domain_name {
    char text[16];
};
struct sc_domain_name sc_domain_name(const struct pc_chip *chip, unsigned domain);

/* Makes the text of a mismatch of a read (describe.c). */
void sc_describe_mismatch(const struct pc_chip *chip, const struct sc_command *cmd, uint32_t value,
                          struct pc_error *out);

/* ---- counters of a core (csr_why.c) ---- */

/* Returns the rule that the next access meets, and its reason here. */
const struct pc_hpm_rule *sc_csr_why(struct pc_hpm *hpm, const struct pc_hpm_in *in, char *reason,
                                     size_t size);

/* ---- waves (waves.c) ---- */

struct sc_waves;

/*
 * Creates the wave of a script: each wire is looked up as it is bound, the streams are bound at the
 * first run, and the time of the device comes from here from its creation on: it stands still until
 * then. Without a device there is no time, and sc_waves_samples() instead.
 */
enum pc_status sc_waves_create(const struct pc_script_desc *desc, const struct pc_alloc *alloc,
                               const struct pc_chip *chip, struct pc_gpu *gpu,
                               struct sc_waves **out, struct pc_error *err);
void sc_waves_destroy(struct sc_waves *w); /* NULL is fine */
enum pc_status sc_waves_open(struct sc_waves *w, const struct sc_command *cmd, void *ctx,
                             struct pc_error *err);
/* Hands warnings to the caller, as far as the wave was read. */
void sc_waves_warn(const struct sc_waves *w, void *ctx);
enum pc_status sc_waves_bind(struct sc_waves *w, const struct sc_command *cmd,
                             struct pc_error *err);
enum pc_status sc_waves_bind_clock(struct sc_waves *w, const struct sc_command *cmd,
                                   struct pc_error *err);
/* At the first run; nothing the second time. */
enum pc_status sc_waves_start(struct sc_waves *w, const struct sc_command *cmd,
                              struct pc_error *err);
enum pc_status sc_waves_run(struct sc_waves *w, const struct sc_command *cmd, struct pc_error *err);
/* Reads all samples of a wave without a device, in order. */
enum pc_status sc_waves_samples(struct sc_waves *w, pc_script_samples_fn *samples, void *ctx,
                                struct pc_error *err);
/* A fault of the wave met while an access took its time: accesses themselves cannot fail. */
enum pc_status sc_waves_fault(const struct sc_waves *w, const struct sc_command *cmd,
                              struct pc_error *err);

#endif
