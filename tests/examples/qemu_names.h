/* SPDX-License-Identifier: MIT */
/* Names of QEMU's and xemu's that the files of examples/emulator use, so that a compiler can look
 * at them without either; nothing of it does anything. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t hwaddr;
typedef struct Error Error;
typedef struct Object Object;
typedef struct ObjectClass ObjectClass;
typedef struct MemoryRegion {
    int nothing;
} MemoryRegion;
typedef struct MemoryRegionOps {
    uint64_t (*read)(void *opaque, hwaddr addr, unsigned size);
    void (*write)(void *opaque, hwaddr addr, uint64_t data, unsigned size);
    int endianness;
    struct {
        unsigned min_access_size, max_access_size;
        bool unaligned;
    } valid, impl;
} MemoryRegionOps;
enum { DEVICE_LITTLE_ENDIAN = 2, QEMU_CLOCK_VIRTUAL = 1, MEMTX_OK = 0 };
enum { PCI_SUBSYSTEM_VENDOR_ID = 0x2c, PCI_SUBSYSTEM_ID = 0x2e, PCI_BASE_ADDRESS_SPACE_MEMORY = 0 };
enum { DEVICE_CATEGORY_MISC = 9 };
typedef struct PCIDevice {
    uint8_t *config;
} PCIDevice;
typedef struct DeviceState DeviceState;
typedef struct Property {
    const char *name;
    size_t offset;
} Property;
typedef struct VMStateField {
    const char *name; /* NULL: the end */
    size_t offset, size, size_offset;
    bool is_buffer; /* allocated when it is loaded; its size is a uint32_t */
} VMStateField;
typedef struct VMStateDescription {
    const char *name;
    int unmigratable, version_id, minimum_version_id;
    int (*pre_save)(void *opaque);
    int (*post_save)(void *opaque);
    int (*post_load)(void *opaque, int version_id);
    const VMStateField *fields;
} VMStateDescription;
#define VMSTATE_PLAIN(field, type, bytes)                                                          \
    {                                                                                              \
#field, offsetof(type, field), bytes, 0, false                                             \
    }
#define VMSTATE_INT64(field, type)  VMSTATE_PLAIN(field, type, 8)
#define VMSTATE_UINT32(field, type) VMSTATE_PLAIN(field, type, 4)
#define VMSTATE_VBUFFER_ALLOC_UINT32(field, type, version, test, size)                             \
    {                                                                                              \
#field, offsetof(type, field), 0, offsetof(type, size), true                               \
    }
#define VMSTATE_END_OF_LIST()                                                                      \
    {                                                                                              \
        NULL, 0, 0, 0, false                                                                       \
    }
void *g_malloc(size_t size);
void g_free(void *memory);
typedef struct DeviceClass {
    void (*reset)(DeviceState *dev);
    const VMStateDescription *vmsd;
    const char *desc;
    unsigned long categories[1];
} DeviceClass;
typedef struct PCIDeviceClass {
    void (*realize)(PCIDevice *dev, Error **errp);
    void (*exit)(PCIDevice *dev);
} PCIDeviceClass;
typedef struct InterfaceInfo {
    const char *type;
} InterfaceInfo;
typedef struct TypeInfo {
    const char *name, *parent;
    size_t instance_size;
    void (*class_init)(ObjectClass *klass, void *data);
    InterfaceInfo *interfaces;
} TypeInfo;

#define TYPE_PCI_DEVICE                   "pci-device"
#define INTERFACE_CONVENTIONAL_PCI_DEVICE "conventional-pci-device"
#define OBJECT_DECLARE_SIMPLE_TYPE(type, name)                                                     \
    typedef struct type type;                                                                      \
    static inline type *name(const void *object)                                                   \
    {                                                                                              \
        return (type *)(uintptr_t)object;                                                          \
    }
#define DEFINE_PROP_STRING(text, type, field)                                                      \
    {                                                                                              \
        text, offsetof(type, field)                                                                \
    }
#define DEFINE_PROP_END_OF_LIST()                                                                  \
    {                                                                                              \
        NULL, 0                                                                                    \
    }
#define type_init(function)                                                                        \
    void call_##function(void);                                                                    \
    void call_##function(void)                                                                     \
    {                                                                                              \
        function();                                                                                \
    }
#define error_setg(errp, ...) set_error(errp, __VA_ARGS__)

extern Error *error_fatal;
Object *OBJECT(void *object);
DeviceClass *DEVICE_CLASS(ObjectClass *klass);
PCIDeviceClass *PCI_DEVICE_CLASS(ObjectClass *klass);
int64_t qemu_clock_get_ns(int type);
void set_error(Error **errp, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void error_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int pci_dma_write(PCIDevice *dev, uint64_t addr, const void *data, uint64_t size);
void pci_config_set_vendor_id(uint8_t *config, uint16_t value);
void pci_config_set_device_id(uint8_t *config, uint16_t value);
void pci_config_set_class(uint8_t *config, uint16_t value);
void pci_config_set_revision(uint8_t *config, uint8_t value);
void pci_set_word(uint8_t *config, uint16_t value);
void memory_region_init_io(MemoryRegion *mr, Object *owner, const MemoryRegionOps *ops,
                           void *opaque, const char *name, uint64_t size);
void pci_register_bar(PCIDevice *dev, int number, uint8_t type, MemoryRegion *memory);
void device_class_set_props(DeviceClass *dc, Property *props);
void set_bit(long number, unsigned long *bits);
void type_register_static(const TypeInfo *info);

/* xemu */
typedef struct NV2AState {
    struct pc_gpu *counters;
    int64_t counters_ns;
    uint8_t *counters_saved;
    uint32_t counters_saved_size;
    struct {
        uint64_t core_clock_freq;
    } pramdac;
} NV2AState;
enum { NV_PCOUNTER = 6 };
void nv2a_reg_log_read(int block, hwaddr addr, unsigned size, uint64_t value);
void nv2a_reg_log_write(int block, hwaddr addr, unsigned size, uint64_t value);
uint64_t pcounter_read(void *opaque, hwaddr addr, unsigned size);
void pcounter_write(void *opaque, hwaddr addr, uint64_t val, unsigned size);
void pcounter_pgraph_write(NV2AState *d, hwaddr addr, uint64_t val);
void pcounter_reset(NV2AState *d);
void pcounter_init(NV2AState *d);
void pcounter_exit(NV2AState *d);
extern const VMStateDescription vmstate_nv2a_pcounter;
