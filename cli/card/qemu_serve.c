/* SPDX-License-Identifier: MIT */
/*
 * The other end of QEMU's x-pci-proxy-dev: messages over a stream socket, of a head and a body
 * whose size the command decides, with files beside them.  The protocol is QEMU's own and of no
 * standard, so nothing in a message is taken on trust.
 *
 * Not modelled: interrupts (the unit has none), I/O ports.
 */
#define _GNU_SOURCE /* MSG_CMSG_CLOEXEC, MSG_NOSIGNAL */
#include "card/qemu.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum command {
    SYNC_MEMORY, /* without an answer, as SET_INTERRUPT */
    ANSWER,
    CONFIG_WRITE,
    CONFIG_READ,
    BAR_WRITE,
    BAR_READ,
    SET_INTERRUPT,
    RESET,
    COMMANDS
};

struct head {
    int32_t command;
    uint32_t nothing;
    uint64_t size; /* of the body */
};
struct memory_body {
    uint64_t first[QEMU_REGIONS], size[QEMU_REGIONS], offset[QEMU_REGIONS];
};
struct config_body {
    uint32_t address, value;
    int32_t size;
};
struct bar_body {
    uint64_t address; /* of the bus, not in the BAR */
    uint64_t value;
    uint32_t size;
    uint8_t is_memory, nothing[3];
};
_Static_assert(sizeof(struct head) == 16 && sizeof(struct memory_body) == 192 &&
                   sizeof(struct config_body) == 12 && sizeof(struct bar_body) == 24,
               "as QEMU has them");

struct message {
    struct head head;
    union {
        struct memory_body memory;
        struct config_body config;
        struct bar_body bar;
    } body;
    int file[QEMU_REGIONS];
    unsigned files;
};

/* ---- messages come and go ---- */

static void close_files(struct message *m)
{
    while (m->files > 0)
        close(m->file[--m->files]);
}

/* Takes the files that came along; false: more than there can be, which are closed. */
static bool take_files(struct message *m, struct msghdr *h)
{
    bool fits = !(h->msg_flags & MSG_CTRUNC);

    for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        const size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int file;
            memcpy(&file, CMSG_DATA(c) + i * sizeof file, sizeof file);
            if (m->files < QEMU_REGIONS) {
                m->file[m->files++] = file;
                continue;
            }
            close(file);
            fits = false;
        }
    }
    return fits;
}

/* Takes data, and returns how many bytes; fewer where the other end is closed. -1: an error, or too
 * many files. */
