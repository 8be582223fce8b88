/* SPDX-License-Identifier: MIT */
/* Unicorn's functions by name, from the shared library that the build was made against. */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_unicorn.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX has pointers to functions and to data of one size; C does not convert them. */
static void find(const struct exec_unicorn *u, const char *name, void *function,
                 const char **missing)
{
    void *symbol = dlsym(u->library, name);

    if (!symbol)
        *missing = name;
    memcpy(function, &symbol, sizeof symbol);
}

enum pc_status exec_unicorn_load(struct exec_unicorn *u, struct pc_error *err)
{
    const char *missing = NULL, *why;
    char name[32];

    snprintf(name, sizeof name, "libunicorn.so.%d", UC_API_MAJOR);
    *u = (struct exec_unicorn){ .library = dlopen(name, RTLD_NOW | RTLD_LOCAL) };
    if (!u->library) {
        why = dlerror();
        return exec_fail(err, 1320, "%s", why ? why : name);
    }
    find(u, "uc_open", &u->open, &missing);
    find(u, "uc_close", &u->close, &missing);
    find(u, "uc_strerror", &u->strerror, &missing);
    find(u, "uc_reg_read", &u->reg_read, &missing);
    find(u, "uc_reg_write", &u->reg_write, &missing);
    find(u, "uc_mem_map", &u->mem_map, &missing);
    find(u, "uc_mem_unmap", &u->mem_unmap, &missing);
    find(u, "uc_mem_read", &u->mem_read, &missing);
    find(u, "uc_mem_write", &u->mem_write, &missing);
    find(u, "uc_emu_start", &u->emu_start, &missing);
    find(u, "uc_emu_stop", &u->emu_stop, &missing);
    find(u, "uc_hook_add", &u->hook_add, &missing);
    if (!missing)
        return PC_OK;
    exec_unicorn_unload(u);
    return exec_fail(err, 1320, "%s has no %s", name, missing);
}

void exec_unicorn_unload(struct exec_unicorn *u)
{
    if (u->library)
        dlclose(u->library);
    u->library = NULL;
}

#endif
