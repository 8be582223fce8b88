/* SPDX-License-Identifier: MIT */
#ifndef PC_SANDBOX_H
#define PC_SANDBOX_H

/*
 * From here on the kernel refuses this process what the program never does: other programs and
 * processes, sockets, other processes' memory, mounts, modules (docs/adr/034).  Before any file is
 * read; does nothing where the system knows no such thing, or the build left it out.
 */
void cli_confine(void);

#endif