static ssize_t take(int link, struct message *m, void *data, size_t size)
{
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof m->file)];
    size_t done = 0;

    while (done < size) {
        struct iovec piece = { (char *)data + done, size - done };
        struct msghdr h = {
            .msg_iov = &piece, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room
        };
        const ssize_t got = recvmsg(link, &h, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno != ECONNRESET)
            return -1;
        if (got <= 0)
            break;
        if (!take_files(m, &h))
            return errno = EPROTO, -1;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static bool answer(int link, uint64_t value)
{
    const struct {
        struct head head;
        uint64_t value;
    } text = { { .command = ANSWER, .size = sizeof value }, value };
    const char *at = (const char *)&text;

    for (size_t left = sizeof text; left > 0;) {
        const ssize_t sent = send(link, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0) /* the next message does not come either */
            return errno == EPIPE || errno == ECONNRESET;
        at += sent;
        left -= (size_t)sent;
    }
    return true;
}

/* ---- what they ask ---- */

static size_t body_of(int32_t command)
{
    switch (command) {
    case SYNC_MEMORY:
        return sizeof(struct memory_body);
    case CONFIG_WRITE:
    case CONFIG_READ:
        return sizeof(struct config_body);
    case BAR_WRITE:
    case BAR_READ:
        return sizeof(struct bar_body);
    default:
        return 0;
    }
}

/* NULL: it is one that can be followed. */
static const char *what_is_wrong(const struct message *m)
{
    switch (m->head.command) {
    case CONFIG_WRITE:
    case CONFIG_READ:
        if (m->body.config.size != 1 && m->body.config.size != 2 && m->body.config.size != 4)
            return "an access of the configuration space has a size that there is not";
        break;
    case BAR_WRITE:
    case BAR_READ:
        if (m->body.bar.size != 1 && m->body.bar.size != 2 && m->body.bar.size != 4 &&
            m->body.bar.size != 8)
            return "an access of BAR0 has a size that there is not";
        break;
    default:
        break;
    }
    return NULL;
}

static void sync_memory(struct qemu_card *card, struct message *m)
{
    struct qemu_region region[QEMU_REGIONS];
    const unsigned n = m->files;

    for (unsigned i = 0; i < n; i++)
        region[i] = (struct qemu_region){ .first = m->body.memory.first[i],
                                          .size = m->body.memory.size[i],
                                          .offset = m->body.memory.offset[i],
                                          .file = m->file[i] };
    m->files = 0;
    qemu_memory_set(&card->memory, region, n);
}

/* Finds the address in BAR0, wherever the guest has put that; false: it is not there, and reads as
 * where no device is. */
static bool in_bar0(const struct qemu_card *card, const struct bar_body *b, uint32_t *address)
{
    const uint64_t size = card->options->pci.bar[0].size;

    *address = (uint32_t)(b->address & (size - 1));
    return b->is_memory && b->size <= size - *address;
}

/* *accesses: the card was accessed, and its time is to pass. */
static enum pc_status access_bar(struct qemu_card *card, const struct message *m, uint64_t *value,
                                 bool *accesses, struct pc_error *err)
{
    const struct bar_body *b = &m->body.bar;
    uint32_t address;

    *value = m->head.command == BAR_READ ? UINT64_MAX : 0;
    *accesses = in_bar0(card, b, &address);
    if (!*accesses)
        return PC_OK;
    if (m->head.command == BAR_READ)
        return card_device_read(card->device, address, b->size, value, err);
    return card_device_write(card->device, address, b->size, b->value, err);
}

/* False: after saying why, nothing more is answered. */
static bool follow(struct qemu_card *card, int link, struct message *m)
{
    const struct config_body *c = &m->body.config;
    uint64_t value = 0;
    struct pc_error err;
    enum pc_status status = PC_OK;
    bool accesses = false;

    switch (m->head.command) {
    case SYNC_MEMORY:
        sync_memory(card, m);
        return true;
    case SET_INTERRUPT:
        return true;
    case CONFIG_WRITE:
        card_config_write(&card->config, c->address, (unsigned)c->size, c->value);
        break;
    case CONFIG_READ:
        value = card_config_read(&card->config, c->address, (unsigned)c->size);
        break;
    case RESET:
        card_config_reset(&card->config, card->options);
        card_device_reset(card->device);
        card->log_ended |= card->logged;
        break;
    default:
        status = access_bar(card, m, &value, &accesses, &err);
        break;
    }
    if (status) {
        cli_error(&err, "card", NULL);
        return false;
    }
    if (!answer(link, value))
        return cli_usage("card", "no answer to QEMU: %s", strerror(errno)), false;
    if (accesses && card_device_pass(card->device, &err))
        return cli_error(&err, "card", NULL), false;
    return true;
}

/* 1: a message; 0: the other end is closed, between two messages; -1: after saying what is wrong */
static int next(int link, struct message *m)
{
    const char *wrong = NULL;

    m->files = 0;
    ssize_t got = take(link, m, &m->head, sizeof m->head);
    if (got == 0)
        return 0;
    if (got == (ssize_t)sizeof m->head) {
        const struct head *h = &m->head;
        if (h->command < 0 || h->command >= COMMANDS || h->command == ANSWER ||
            h->size != body_of(h->command)) {
            cli_usage("card",
                      "QEMU's command %" PRId32 " with %" PRIu64 " bytes is none that this "
                      "program knows",
                      h->command, h->size);
            return -1;
        }
        got = take(link, m, &m->body, (size_t)h->size);
        wrong = got == (ssize_t)h->size ? what_is_wrong(m) : "a message ends early";
    } else if (got > 0) {
        wrong = "a message ends early";
    }
    if (got < 0)
        wrong = strerror(errno);
    if (wrong)
        cli_usage("card", "QEMU is not understood: %s", wrong);
    return wrong ? -1 : 1;
}

int qemu_serve(struct qemu_card *card, int link)
{
    struct message m;
    int more;

    while ((more = next(link, &m)) > 0) {
        const bool fine = follow(card, link, &m);
        close_files(&m);
        if (!fine)
            return CLI_INPUT;
    }
    close_files(&m);
    return more == 0 ? CLI_OK : CLI_INPUT;
}
