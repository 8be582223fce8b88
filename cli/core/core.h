/* SPDX-License-Identifier: MIT */
/*
 * A CVA6 core in a waveform, for `pcounter check` and `pcounter stat --core`:
 *   core_map.c     --map: ports by other names, slices and constants
 *   core_find.c    the scope that has the ports of perf_counters, and the ports in it
 *   core_around.c  ports that are in the scopes around it, as nets of the core
 *   core_have.c    what is there, and what is missing
 *   core_event.c   events as expressions over the ports
 *   core_count.c   ... and what they add, as planes
 *   core_planes.c  blocks of the waveform
 *   core_invert.c  ports that a map has as the inverse of a signal
 *   core_note.c    what is told of a waveform beside the counts
 */
#ifndef PC_CLI_CORE_H
#define PC_CLI_CORE_H

#include "wave/read_options.h"
#include "wave/span.h"
#include "text/regs_text.h"

enum core_port {
#define CORE_PORT(id, name, bits) CORE_##id,
#include "core_ports.def"
#undef CORE_PORT
    CORE_PORTS
};
#define CORE_LINE_0    CORE_ICACHE_MISS /* the port of line 0 */
#define CORE_CSR_0     CORE_CSR_OP      /* the first of csr_regfile */
#define CORE_MOST_BITS 64               /* of a port */

/* The name as users see it, and the most bits that it can have. */
const char *core_port_name(enum core_port port);
unsigned core_port_bits(enum core_port port);

/* ---- maps ---- */

/* One line of a map: where a port is. */
struct core_map_row {
    enum core_port port;
    const char *signal; /* in the map's text; NULL: a constant */
    bool inverted;
    bool one_bit; /* by a !, which is for no more of them */
    uint64_t value;
    uint32_t line, column; /* of the signal */
};
struct core_map {
    const char *verb, *path;
    char *text;  /* as in the file, for carets */
    char *words; /* a copy in which the signals end in NUL */
    struct core_map_row row[CORE_PORTS];
    size_t count;
};
/* An exit code, after saying what is wrong. */
int core_map_load(const char *verb, const char *path, struct core_map *out);
void core_map_free(struct core_map *map);
/* The text between, without blanks around it; ends it with a NUL. */
char *core_trim(char *from, char *to);
int core_map_error(const struct core_map *map, const struct core_map_row *row,
                   const struct pc_error *err);

/* ---- the core ---- */

struct core_options {
    const char *verb; /* for messages */
    const struct pc_hpm_config *config;
    const struct pc_hpm_profile *profile;
    uint32_t quirks_on, quirks_off;
    const char *path, *scope, *map; /* scope, map: may be NULL */
    bool inputs_only;               /* not the registers and the read data */
    unsigned threads;               /* for reading; 0: one */
    const struct cli_read_options *read;
};

/* Where a port is in the waveform. */
struct core_source {
    bool present, constant, inverted;
    bool padded;                   /* by a map: with zeros above, as far as the port goes */
    bool around;                   /* found in a scope around */
    uint64_t value;                /* of a constant */
    const struct pc_wave_bit *bit; /* from the right; in core.bit */
    uint32_t bits;
    uint32_t wire; /* number of its first bit in the stream */
};

struct core_planes;  /* of the present block */
struct core_inverse; /* the same, of ports that are inverted */

struct core {
    const struct core_options *options;
    struct pc_wave *wave;
    char *scope;    /* "" without one */
    char hint[300]; /* then of a scope that may be meant; "" if none has a port of the module */
    struct core_source port[CORE_PORTS];
    struct pc_wave_bit *bit; /* CORE_MOST_BITS a port */
    uint32_t events;         /* bit e: all that event e looks at is there */
    size_t wires;
    /* the present block */
    struct pc_wave_block block;
    struct core_planes *planes;
    struct core_inverse *inverse; /* NULL: no port is inverted */
};

/* Opens the waveform, finds the ports, binds a stream of them.  An exit code. */
int core_open(struct core *c, const struct core_options *o);
void core_close(struct core *c);

/* core_note.c: the oddities of the file that its reader tolerated, and another number of ways. */
void core_warn(const struct core *c);
/* With the quirks in force event 13 is the RTL's although it should not be, for want of rs1. */
void core_note_rs1(const struct core *c, uint32_t quirks);

/* core_find.c; an exit code. */
int core_find_ports(struct core *c);
/* The leaf in the first `length` bytes of the scope's path; PC_OK: the port is there now. */
enum pc_status core_find_in(struct core *c, enum core_port port, size_t length, const char *leaf);
/* But for blanks and backslashes. */
bool core_same_name(const char *a, const char *b);
/* core_around.c: what is not there yet; and the ports of a core without event counters. */
void core_find_around(struct core *c);
void core_find_fixed(struct core *c);
/* Is what an access to a CSR depends on in the waveform, all of it? */
bool core_has_csr(const struct core *c);
/* Does anything look at the port in a core of this configuration? */
bool core_looks_at(const struct core *c, enum core_port port);

