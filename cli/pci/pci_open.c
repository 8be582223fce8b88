/* SPDX-License-Identifier: MIT */
#include "pci/pci.h"

#include "complete/complete.h"
#include "replay/card.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <dirent.h>

#define DEVICES "/sys/bus/pci/devices"
#define VENDOR  0x10deu
enum { PATH = 160 };

/* ---- the address ---- */

static bool is_hex(const char *text, size_t count)
{
    return strspn(text, "0123456789abcdefABCDEF") >= count;
}

/* "01:00.0", or with a domain of four digits or more before it. */
static bool is_address(const char *text)
{
    const size_t n = strlen(text);
    const char *bus = n >= 7 ? text + n - 7 : text;

    return n >= 7 && n < 20 && is_hex(bus, 2) && bus[2] == ':' && is_hex(bus + 3, 2) &&
           bus[5] == '.' && bus[6] >= '0' && bus[6] <= '7' &&
           (n == 7 || (n >= 12 && bus[-1] == ':' && is_hex(text, n - 8)));
}

static int take_address(const char *verb, const struct opt *row, const char *text, void *field)
{
    if (is_address(text))
        return opt_take_text(verb, row, text, field);
    return cli_usage(verb, "--card %s: an address of the PCI bus is expected, as 0000:01:00.0",
                     text);
}

static const char *path_of(const char *address, const char *name, char out[PATH])
{
    snprintf(out, PATH, DEVICES "/%s%s%s", address, *name ? "/" : "", name);
    return out;
}

/* A file of one number; 0: there is none. */
static uint32_t number_in(const char *address, const char *name)
{
    char path[PATH], text[32] = "";
    const int file = open(path_of(address, name, path), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : 0;

    if (file >= 0)
        close(file);
    return size > 0 ? (uint32_t)strtoul(text, NULL, 0) : 0;
}

/* Cards of NVIDIA's that show pictures: class 03. */
static void offer_cards(struct complete *c)
{
    DIR *all = opendir(DEVICES);
    const struct dirent *one;

    while (all && (one = readdir(all)))
        if (is_address(one->d_name) && number_in(one->d_name, "vendor") == VENDOR &&
            number_in(one->d_name, "class") >> 16 == 3)
            complete_offer(c, one->d_name, NULL);
    if (all)
        closedir(all);
}

const struct opt_kind pci_address = { .value = "ADDR", .take = take_address, .offer = offer_cards };

/* ---- the card ---- */

/* The driver that a link leads to; "": there is none. */
static void find_driver(struct pci_card *card)
{
    char path[PATH], target[PATH];
    const ssize_t n = readlink(path_of(card->address, "driver", path), target, sizeof target - 1);

    card->driver[0] = '\0';
    if (n <= 0)
        return;
    target[n] = '\0';
    const char *slash = strrchr(target, '/');
    snprintf(card->driver, sizeof card->driver, "%.*s", (int)sizeof card->driver - 1,
             slash ? slash + 1 : target);
}

static enum pc_status look_up(struct pci_card *card, struct pc_error *err)
{
    char path[PATH];

    if (access(path_of(card->address, "", path), F_OK) != 0) {
        const enum pc_status status = cli_fail(err, 2101, "PCI device not found: %s", path);
        snprintf(err->hint, sizeof err->hint, "`lspci -D -d 10de:` shows the cards");
        return status;
    }
    const uint32_t vendor = number_in(card->address, "vendor");
    if (vendor != VENDOR)
        return cli_fail(err, 2102, "its vendor is %04" PRIx32 ", not 10de", vendor);
    find_driver(card);
    if (card->driver[0] && !card->options.in_use) {
        const enum pc_status status =
            cli_fail(err, 2104, "the driver %s uses the card", card->driver);
        snprintf(err->hint, sizeof err->hint,
                 "unbind it (echo %s > %s/unbind), or --in-use at your own risk", card->address,
                 path_of(card->address, "driver", path));
        return status;
    }
    return PC_OK;
}

static enum pc_status map(struct pci_card *card, struct pc_error *err)
{
    char path[PATH];
    struct stat info;
    const int file = open(path_of(card->address, "resource0", path), O_RDWR | O_CLOEXEC);
    enum pc_status status = PC_OK;

    if (file < 0) {
        status = cli_fail(err, 2103, "%s: %s", path, strerror(errno));
        if (errno == EACCES || errno == EPERM)
            snprintf(err->hint, sizeof err->hint, "run it as root");
        return status;
    }
    if (fstat(file, &info) != 0 || info.st_size < (off_t)CARD_REGISTERS) {
        status = cli_fail(err, 2103, "%s has less than the 16 MiB of registers", path);
    } else {
        void *at = mmap(NULL, CARD_REGISTERS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at == MAP_FAILED)
            status = cli_fail(err, 2103, "%s cannot be mapped: %s", path, strerror(errno));
        else
            card->bar = card->map = at;
    }
    close(file);
    return status;
}

static enum pc_status identify(struct pci_card *card, struct pc_error *err)
{
    card->boot0 = card->bar[PMC_BOOT_ID / 4];
    if (card->boot0 == UINT32_MAX) {
        card->gone = true;
        const enum pc_status status = cli_fail(err, 2105, "its boot id reads ffffffff");
        snprintf(err->hint, sizeof err->hint,
                 "it may be asleep or have its memory switched off: echo 1 > " DEVICES "/%s/enable",
                 card->address);
        return status;
    }
    card->chip = card_chip(card->boot0);
    if (!card->chip)
        return cli_fail(err, 2106, "the boot id %08" PRIx32 " is of no chip that is known",
                        card->boot0);
    return PC_OK;
}

enum pc_status pci_check_chip(const struct pci_card *card, const struct pc_chip *chip,
                              struct pc_error *err)
{
    if (chip == card->chip)
        return PC_OK;
    return cli_fail(err, 2106, "card %s is a %s by its boot id %08" PRIx32 ", not a %s",
                    card->address, card->chip->name, card->boot0, chip->name);
}

int pci_open(const struct pci_options *o, struct pci_card *card)
{
    const char *domain = strlen(o->address) == 7 ? "0000:" : "";
    struct pc_error err = { 0 };
    char name[40];

    *card = (struct pci_card){ .options = *o };
    snprintf(card->address, sizeof card->address, "%s%s", domain, o->address);
    for (char *c = card->address; *c; c++)
        if (*c >= 'A' && *c <= 'F')
            *c = (char)(*c - 'A' + 'a');
    enum pc_status status = look_up(card, &err);
    if (!status)
        status = map(card, &err);
    if (!status)
        status = identify(card, &err);
    if (!status)
        return CLI_OK;
    pci_close(card);
    snprintf(name, sizeof name, "--card %s", card->address);
    return cli_error(&err, name, NULL);
}

void pci_close(struct pci_card *card)
{
    pci_restore(card);
    free(card->saved);
    card->saved = NULL;
    if (card->bar)
        munmap(card->map, CARD_REGISTERS);
    card->bar = NULL;
}
