/* SPDX-License-Identifier: MIT */
/*
 * Inside the reader of a tap: what a running simulation sends (tap/pcounter_vpi.c by VPI,
 * tap/pcounter_tap.c by DPI-C).  The stream is private: both ends are of one version.  It is bytes;
 * numbers are unsigned with seven bits a byte, low ones first, and a text is its length and bytes.
 *
 *     PCTAP 1 0 0                            head
 *     H exponent text                        precision, 10^-exponent s; the simulator
 *     S text, U                              a scope begins, ends
 *     V kind flags type width left right name   a variable; their numbers count from 0, but for
 *                                            an alias, after which the number of the other stands
 *     K variable edge count variable...      a clock with the variables of its rows, lowest first
 *     R                                      all is declared: now `want` is awaited
 *     @ later                                a timestamp, so much after the one before
 *     0 1 x z variable                       a bit of it changed
 *     b variable digits                      a vector did, a byte for eight bits
 *     q variable digits                      ... as characters, with x and z
 *     e variable                             an event, or what has no bits
 *     .                                      end of the timestamp
 *     T clock later words                    an edge with the words of its row
 *     t clock later words words              ... and of what is unknown in it
 *     E later                                the simulation has ended
 *     F why text                             it cannot begin
 *
 * Back goes W count variable..., four bytes each: the values that are wanted; a count of all ones,
 * and no variables, for all.
 *
 * input.c reads numbers, texts and times, declare.c what stands before R, rows.c makes planes of
 * rows, tap.c is the reader.
 */
#ifndef PC_WAVE_TAP_H
#define PC_WAVE_TAP_H

#include "wave/input.h"
#include "wave/reader.h"

enum { TAP_WINDOW = 1 << 16, TAP_ROW_BITS = 1 << 20, TAP_CLOCKS = 32 };

struct tap_clock;
struct tap_bound;

struct tap {
    struct wv_reader base;
    struct pc_alloc alloc;
    struct wv_input *in;
    uint8_t *buf; /* TAP_WINDOW bytes */
    size_t at, end;
    uint64_t passed; /* bytes before buf */
    char *text;      /* the last text, NUL-terminated */
    size_t text_capacity;
    char *simulator;
    size_t simulator_size;
    struct tap_clock *clock; /* rows.c: whose edges come as rows */
    size_t clocks, clocks_capacity;
    struct tap_bound *bound; /* by stream; NULL: reading has not begun */
    size_t bounds;
    size_t *place; /* by code: of its digits in `now` */
    size_t codes;
    char *now; /* the value of each code, a character a bit */
    size_t bits;
    uint8_t *wanted;
    struct wv_change *change;
    size_t changes, changes_capacity;
    uint64_t time, step; /* step: of the stamp that was handed out */
    bool any, over;
};

/* --- input.c: PC_END where the stream ends --- */

enum pc_status tap_fail(struct tap *t, struct pc_error *err, const char *fmt, ...) PC_PRINTF(3, 4);
enum pc_status tap_byte(struct tap *t, uint8_t *out, struct pc_error *err);
enum pc_status tap_bytes(struct tap *t, uint8_t *out, size_t size, struct pc_error *err);
enum pc_status tap_number(struct tap *t, uint64_t *out, struct pc_error *err);
/* Reads the number of a variable. */
enum pc_status tap_variable(struct tap *t, uint32_t *out, struct pc_error *err);
/* Reads a text into t->text; *length without the NUL. */
enum pc_status tap_text(struct tap *t, size_t *length, struct pc_error *err);
/* Passes `later` units of time. */
enum pc_status tap_later(struct tap *t, struct pc_error *err);
/* A record after the last values: E or F. */
enum pc_status tap_last(struct tap *t, uint8_t what, struct pc_error *err);
/* Nothing more is read; whole: the simulation has said so. */
void tap_end(struct tap *t, bool whole);
/* Makes PC-E0791 with the text that the other end sent. */
enum pc_status tap_failure(struct tap *t, struct pc_error *err);

/* --- declare.c --- */

/* Reads from the head to R. */
enum pc_status tap_declare(struct tap *t, struct pc_error *err);

/* --- rows.c --- */

enum pc_status tap_clock(struct tap *t, struct pc_error *err);
void tap_free_clocks(struct tap *t);
enum pc_status tap_may_bind(const struct wv_reader *r, const struct pc_wave_clock *clock,
                            const struct pc_wave_bit *bits, size_t count, struct pc_error *err);
enum pc_status tap_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                        struct pc_error *err);

#endif
