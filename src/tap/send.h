/* SPDX-License-Identifier: MIT */
/*
 * The end of a tap in the simulator: finds pcounter by PCOUNTER_TAP, declares, sends values.  One
 * stream a process, as one simulator loads one module.  Needs libc alone.  Once pcounter has gone,
 * or was never there, everything here does nothing, and the simulation runs as without it.
 */
#ifndef PC_TAP_SEND_H
#define PC_TAP_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tap_send {
    int fd; /* -1: there is no reader */
    size_t used;
    uint64_t sent_ms; /* when something was sent last */
    uint64_t time;    /* that was told last */
    unsigned char buf[1 << 16];
};

/* Connects; false: no pcounter is around, or it refuses, which `why` then says. */
bool tap_connect(struct tap_send *s, char *why, size_t size);
bool tap_alive(const struct tap_send *s);
void tap_put(struct tap_send *s, const void *data, size_t size);
void tap_put_byte(struct tap_send *s, unsigned char byte);
void tap_put_number(struct tap_send *s, uint64_t number);
void tap_put_text(struct tap_send *s, const char *text);
/* Sends the time since the time before. */
void tap_put_time(struct tap_send *s, uint64_t time);
/* precision: 10^-precision s; PC_TAP_NO_PRECISION: unknown. */
void tap_put_head(struct tap_send *s, unsigned precision, const char *simulator);
struct tap_var {
    int kind; /* enum pc_var_kind */
    unsigned flags;
    const char *type, *name;
    uint64_t width;
    int64_t left, right;
    uint32_t alias; /* PC_TAP_ALIAS: the number of the variable that it also is */
};
void tap_put_var(struct tap_send *s, const struct tap_var *var);
/* Sends R, and waits for what is wanted: a byte a variable.  false: no values are wanted any more.
 */
bool tap_wanted(struct tap_send *s, unsigned char *wanted, size_t vars);
/* After each timestamp: sends what is old enough.  false: the reader has gone. */
bool tap_turn(struct tap_send *s);
void tap_flush(struct tap_send *s);
/* Returns true if pcounter has asked to end the simulation. */
bool tap_stopped(struct tap_send *s);
void tap_end(struct tap_send *s, uint64_t time);

#endif
