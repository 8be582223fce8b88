/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "card/device.h"
#include "card/feed.h"
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ADDRESSES = 16, MOST_NOTICES = 32, WRITTEN = 256, PMC_BOOT_0 = 0, PMC_ENABLE = 0x200 };
enum { PROM = 0x300000, PROM_SIZE = 0x100000 };

/* Addresses of words, and how often each was accessed so. */
struct tally {
    struct {
        uint32_t address;
        uint64_t count;
    } row[MOST_ADDRESSES];
    size_t rows;
    uint64_t others; /* accesses of addresses beyond these */
};

struct card_device {
    struct card_device_desc desc;
    struct pc_gpu *gpu;
    uint64_t last_ns; /* of the wall clock */
    uint64_t ns;      /* that have passed for the card */
    uint64_t reads, writes;
    struct card_access last; /* card_device_pass() tells of it */
    struct tally undecoded, read_only;
    /* Words that were written to, by the low bits of their address: is it read-only? */
    struct {
        uint32_t address; /* and 1 if it is; 2: none yet */
    } written[WRITTEN];
    struct {
        char text[PC_NOTICE_TEXT];
    } notice[MOST_NOTICES];
    size_t notices;
    struct card_feed **feed;
    size_t feeds;
    bool played; /* all of them */
};

static void count(struct tally *t, uint32_t address)
{
    for (size_t i = 0; i < t->rows; i++)
        if (t->row[i].address == address) {
            t->row[i].count++;
            return;
        }
    if (t->rows == MOST_ADDRESSES) {
        t->others++;
        return;
    }
    t->row[t->rows].address = address;
    t->row[t->rows++].count = 1;
}

/* Returns a word of the ROM as BAR0 has it; after its end it reads as an empty one does. */
static bool in_rom(const struct card_device *d, uint32_t address)
{
    return d->desc.rom_size > 0 && address >= PROM && address < PROM + PROM_SIZE;
}

static uint32_t rom_word(const struct card_device *d, uint32_t at)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)(at + i < d->desc.rom_size ? d->desc.rom[at + i] : 0xff) << 8 * i;
    return value;
}

static bool other(void *ctx, uint32_t address, bool is_write, uint32_t *value)
{
    struct card_device *d = ctx;

    if (in_rom(d, address)) {
        if (!is_write)
            *value = rom_word(d, address - PROM);
        return true;
    }
    count(&d->undecoded, address);
    return false;
}

static bool is_read_only(const struct pc_chip *chip, uint32_t word)
{
    struct pc_reg_info reg;

    return word == PMC_BOOT_0 || (pc_reg_at(chip, word, &reg, NULL) == PC_OK && !reg.writable);
}

/* Counts the read-only words that a write reaches. */
static void count_read_only(struct card_device *d, uint32_t address, unsigned size)
{
    for (uint32_t word = address & ~3u; word < address + size; word += 4) {
        uint32_t *known = &d->written[word / 4 % WRITTEN].address;
        if ((*known & ~1u) != word)
            *known = word | is_read_only(d->desc.chip, word);
        if (*known & 1)
            count(&d->read_only, word);
    }
}

static uint64_t wall_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum pc_status card_device_open(const struct card_device_desc *desc, struct card_device **out,
                                struct pc_error *err)
{
    struct card_device *d = calloc(1, sizeof *d);
    struct pc_gpu_desc gpu = { .chip = desc->chip,
                               .ptimer = true,
                               .other = other,
                               .other_ctx = d,
                               .mem_write = desc->packet,
                               .mem_ctx = desc->packet_ctx };

    if (!d) {
        *err = (struct pc_error){ .status = PC_ENOMEM, .code = 100, .text = "no memory" };
        return err->status;
    }
    d->desc = *desc;
    for (size_t i = 0; i < WRITTEN; i++)
        d->written[i].address = 2;
    enum pc_status status = pc_gpu_create(&gpu, &d->gpu, err);
    if (status) {
        card_device_close(d);
        return status;
    }
    pc_gpu_latency(d->gpu, 0, 0);
    d->last_ns = wall_ns();
    *out = d;
    return PC_OK;
}

void card_device_close(struct card_device *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->feeds; i++)
        card_feed_close(d->feed[i]);
    free(d->feed);
    pc_gpu_destroy(d->gpu);
    free(d);
}

enum pc_status card_device_setup(struct card_device *d, struct pc_script_stimulus *stimulus,
                                 struct pc_error *err)
{
    stimulus->chip = d->desc.chip;
    return pc_script_run_stimulus(stimulus, d->gpu, err);
}

enum pc_status card_device_feed(struct card_device *d, FILE *samples, struct pc_error *err)
{
    struct card_feed **grown = realloc(d->feed, (d->feeds + 1) * sizeof *grown);

    if (grown)
        d->feed = grown;
    if (!grown) {
        *err = (struct pc_error){ .status = PC_ENOMEM, .code = 100, .text = "no memory" };
        return err->status;
    }
    const enum pc_status status = card_feed_open(samples, d->gpu, &d->feed[d->feeds], err);
    d->feeds += status == PC_OK;
    return status;
}

