/* SPDX-License-Identifier: MIT */
/*
 * A PCI device of QEMU with the models: -device nvcard,chip=G92.  For QEMU's sources, 7.2: copy it
 * and the two files of the models to hw/misc, and add to hw/misc/meson.build
 *
 *   softmmu_ss.add(when: 'CONFIG_PCI', if_true: files('qemu_nvcard.c', 'pcounter-model.c'))
 *
 * The card's time is the guest's, all its clocks have 500 MHz, and record mode writes to the
 * guest's memory.  No interrupt: PCOUNTER has none.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "qapi/error.h"
#include "hw/pci/pci.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"

#include "pcounter-model.h"

#define TYPE_NVCARD "nvcard"
OBJECT_DECLARE_SIMPLE_TYPE(NvCard, NVCARD)

struct NvCard {
    PCIDevice pci;
    MemoryRegion bar0;
    char *chip;
    struct pc_gpu *gpu;
    int64_t ns; /* of the guest's time, that have passed for the card */
};

/* Advances the card by the time since the last access. */
static void nvcard_follow_the_clock(NvCard *s)
{
    const int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (now > s->ns) {
        (void)!pc_gpu_elapse(s->gpu, now - s->ns, NULL); /* time ends in centuries */
    }
    s->ns = now;
}

static uint64_t nvcard_read(void *opaque, hwaddr addr, unsigned size)
{
    NvCard *s = opaque;

    nvcard_follow_the_clock(s);
    return pc_gpu_read(s->gpu, addr, size);
}

static void nvcard_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    NvCard *s = opaque;

    nvcard_follow_the_clock(s);
    pc_gpu_write(s->gpu, addr, size, value);
}

/* Accepts all sizes and addresses: an access that QEMU splits counts as several accesses. */
static const MemoryRegionOps nvcard_ops = {
    .read = nvcard_read,
    .write = nvcard_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

/* Writes a packet of record mode. */
static enum pc_mem_result nvcard_packet(void *ctx, unsigned domain, uint64_t address,
                                        const uint8_t *data, size_t size)
{
    NvCard *s = ctx;

    return pci_dma_write(&s->pci, address, data, size) == MEMTX_OK ? PC_MEM_OK : PC_MEM_FAULT;
}

static void nvcard_realize(PCIDevice *dev, Error **errp)
{
    NvCard *s = NVCARD(dev);
    const struct pc_gpu_desc desc = {
        .chip = pc_chip_find(s->chip ? s->chip : "G92"),
        .ptimer = true,
        .mem_write = nvcard_packet,
        .mem_ctx = s,
    };
    struct pc_chip_pci id;
    struct pc_error err;

    if (!desc.chip || !pc_chip_get_pci(desc.chip, &id)) {
        error_setg(errp, "no PCI card has the chip %s", s->chip);
        return;
    }
    if (pc_gpu_create(&desc, &s->gpu, &err) != PC_OK ||
        pc_gpu_clock_hz(s->gpu, PC_DOM_EVERY, 500000000, &err) != PC_OK) {
        error_setg(errp, "%s", err.text);
        return;
    }
    pc_gpu_latency(s->gpu, 0, 0); /* accesses take no time of the card's; the clock does */
    s->ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    pci_config_set_vendor_id(dev->config, id.vendor);
    pci_config_set_device_id(dev->config, id.device);
    pci_config_set_class(dev->config, id.class_code >> 8);
    pci_config_set_revision(dev->config, 0xa1);
    pci_set_word(dev->config + PCI_SUBSYSTEM_VENDOR_ID, id.vendor);
    pci_set_word(dev->config + PCI_SUBSYSTEM_ID, id.device);
    memory_region_init_io(&s->bar0, OBJECT(s), &nvcard_ops, s, "nvcard", id.bar[0].size);
    pci_register_bar(dev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->bar0);
}

static void nvcard_exit(PCIDevice *dev)
{
    pc_gpu_destroy(NVCARD(dev)->gpu);
}

static void nvcard_reset(DeviceState *dev)
{
    pc_gpu_reset(NVCARD(dev)->gpu);
}

static Property nvcard_properties[] = {
    DEFINE_PROP_STRING("chip", NvCard, chip),
    DEFINE_PROP_END_OF_LIST(),
};

static const VMStateDescription nvcard_vmstate = { .name = TYPE_NVCARD, .unmigratable = 1 };

static void nvcard_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

    k->realize = nvcard_realize;
    k->exit = nvcard_exit;
    dc->reset = nvcard_reset; /* from QEMU 9.2 on: device_class_set_legacy_reset() */
    dc->vmsd = &nvcard_vmstate;
    dc->desc = "NVIDIA card with performance counters alone";
    device_class_set_props(dc, nvcard_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo nvcard_info = {
    .name = TYPE_NVCARD,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(NvCard),
    .class_init = nvcard_class_init,
    .interfaces = (InterfaceInfo[]){ { INTERFACE_CONVENTIONAL_PCI_DEVICE }, {} },
};

static void nvcard_register_types(void)
{
    type_register_static(&nvcard_info);
}

type_init(nvcard_register_types)
