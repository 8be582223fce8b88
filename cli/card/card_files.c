/* SPDX-License-Identifier: MIT */
/*
 * The files that Linux shows of a PCI device: NVIDIA's display controller at 0000:01:00.0, on a bus
 * of its own, in file systems that are mounted where Linux has them.
 */
#define _GNU_SOURCE /* open_tree, move_mount */
#include "card/serve.h"
#ifdef PC_HAVE_CARD

#include "card/preload/link.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUS     "/sys/bus/pci"
#define DEVICES "/sys/devices"
#define PROC    "/proc/bus/pci"
#define SLOT    "0000:01:00.0"

/* ---- files ---- */

static bool write_whole(const char *path, mode_t mode, const void *data, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

    if (file < 0)
        return false;
    const bool whole = write(file, data, size) == (ssize_t)size;
    return close(file) == 0 && whole;
}

static bool write_file(const char *name, mode_t mode, const void *data, size_t size)
{
    char path[sizeof CARD_FOLDER + 64];

    snprintf(path, sizeof path, CARD_FOLDER "/%s", name);
    return write_whole(path, mode, data, size);
}

static bool write_text(const char *name, mode_t mode, const char *text)
{
    return write_file(name, mode, text, strlen(text));
}

static bool write_hex(const char *name, unsigned digits, unsigned value)
{
    char text[16];

    snprintf(text, sizeof text, "0x%0*x\n", (int)digits, value);
    return write_text(name, 0444, text);
}

/* Prints first, last and flags of a region; none if it has no bytes. */
static int print_region(char *out, size_t size, uint64_t first, uint64_t bytes, unsigned flags)
{
    return snprintf(out, size, "0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016x\n", bytes ? first : 0,
                    bytes ? first + bytes - 1 : 0, bytes ? flags : 0);
}

/* Writes BAR0, five more, and the ROM. */
static bool write_resource(const struct card_options *o)
{
    enum { MEMORY = 0x40200, ROM = 0x46200 };
    char text[7 * 57 + 1];
    size_t at = 0;

    for (unsigned i = 0; i < 7; i++)
        at += (size_t)print_region(text + at, sizeof text - at,
                                   i == 0 ? CARD_BAR0_PLACE : CARD_ROM_PLACE,
                                   i == 0   ? o->pci.bar[0].size
                                   : i == 6 ? card_rom_room(o)
                                            : 0,
                                   i == 0 ? MEMORY : ROM);
    return write_text("resource", 0444, text);
}

static void print_modalias(const struct card_options *o, char *out, size_t size)
{
    const struct pc_chip_pci *p = &o->pci;

    snprintf(out, size, "pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X", p->vendor, p->device,
             p->vendor, p->device, p->class_code >> 16, p->class_code >> 8 & 0xff,
             p->class_code & 0xff);
}

static bool write_names(const struct card_options *o)
{
    char modalias[80], text[300];

    print_modalias(o, modalias, sizeof modalias);
    snprintf(text, sizeof text,
             "PCI_CLASS=%X\nPCI_ID=%04X:%04X\nPCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=" SLOT
             "\nMODALIAS=%s\n",
             o->pci.class_code, o->pci.vendor, o->pci.device, o->pci.vendor, o->pci.device,
             modalias);
    if (!write_text("uevent", 0644, text))
        return false;
    snprintf(text, sizeof text, "%s\n", modalias);
    return write_text("modalias", 0444, text);
}

static bool write_device(const struct card_options *o, const struct card_config *config)
{
    return write_file("config", 0644, config->byte, sizeof config->byte) && write_resource(o) &&
           write_hex("vendor", 4, o->pci.vendor) && write_hex("device", 4, o->pci.device) &&
           write_hex("subsystem_vendor", 4, o->pci.vendor) &&
           write_hex("subsystem_device", 4, o->pci.device) &&
           write_hex("class", 6, o->pci.class_code) && write_hex("revision", 2, CARD_REVISION) &&
           write_text("irq", 0444, "0\n") && write_text("boot_vga", 0444, "0\n") &&
           write_text("enable", 0644, "1\n") && write_text("numa_node", 0644, "-1\n") &&
           write_names(o) && symlink("../../../bus/pci", CARD_FOLDER "/subsystem") == 0 &&
           (o->rom.size == 0 || write_file("rom", 0600, o->rom.data, o->rom.size));
}

/* ---- file systems ---- */

static bool mount_empty(const char *at, const char *options)
{
    return mount("pcounter", at, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) == 0;
}

/* Folders of a folder that stay when it is mounted over. */
enum { MOST_KEPT = 128 };
struct kept {
    char path[300];
    int tree;
};

static size_t keep_folders(const char *at, bool (*stays)(const char *name),
                           struct kept kept[MOST_KEPT])
{
    DIR *all = opendir(at);
    const struct dirent *one;
    size_t count = 0;