/* Full record memory is what the program has asked for. */
static enum pc_status pass(struct card_device *d, uint64_t ns, struct pc_error *err)
{
    const enum pc_status status = pc_gpu_elapse(d->gpu, ns, err);

    return status == PC_ELIMIT ? PC_OK : status;
}

/* Plays a short time, while a waveform plays; *ns: what is left. *over: none does. */
static enum pc_status play(struct card_device *d, uint64_t *ns, bool *over, struct pc_error *err)
{
    const uint64_t some = *ns < CARD_FEED_NS ? *ns : CARD_FEED_NS;
    enum pc_status status = PC_OK;

    *over = true;
    for (size_t i = 0; i < d->feeds && !status; i++) {
        bool done;
        status = card_feed_before(d->feed[i], &done, err);
        *over = *over && done;
    }
    if (!status)
        status = pass(d, some, err);
    for (size_t i = 0; i < d->feeds; i++)
        card_feed_after(d->feed[i]);
    *ns -= some;
    return status;
}

static enum pc_status elapse(struct card_device *d, uint64_t ns, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    bool over = d->played;

    d->ns += ns;
    while (!status && !over && ns > 0)
        status = play(d, &ns, &over, err);
    d->played = over;
    return status || ns == 0 ? status : pass(d, ns, err);
}

/* The wall clock's time since the last access; else an access takes its time when it is over. */
static enum pc_status before(struct card_device *d, struct pc_error *err)
{
    if (d->desc.access_ns)
        return PC_OK;
    const uint64_t now = wall_ns(), gone = now - d->last_ns;
    d->last_ns = now;
    return elapse(d, gone, err);
}

/* Copies the notices of the model before it drops them. */
static void take_notices(struct card_device *d)
{
    struct pc_gpu_notice notice;

    for (size_t i = 0; pc_gpu_get_notice(d->gpu, i, &notice) && d->notices < MOST_NOTICES; i++) {
        size_t k = 0;
        while (k < d->notices && strcmp(d->notice[k].text, notice.text) != 0)
            k++;
        if (k == d->notices)
            memcpy(d->notice[d->notices++].text, notice.text, sizeof notice.text);
    }
}

static void keep_access(struct card_device *d, uint32_t address, unsigned size, bool write,
                        uint64_t value)
{
    d->last = (struct card_access){
        .ns = d->ns, .value = value, .address = address, .size = (uint8_t)size, .write = write
    };
}

enum pc_status card_device_pass(struct card_device *d, struct pc_error *err)
{
    if (d->desc.access)
        d->desc.access(d->desc.ctx, &d->last);
    return d->desc.access_ns ? elapse(d, d->desc.access_ns, err) : PC_OK;
}

void card_device_reset(struct card_device *d)
{
    take_notices(d);
    pc_gpu_reset(d->gpu);
}

enum pc_status card_device_read(struct card_device *d, uint32_t address, unsigned size,
                                uint64_t *value, struct pc_error *err)
{
    const enum pc_status status = before(d, err);

    if (status)
        return status;
    *value = pc_gpu_read(d->gpu, address, size);
    d->reads++;
    keep_access(d, address, size, false, *value);
    return PC_OK;
}

enum pc_status card_device_write(struct card_device *d, uint32_t address, unsigned size,
                                 uint64_t value, struct pc_error *err)
{
    const enum pc_status status = before(d, err);

    if (status)
        return status;
    keep_access(d, address, size, true, value);
    if (address < PMC_ENABLE + 4 && address + size > PMC_ENABLE) /* the engine may be reset */
        take_notices(d);
    pc_gpu_write(d->gpu, address, size, value);
    d->writes++;
    count_read_only(d, address, size);
    return PC_OK;
}

static void tell_tally(const struct tally *t, const char *what, FILE *file)
{
    for (size_t i = 0; i < t->rows; i++)
        fprintf(file, "%s%s 0x%06" PRIx32 " (%" PRIu64 ")", i ? "," : "; ", i ? "" : what,
                t->row[i].address, t->row[i].count);
    if (t->others)
        fprintf(file, ", and others (%" PRIu64 ")", t->others);
}

void card_device_tell(struct card_device *d, FILE *file)
{
    if (d->reads + d->writes == 0)
        return;
    fprintf(file, "pcounter card: %s: %s", d->desc.chip->name, cli_count(d->reads, "read"));
    fprintf(file, ", %s", cli_count(d->writes, "write"));
    tell_tally(&d->undecoded, "nothing decodes", file);
    tell_tally(&d->read_only, "nothing is stored at", file);
    fputc('\n', file);
    take_notices(d);
    for (size_t i = 0; i < d->notices; i++)
        fprintf(file, "pcounter card: %s: %s\n", d->desc.chip->name, d->notice[i].text);
}
