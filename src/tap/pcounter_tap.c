/* SPDX-License-Identifier: MIT */
/*
 * The DPI-C entry points of `pcounter emit tap`.  A module that is bound to a design declares its
 * clocks and signals, then hands over a row at each edge.  A process has one tap.
 */
#include "tap/pcounter_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcounter/tap.h"
#include "tap/send.h"

enum { CLOCKS = 32, ASK_EVERY = 4096 };

struct clock {
    bool falling;
    uint32_t number;  /* of its variable */
    uint32_t *signal; /* numbers of its variables, lowest first */
    size_t signals, capacity;
    uint64_t bits;
};

static struct {
    struct tap_send send;
    bool begun, ready, ended;
    const char *identity; /* of the file that `emit tap` made */
    struct clock clock[CLOCKS];
    uint32_t clocks;
    char **name; /* of variables, without what a row has of them */
    size_t vars, var_capacity;
    unsigned turn;
    char why[400];
} tap;

/* --- memory: without it there is no tap, and the simulation goes on --- */

static bool grow(void *array, size_t *capacity, size_t need, size_t size)
{
    void *old, *grown;

    if (need <= *capacity)
        return true;
    const size_t more = *capacity ? 2 * *capacity : 16;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, more * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = more;
    return true;
}

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *out = malloc(size);

    return out ? memcpy(out, text, size) : NULL;
}

/* --- the end --- */

static void end(void)
{
    if (!tap.ended && tap.ready)
        tap_end(&tap.send, tap.send.time);
    tap.ended = true;
}

void pcounter_tap_end(long long now)
{
    if (!tap.ended && tap.ready)
        tap_end(&tap.send, (uint64_t)now);
    tap.ended = true;
}

/* --- declaring --- */

static bool begin(const char *identity, unsigned clocks, int precision)
{
    tap.begun = true;
    tap.identity = identity;
    tap.clocks = clocks;
    if (clocks > CLOCKS || !tap_connect(&tap.send, tap.why, sizeof tap.why)) {
        if (tap.why[0])
            fprintf(stderr, "pcounter: not counted: %s\n", tap.why);
        tap.ended = true;
        return false;
    }
    tap_put_head(&tap.send,
                 precision >= 0 && precision <= 15 ? (unsigned)precision : PC_TAP_NO_PRECISION,
                 "DPI-C");
    atexit(end);
    return true;
}

int pcounter_tap_open(const char *identity, unsigned clocks, int precision)
{
    static char *kept;

    if (tap.begun)
        return tap.identity && strcmp(identity, tap.identity) != 0 ? -1 : !tap.ended;
    kept = copy(identity);
    return kept && begin(kept, clocks, precision);
}

/* Declares a variable with its whole path as a scope; its number, or of the one that it is
 * already. */
static uint32_t declare(const char *name, uint64_t bits, int left, int right, bool ranged)
{
    const char *dot = strrchr(name, '.');
    struct tap_var var = { .type = "wire",
                           .width = bits,
                           .left = left,
                           .right = right,
                           .flags = ranged ? PC_TAP_RANGE : 0 };
    char *scope = copy(name);

    for (size_t i = 0; i < tap.vars; i++)
        if (strcmp(tap.name[i], name) == 0) {
            free(scope);
            return (uint32_t)i;
        }
    if (!scope || !grow(&tap.name, &tap.var_capacity, tap.vars + 1, sizeof *tap.name)) {
        free(scope);
        return UINT32_MAX;
    }
    var.name = dot ? dot + 1 : name;
    if (dot) {
        scope[dot - name] = '\0';
        tap_put_byte(&tap.send, 'S');
        tap_put_text(&tap.send, scope);
        scope[dot - name] = '.';
    }
    tap_put_var(&tap.send, &var);
    if (dot)
        tap_put_byte(&tap.send, 'U');
    tap.name[tap.vars] = scope;
    return (uint32_t)tap.vars++;
}

int pcounter_tap_signal(unsigned clock, const char *name, unsigned bits, int left, int right)
{
    if (tap.ended || clock >= CLOCKS)
        return 0;
    struct clock *k = &tap.clock[clock];
    const long long span = left > right ? (long long)left - right : (long long)right - left;
    const uint32_t number = declare(name, bits, left, right, bits > 1 && span + 1 == bits);
    if (number == UINT32_MAX || !grow(&k->signal, &k->capacity, k->signals + 1, sizeof *k->signal))
        return 0;
    k->signal[k->signals++] = number;
    k->bits += bits;
    return 1;
}

long long pcounter_tap_clock(unsigned clock, const char *name, int falling)
{
    if (tap.ended || clock >= tap.clocks)
        return 0;
    struct clock *k = &tap.clock[clock];
    k->number = declare(name, 1, 0, 0, false);
    k->falling = falling != 0;
    return (long long)k->bits;
}

int pcounter_tap_begin(void)
{
    unsigned char *wanted = calloc(tap.vars + 1, 1);

    for (uint32_t c = 0; c < tap.clocks; c++) {
        const struct clock *k = &tap.clock[c];
        tap_put_byte(&tap.send, 'K');
        tap_put_number(&tap.send, k->number);
        tap_put_number(&tap.send, k->falling);
        tap_put_number(&tap.send, k->signals);
        for (size_t i = 0; i < k->signals; i++)
            tap_put_number(&tap.send, k->signal[i]);
    }
    tap.ready = wanted && tap_wanted(&tap.send, wanted, tap.vars);
    tap.ended = !tap.ready;
    free(wanted);
    return tap.ready;
}

/* --- rows --- */

/* Sends `words` pairs of 32 bits: a value, and whether it is unknown (IEEE 1800-2017, annex
 * H.7.7). */
static void send_row(uint32_t clock, uint64_t time, const uint32_t *word, size_t words)
{
    uint32_t unknown = 0;

    for (size_t i = 0; i < words; i++)
        unknown |= word[2 * i + 1];
    tap_put_byte(&tap.send, unknown ? 't' : 'T');
    tap_put_number(&tap.send, clock);
    tap_put_time(&tap.send, time);
    for (unsigned part = 0; part < (unknown ? 2 : 1); part++)
        for (size_t i = 0; i < words + (words & 1); i++) {
            const uint32_t b = i < words ? word[2 * i + 1] : 0;
            const uint32_t v = part ? b : i < words ? word[2 * i] ^ b : 0;
            const unsigned char bytes[4] = { (unsigned char)v, (unsigned char)(v >> 8),
                                             (unsigned char)(v >> 16), (unsigned char)(v >> 24) };
            tap_put(&tap.send, bytes, sizeof bytes);
        }
}

int pcounter_tap_edge(unsigned clock, long long now, const void *row)
{
    if (tap.ended || clock >= tap.clocks)
        return 0;
    const size_t words = (size_t)((tap.clock[clock].bits + 31) / 32);
    send_row(clock, (uint64_t)now, row, words);
    if (!tap_turn(&tap.send))
        tap.ended = true;
    return ++tap.turn % ASK_EVERY == 0 && tap_stopped(&tap.send);
}
