/* SPDX-License-Identifier: MIT */
/* The files that Linux shows of a PCI device: NVIDIA's display controller at 0000:01:00.0. */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include "card/card.h"
#include "card/preload/names.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REVISION = 0xa1 };
#define BAR0   0xf0000000u
#define DEVICE "/sys/bus/pci/devices/0000:01:00.0"

static bool write_whole(const char *folder, const char *name, const void *data, size_t size)
{
    char path[CLI_PATH];
    FILE *file;

    if (snprintf(path, sizeof path, "%s%s", folder, name) >= CLI_PATH ||
        !(file = fopen(path, "wxe")))
        return false;
    const bool whole = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && whole;
}

static bool write_file(const char *folder, const char *name, const void *data, size_t size)
{
    char path[CLI_PATH];

    return snprintf(path, sizeof path, DEVICE "/%s", name) < CLI_PATH &&
           write_whole(folder, path, data, size);
}

static bool write_text(const char *folder, const char *name, const char *text)
{
    return write_file(folder, name, text, strlen(text));
}

static bool write_hex(const char *folder, const char *name, unsigned digits, unsigned value)
{
    char text[16];

    snprintf(text, sizeof text, "0x%0*x\n", (int)digits, value);
    return write_text(folder, name, text);
}

static void put(uint8_t *config, unsigned at, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        config[at + i] = (uint8_t)(value >> 8 * i);
}

/* Type 0 header: memory decoding and bus mastering are on, one BAR of 32 bits. */
void card_config(const struct card_options *o, uint8_t config[CARD_CONFIG])
{
    memset(config, 0, CARD_CONFIG);
    put(config, 0x00, 2, o->pci.vendor);
    put(config, 0x02, 2, o->pci.device);
    put(config, 0x04, 2, 0x0006);
    put(config, 0x08, 1, REVISION);
    put(config, 0x09, 3, o->pci.class_code);
    put(config, 0x10, 4, BAR0);
    put(config, 0x2c, 2, o->pci.vendor);
    put(config, 0x2e, 2, o->pci.device);
}

static bool write_config(const struct card_options *o, const char *folder)
{
    uint8_t config[CARD_CONFIG];

    card_config(o, config);
    return write_file(folder, "config", config, sizeof config);
}

/* BAR0, five more, and the ROM: first, last, flags */
static bool write_resource(const struct card_options *o, const char *folder)
{
    char text[7 * 57 + 1];
    int at = 0;

    for (unsigned i = 0; i < 7; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "0x%016llx 0x%016llx 0x%016llx\n",
                       i ? 0ULL : BAR0 + 0ULL, i ? 0ULL : BAR0 + o->pci.bar[0].size - 1ULL,
                       i ? 0ULL : 0x40200ULL);
    return write_text(folder, "resource", text);
}

static bool make_folders(const char *folder)
{
    static const char *const names[] = { "/sys",
                                         "/sys/bus",
                                         "/sys/bus/pci",
                                         "/sys/bus/pci/slots",
                                         "/sys/bus/pci/drivers",
                                         "/sys/bus/pci/devices",
                                         DEVICE };
    char path[CLI_PATH];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (snprintf(path, sizeof path, "%s%s", folder, names[i]) >= CLI_PATH ||
            mkdir(path, 0700) != 0)
            return false;
    return true;
}

static bool size_bar0(const struct card_options *o, const char *folder)
{
    char path[CLI_PATH];

    if (!write_text(folder, "resource0", ""))
        return false;
    snprintf(path, sizeof path, "%s" DEVICE "/resource0", folder);
    return truncate(path, (off_t)o->pci.bar[0].size) == 0;
}

int card_files_make(const struct card_options *o, const struct card_setup *setup, char *folder,
                    size_t size)
{
    const char *tmp = getenv("TMPDIR");

    if (!tmp || tmp[0] != '/')
        tmp = "/tmp";
    if ((size_t)snprintf(folder, size, "%s/pcounter-card-XXXXXX", tmp) >= size || !mkdtemp(folder))
        return cli_usage("card", "no folder for the card's files in %s: %s", tmp, strerror(errno));
    if (write_whole(folder, "/" CARD_SETUP, setup->commands, strlen(setup->commands)) &&
        card_samples_write(&setup->samples, folder) && make_folders(folder) &&
        write_config(o, folder) && write_resource(o, folder) && size_bar0(o, folder) &&
        write_hex(folder, "vendor", 4, o->pci.vendor) &&
        write_hex(folder, "device", 4, o->pci.device) &&
        write_hex(folder, "subsystem_vendor", 4, o->pci.vendor) &&
        write_hex(folder, "subsystem_device", 4, o->pci.device) &&
        write_hex(folder, "class", 6, o->pci.class_code) &&
        write_hex(folder, "revision", 2, REVISION) && write_text(folder, "irq", "0\n") &&
        write_text(folder, "boot_vga", "0\n") && write_text(folder, "enable", "1\n"))
        return CLI_OK;
    const int error = errno;
    card_files_remove(folder);
    return cli_usage("card", "the card's files could not be written: %s", strerror(error));
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    return remove(path);
}

void card_files_remove(const char *folder)
{
    (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