    while (all && count < MOST_KEPT && (one = readdir(all))) {
        if (one->d_name[0] == '.' || one->d_type != DT_DIR || !stays(one->d_name))
            continue;
        struct kept *k = &kept[count];
        snprintf(k->path, sizeof k->path, "%s/%s", at, one->d_name);
        k->tree = open_tree(AT_FDCWD, k->path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
        count += k->tree >= 0;
    }
    if (all)
        closedir(all);
    return count;
}

/* Mounts over a folder, of whose folders some stay. */
static bool replace(const char *at, const char *options, bool (*stays)(const char *name))
{
    struct kept kept[MOST_KEPT];
    const size_t count = keep_folders(at, stays, kept);
    bool fine = mount_empty(at, options);

    for (size_t i = 0; i < count; i++) {
        fine = fine && mkdir(kept[i].path, 0755) == 0 &&
               move_mount(kept[i].tree, "", AT_FDCWD, kept[i].path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
        close(kept[i].tree);
    }
    return fine;
}

/* Folders of /sys/devices that are not hardware, for programs that count processors */
static bool is_no_hardware(const char *name)
{
    return strcmp(name, "system") == 0 || strcmp(name, "virtual") == 0;
}

static bool is_any(const char *name)
{
    (void)name;
    return true;
}

/* A machine without a PCI bus gets one among its others. */
static bool mount_bus(void)
{
    if (access(BUS, F_OK) != 0 &&
        !(replace("/sys/bus", "mode=755,size=64k", is_any) && mkdir(BUS, 0755) == 0))
        return false;
    return mount_empty(BUS, "mode=755,size=64k") && mkdir(BUS "/devices", 0755) == 0 &&
           mkdir(BUS "/drivers", 0755) == 0 && mkdir(BUS "/slots", 0755) == 0 &&
           symlink("../../../devices/pci0000:01/" SLOT, BUS "/devices/" SLOT) == 0;
}

/*
 * BAR0 is a file without a single byte, on a file system that is full: what maps it without being
 * loaded into ends by SIGBUS, and never reads 0.
 */
static bool make_bar0(const struct card_options *o)
{
#define FULL DEVICES "/full"
    const char *bar0 = CARD_FOLDER "/resource0";
    const char page[4096] = { 0 };
    const bool fine = mkdir(FULL, 0700) == 0 && mount_empty(FULL, "mode=755,nr_blocks=1") &&
                      write_whole(FULL "/page", 0600, page, sizeof page) &&
                      write_whole(FULL "/resource0", 0600, "", 0) &&
                      truncate(FULL "/resource0", (off_t)o->pci.bar[0].size) == 0 &&
                      write_whole(bar0, 0600, "", 0) &&
                      mount(FULL "/resource0", bar0, NULL, MS_BIND, NULL) == 0;
    const int error = errno;

    umount2(FULL, MNT_DETACH);
    rmdir(FULL);
    errno = error;
    return fine;
#undef FULL
}

/* Writes the files of /proc for tools that do not use /sys; a system without them has none. */
static bool make_proc(const struct card_options *o)
{
    char text[400];
    int at;

    if (access(PROC, F_OK) != 0)
        return true;
    if (!mount_empty(PROC, "mode=755,size=64k") || mkdir(PROC "/01", 0755) != 0 ||
        !write_whole(PROC "/01/00.0", 0644, "", 0) ||
        mount(CARD_FOLDER "/config", PROC "/01/00.0", NULL, MS_BIND, NULL) != 0)
        return false;
    at = snprintf(text, sizeof text, "0100\t%04x%04x\t0\t%16x", o->pci.vendor, o->pci.device,
                  CARD_BAR0_PLACE);
    for (unsigned i = 1; i < 7; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "\t%16x",
                       i == 6 && o->rom.size > 0 ? CARD_ROM_PLACE : 0);
    at +=
        snprintf(text + at, sizeof text - (size_t)at, "\t%16" PRIx64, (uint64_t)o->pci.bar[0].size);
    for (unsigned i = 1; i < 7; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "\t%16" PRIx64,
                       i == 6 ? card_rom_room(o) : 0);
    snprintf(text + at, sizeof text - (size_t)at, "\t\n");
    return write_whole(PROC "/devices", 0444, text, strlen(text));
}

int card_files_make(const struct card_options *o, const struct card_config *config)
{
    const int code = card_space_enter();

    if (code)
        return code;
    const mode_t mask = umask(0);
    const bool fine = replace(DEVICES, "mode=755,size=4m", is_no_hardware) && mount_bus() &&
                      mkdir(DEVICES "/pci0000:01", 0755) == 0 && mkdir(CARD_FOLDER, 0755) == 0 &&
                      write_device(o, config) && make_bar0(o) && make_proc(o);
    const int error = errno;
    umask(mask);
    return fine ? CLI_OK
                : cli_usage("card",
                            "the card's files cannot be mounted over " BUS " and " DEVICES
                            ": %s; a guest of QEMU needs no such files: --qemu",
                            strerror(error));
}

#endif
