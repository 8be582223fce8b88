/* SPDX-License-Identifier: MIT */
/*
 * Unicorn, loaded when a program is executed: linked, its tens of thousands of relocations would
 * make every start of every verb wait (docs/adr/027).  The functions are those of
 * <unicorn/unicorn.h> without "uc_".
 */
#ifndef PC_CLI_EXEC_UNICORN_H
#define PC_CLI_EXEC_UNICORN_H

#include <unicorn/unicorn.h>

struct exec_unicorn {
    void *library;
    uc_err (*open)(uc_arch arch, uc_mode mode, uc_engine **uc);
    uc_err (*close)(uc_engine *uc);
    const char *(*strerror)(uc_err code);
    uc_err (*reg_read)(uc_engine *uc, int reg, void *value);
    uc_err (*reg_write)(uc_engine *uc, int reg, const void *value);
    uc_err (*mem_map)(uc_engine *uc, uint64_t address, size_t size, uint32_t access);
    uc_err (*mem_map_ptr)(uc_engine *uc, uint64_t address, size_t size, uint32_t access,
                          void *memory);
    uc_err (*mem_unmap)(uc_engine *uc, uint64_t address, size_t size);
    uc_err (*mem_write)(uc_engine *uc, uint64_t address, const void *bytes, size_t size);
    uc_err (*emu_start)(uc_engine *uc, uint64_t begin, uint64_t until, uint64_t timeout,
                        size_t count);
    uc_err (*emu_stop)(uc_engine *uc);
    uc_err (*ctl)(uc_engine *uc, uc_control_type control, ...);
    uc_err (*hook_add)(uc_engine *uc, uc_hook *hook, int type, void *callback, void *ctx,
                       uint64_t begin, uint64_t end, ...);
};

/* A library of another major version is not taken. */
enum pc_status exec_unicorn_load(struct exec_unicorn *u, struct pc_error *err);
void exec_unicorn_unload(struct exec_unicorn *u);

#endif