/* core_event.c */
enum { CORE_NAME = 80 };
/* Reads the next name of an event's expression, of that commit port; false: there is none. */
bool core_next_name(const char **at, unsigned port, char out[CORE_NAME]);
/* Writes what the event counts in a clock, of all commit ports; strict: rs1 can be looked at. */
void core_put_event(FILE *file, const struct pc_hpm_config *config, uint32_t quirks,
                    const struct pc_hpm_event *event, bool strict);

/* Writes the same of one commit port. */
void core_put_port(FILE *file, const struct pc_hpm_config *config, uint32_t quirks,
                   const struct pc_hpm_event *event, unsigned port, bool strict);

/* Finds a port by its name; *bit: it is of one bit of it, NAME[0].  NULL: there is no such port. */
const struct core_source *core_find_named(const struct core *c, const char *name, bool *bit);
/* Does a wire of the map's stand in place of the ports that the event looks at? */
bool core_by_wire(const struct core *c, const struct pc_hpm_event *e);
/* Writes what the event counts by what is in the waveform, of one commit port and of all. */
void core_put_seen(FILE *file, const struct core *c, uint32_t quirks, const struct pc_hpm_event *e,
                   unsigned port);
void core_put_seen_event(FILE *file, const struct core *c, uint32_t quirks,
                         const struct pc_hpm_event *e);

/* core_count.c: what the events add in the present block, by the expressions of their rows. */
enum { CORE_INSTRUCTIONS = PC_HPM_EVENTS, CORE_COUNTED };
struct core_counting;
/* Returns the quirks in force. */
uint32_t core_quirks(const struct core_options *o);
enum pc_status core_counting_open(const struct core *c, uint32_t quirks, struct core_counting **out,
                                  struct pc_error *err);
void core_counting_close(struct core_counting *k);
/* Gives the clocks in which event `what` adds 1, and those in which it adds one more; false: no
 * memory. */
bool core_counting_planes(struct core_counting *k, unsigned what, const uint64_t *out[2]);
/* Does each commit port, or the only condition, add 1 in one clock?  Planes of the wires, then one
 * of 0s and one of 1s, have it as bit 0; false: no memory. */
bool core_counting_at(struct core_counting *k, unsigned what, const uint64_t *const *value,
                      bool out[2]);
/* Is the event the same by both? */
bool core_counts_same(struct core_counting *a, struct core_counting *b, unsigned what);

/* core_have.c */
uint32_t core_events(const struct core *c);
int core_check_widths(const struct core *c);
int core_check_clear(const struct core *c);

/* Names with commas between them, each of them whole, and how many did not fit. */
struct core_list {
    char *out;
    size_t size;
    const char *before; /* in front of the first */
    size_t used, count, left_out;
};
void core_list_add(struct core_list *l, const char *name);
void core_list_end(const struct core_list *l);

/* The names of the ports among `want` (CORE_PORTS ends it) that are missing, with commas. */
size_t core_missing(const struct core *c, const enum core_port *want, char *out, size_t size);
/* Is it among what is read of the waveform? */
bool core_wanted(const struct core *c, unsigned port);

/* core_invert.c: once the wires have their numbers; and in each block of the waveform. */
enum pc_status core_invert_open(struct core *c, struct pc_error *err);
void core_invert_block(struct core *c);
void core_invert_close(struct core *c);

/* The next block; PC_END after the last one. */
enum pc_status core_next(struct core *c, struct pc_error *err);
/* Plane of bit i of a port in the present block; NULL is 0 all along. */
const uint64_t *core_plane(const struct core *c, enum core_port port, unsigned bit);
/* Cycles of word w in which what the counters look at is unknown. */
uint64_t core_unknown(const struct core *c, size_t w);
/* Cycles of word w in which a bit of the port is unknown. */
uint64_t core_port_unknown(const struct core *c, enum core_port port, size_t w);
/* Cycles of word w that are out of reset. */
uint64_t core_out_of_reset(const struct core *c, size_t w);

/*
 * Times of edges, by a read of their own: time[i] of the edge cycle[i], ascending.  false if
 * they cannot be had: the waveform is standard input.
 */
bool core_edge_times(const struct core *c, const uint64_t *cycle, size_t count, uint64_t *time);
/* --from and --to as edges of the core's clock; an exit code. */
int core_find_window(const struct core *c, struct cli_window *w);

/* Returns what --profile gave, or for NULL the default of all verbs: rtl. */
const struct pc_hpm_profile *core_profile(const struct pc_hpm_profile *given);
/* "NAME=on" or "NAME=off"; an exit code. */
int core_switch_quirk(const char *verb, const char *text, uint32_t *on, uint32_t *off);
/* Writes what was switched, as " +name -name". */
void core_switched(uint32_t on, uint32_t off, char *out, size_t size);

#endif
