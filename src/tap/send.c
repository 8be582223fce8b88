/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_COARSE, MSG_CMSG_CLOEXEC */
#include "tap/send.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pcounter/tap.h"

enum { AGE_MS = 100 }; /* values wait no longer before they are sent */

static uint64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* --- finding pcounter --- */

/* Returns the stream as a descriptor, or the reason why there is none, as text. */
static int take_stream(int fd, char *why, size_t size)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = { .space = { 0 } };
    struct iovec data = { why, size - 1 };
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = control.space,
                        .msg_controllen = sizeof control.space };
    int stream = -1;
    ssize_t got;

    do
        got = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    why[got > 0 ? got : 0] = '\0';
    const struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(&stream, CMSG_DATA(c), sizeof stream);
    return stream;
}

bool tap_connect(struct tap_send *s, char *why, size_t size)
{
    const char *path = getenv(PC_TAP_PATH);
    struct sockaddr_un to = { .sun_family = AF_UNIX };

    s->fd = -1;
    why[0] = '\0';
    if (!path || !*path || strlen(path) >= sizeof to.sun_path)
        return false;
    memcpy(to.sun_path, path, strlen(path) + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    if (connect(fd, (const struct sockaddr *)&to, sizeof to) == 0)
        s->fd = take_stream(fd, why, size);
    else
        snprintf(why, size, "cannot connect to %s: %s", path, strerror(errno));
    close(fd);
    s->sent_ms = now_ms();
    return s->fd >= 0;
}

bool tap_alive(const struct tap_send *s)
{
    return s->fd >= 0;
}

static void leave(struct tap_send *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

/* --- sending --- */

void tap_flush(struct tap_send *s)
{
    const unsigned char *from = s->buf;

    while (s->fd >= 0 && s->used > 0) {
        const ssize_t n = send(s->fd, from, s->used, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            leave(s);
            break;
        }
        from += n;
        s->used -= (size_t)n;
    }
    s->used = 0;
    s->sent_ms = now_ms();
}

void tap_put(struct tap_send *s, const void *data, size_t size)
{
    const unsigned char *from = data;

    while (size > 0 && s->fd >= 0) {
        const size_t room = sizeof s->buf - s->used, some = size < room ? size : room;
        memcpy(s->buf + s->used, from, some);
        s->used += some;
        from += some;
        size -= some;
        if (s->used == sizeof s->buf)
            tap_flush(s);
    }
}

void tap_put_byte(struct tap_send *s, unsigned char byte)
{
    s->buf[s->used++] = byte;
    if (s->used == sizeof s->buf)
        tap_flush(s);
}

void tap_put_number(struct tap_send *s, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        tap_put_byte(s, (unsigned char)(0x80 | (number & 0x7f)));
    tap_put_byte(s, (unsigned char)number);
}

void tap_put_text(struct tap_send *s, const char *text)
{
    const size_t length = text ? strlen(text) : 0;

    tap_put_number(s, length);
    if (length > 0)
        tap_put(s, text, length);
}

void tap_put_time(struct tap_send *s, uint64_t time)
{
    tap_put_number(s, time > s->time ? time - s->time : 0);
    if (time > s->time)
        s->time = time;
}

bool tap_turn(struct tap_send *s)
{
    if (s->used > 0 && now_ms() - s->sent_ms >= AGE_MS)
        tap_flush(s);
    return s->fd >= 0;
}

void tap_end(struct tap_send *s, uint64_t time)
{
    if (s->fd < 0)
        return;
    tap_put_byte(s, 'E');
    tap_put_time(s, time);
    tap_flush(s);
    leave(s);
}

/* --- declaring --- */

void tap_put_head(struct tap_send *s, unsigned precision, const char *simulator)
{
    tap_put(s, PC_TAP_MAGIC, PC_TAP_HEAD);
    tap_put_byte(s, 'H');
    tap_put_byte(s, (unsigned char)precision);
    tap_put_text(s, simulator);
}

static void put_bound(struct tap_send *s, int64_t bound)
{
    tap_put_number(s, bound < 0 ? (uint64_t)-bound << 1 | 1 : (uint64_t)bound << 1);
}

void tap_put_var(struct tap_send *s, const struct tap_var *var)
{
    tap_put_byte(s, 'V');
    tap_put_byte(s, (unsigned char)var->kind);
    tap_put_byte(s, (unsigned char)var->flags);
    tap_put_text(s, var->type);
    tap_put_number(s, var->width);
    put_bound(s, var->left);
    put_bound(s, var->right);
    tap_put_text(s, var->name);
    if (var->flags & PC_TAP_ALIAS)
        tap_put_number(s, var->alias);
}

/* --- answers --- */

static bool take(struct tap_send *s, unsigned char *to, size_t size)
{
    while (size > 0) {
        const ssize_t n = recv(s->fd, to, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            leave(s);
            return false;
        }
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static uint32_t word_of(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

bool tap_wanted(struct tap_send *s, unsigned char *wanted, size_t vars)
{
    unsigned char head[5], number[4];

    tap_put_byte(s, 'R');
    tap_flush(s);
    if (s->fd < 0 || !take(s, head, sizeof head))
        return false;
    if (head[0] == 'W' && word_of(head + 1) == UINT32_MAX) { /* all */
        memset(wanted, 1, vars);
        return true;
    }
    for (uint32_t left = head[0] == 'W' ? word_of(head + 1) : 0; left > 0; left--) {
        if (!take(s, number, sizeof number))
            return false;
        if (word_of(number) < vars)
            wanted[word_of(number)] = 1;
    }
    return head[0] == 'W';
}

bool tap_stopped(struct tap_send *s)
{
    unsigned char byte;
    const ssize_t n = s->fd < 0 ? -1 : recv(s->fd, &byte, 1, MSG_DONTWAIT);

    if (n == 0) /* the other end is closed, and the simulation goes on */
        leave(s);
    return n == 1 && byte == 'X';
}
