/* SPDX-License-Identifier: MIT */
/* Unicorn's functions by name, from the shared library that the build was made against. */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_unicorn.h"
#include "process/library.h"

#include <dlfcn.h>

enum pc_status exec_unicorn_load(struct exec_unicorn *u, struct pc_error *err)
{
    const char *missing = NULL, *why;
    char name[32];

    *u = (struct exec_unicorn){ .library = NULL };
    if (exec_guard_begin(err) != PC_OK)
        return PC_ENOMEM;
    snprintf(name, sizeof name, "libunicorn.so.%d", UC_API_MAJOR);
    *u = (struct exec_unicorn){ .library = dlopen(name, RTLD_NOW | RTLD_LOCAL) };
    if (!u->library) {
        why = dlerror();
        exec_guard_end();
        if (why && cli_library_no_memory(why))
            return cli_fail(err, 100, "out of memory, to load %s", name);
        return cli_fail(err, 1320, "%s", why ? why : name);
    }
    cli_library_find(u->library, "uc_open", &u->open, &missing);
    cli_library_find(u->library, "uc_close", &u->close, &missing);
    cli_library_find(u->library, "uc_strerror", &u->strerror, &missing);
    cli_library_find(u->library, "uc_reg_read", &u->reg_read, &missing);
    cli_library_find(u->library, "uc_reg_write", &u->reg_write, &missing);
    cli_library_find(u->library, "uc_mem_map", &u->mem_map, &missing);
    cli_library_find(u->library, "uc_mem_unmap", &u->mem_unmap, &missing);
    cli_library_find(u->library, "uc_mem_map_ptr", &u->mem_map_ptr, &missing);
    cli_library_find(u->library, "uc_mem_write", &u->mem_write, &missing);
    cli_library_find(u->library, "uc_emu_start", &u->emu_start, &missing);
    cli_library_find(u->library, "uc_emu_stop", &u->emu_stop, &missing);
    cli_library_find(u->library, "uc_ctl", &u->ctl, &missing);
    cli_library_find(u->library, "uc_hook_add", &u->hook_add, &missing);
    if (!missing)
        return PC_OK;
    exec_unicorn_unload(u);
    return cli_fail(err, 1320, "%s has no %s", name, missing);
}

void exec_unicorn_unload(struct exec_unicorn *u)
{
    if (u->library)
        dlclose(u->library);
    u->library = NULL;
    exec_guard_end();
}

#endif
