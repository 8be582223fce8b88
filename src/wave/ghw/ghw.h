/* SPDX-License-Identifier: MIT */
/*
 * Inside the reader of GHW, GHDL's own format.  A file is sections with names of four bytes:
 *
 *     GHDLwave\n 16 0 version order word offset 0     head
 *     STR   strings, each with the bytes that it shares with the one before
 *     TYP   types of VHDL: enumerations, numbers, arrays, records and their subtypes
 *     WKT   which of them are well known: not needed
 *     HIE   scopes and signals; a signal has a type, and a number for each of its scalars
 *     EOH
 *     SNP   a time and the values of all scalars
 *     CYC   times that follow each other, with the scalars that changed     ECY
 *     DIR   where the sections are: the end
 *
 * input.c reads numbers and strings, types.c types, declare.c makes variables of signals, ghw.c is
 * the reader as wave.c (one up) sees it.  A scalar of an enumeration whose values are characters
 * of std_logic is a bit, an array of these a vector; other enumerations are their positions, which
 * have names; records are scopes, and an element of another array is a variable with its index.
 */
#ifndef PC_WAVE_GHW_H
#define PC_WAVE_GHW_H

#include "wave/input.h"
#include "wave/reader.h"

enum { GHW_WINDOW = 1 << 16 };

/* Kinds of types, the scalars first. */
enum ghw_kind { GHW_ENUM, GHW_INT32, GHW_INT64, GHW_REAL, GHW_ARRAY, GHW_RECORD };

/* The range of an array: left to right. */
struct ghw_range {
    int64_t left, right;
    bool down;
};

#define GHW_UNBOUNDED UINT64_MAX

struct ghw_type {
    enum ghw_kind kind;
    bool is_bit;      /* of an enumeration: every value is a state of std_logic, or it is boolean */
    uint32_t width;   /* of a scalar, in bits */
    uint64_t scalars; /* that it consists of; GHW_UNBOUNDED: not known */
    size_t item, items; /* in ghw.item: literals, dimensions, or fields (name and type each) */
    uint32_t element;   /* of an array; a number of a type, from 0 */
    uint32_t values;    /* of an enumeration, as wv_var has it; 0: not yet asked for */
    size_t range;       /* of an array, in ghw.range: as many as it has dimensions */
};

/* A scalar as a part of a variable. */
struct ghw_use {
    uint32_t code;
    uint32_t bit;  /* from the left */
    uint32_t next; /* of the same scalar, + 1; 0: none */
};

struct ghw_scalar {
    uint32_t type; /* + 1; 0: no signal has it */
    uint32_t use;  /* + 1 */
};

struct ghw_code {
    uint32_t at; /* of its values in ghw.now */
    bool changed;
    uint32_t first, count; /* its scalars, in ghw.list */
};

struct ghw {
    struct wv_reader base;
    struct pc_alloc alloc;
    struct wv_input *in;
    uint8_t *buf; /* GHW_WINDOW bytes */
    size_t at, end;
    uint64_t passed; /* bytes before buf */
    bool big_endian, cut;
    bool has_unit; /* the type time is there, and one of its units is the step of times: */
    int unit;      /* 10^unit seconds */
    char *text;    /* strings, each with its NUL */
    size_t text_used, text_capacity;
    size_t *string; /* offsets in it */
    size_t strings, strings_capacity;
    struct ghw_type *type;
    size_t types, types_capacity;
    uint32_t *number; /* the types of the file, which are among these */
    size_t numbers, numbers_capacity;
    uint32_t *item;
    size_t items, items_capacity;
    struct ghw_range *range;
    size_t ranges, ranges_capacity;
    struct ghw_scalar *scalar; /* by number */
    size_t scalars, scalars_capacity;
    size_t most; /* as many as the file says */
    struct ghw_use *use;
    size_t uses, uses_capacity;
    struct ghw_code *code;
    size_t codes, codes_capacity;
    uint32_t *list; /* scalars of codes */
    size_t lists, lists_capacity;
    uint32_t *slot; /* hash of lists: code + 1 */
    size_t slots;
    char *now; /* a state each bit, of all codes */
    size_t bits;
    uint8_t *wanted;
    struct wv_change *change;
    uint32_t *touched;
    size_t touches;
    /* reading */
    enum { GHW_BETWEEN, GHW_CYCLES, GHW_OVER } state;
    uint64_t time; /* of the step that was begun and not read */
    bool begun, snapshot;
    bool any; /* a step was handed out, at `last` */
    uint64_t last;
};

/* --- input.c: PC_END where the file ends, and cut is set --- */

enum pc_status ghw_fail(struct ghw *g, struct pc_error *err, const char *fmt, ...) PC_PRINTF(3, 4);
enum pc_status ghw_byte(struct ghw *g, uint8_t *out, struct pc_error *err);
enum pc_status ghw_bytes(struct ghw *g, uint8_t *out, size_t size, struct pc_error *err);
enum pc_status ghw_unsigned(struct ghw *g, uint32_t *out, struct pc_error *err);
enum pc_status ghw_signed(struct ghw *g, int64_t *out, struct pc_error *err);
uint64_t ghw_word(const struct ghw *g, const uint8_t *bytes, unsigned size);
/* Reads the number of a string, which exists. */
enum pc_status ghw_string(struct ghw *g, uint32_t *out, struct pc_error *err);
enum pc_status ghw_strings(struct ghw *g, struct pc_error *err);
const char *ghw_text(const struct ghw *g, uint32_t string);

/* --- types.c --- */

enum pc_status ghw_types(struct ghw *g, struct pc_error *err);
/* Reads the number of a type that exists, from 0. */
enum pc_status ghw_type(struct ghw *g, uint32_t *out, struct pc_error *err);
enum pc_status ghw_value(struct ghw *g, const struct ghw_type *t, int64_t *out,
                         struct pc_error *err);
uint64_t ghw_length(const struct ghw_range *r);
/* Returns the state of a literal of an enumeration of bits: '0' '1' 'x' 'z'. */
char ghw_state(const struct ghw *g, const struct ghw_type *t, uint32_t literal);

/* --- declare.c --- */

enum pc_status ghw_hierarchy(struct ghw *g, struct pc_error *err);

#endif
