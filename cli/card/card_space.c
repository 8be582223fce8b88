/* SPDX-License-Identifier: MIT */
/*
 * A mount namespace of this process and of the command: what is mounted in it is seen by no other
 * process, and is gone with the last process in it.  Root may have one; others have one in a user
 * namespace of their own, in which they are who they were.
 */
#define _GNU_SOURCE /* unshare */
#include "card/serve.h"

#ifdef PC_HAVE_CARD

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int refuse(const char *what)
{
    return cli_usage("card",
                     "the command cannot get its own mount namespace: %s: %s; root can, and "
                     "users where user namespaces are allowed (sysctl "
                     "kernel.unprivileged_userns_clone, or the settings of the container); a "
                     "guest of QEMU needs none: --qemu",
                     what, strerror(errno));
}

static bool write_file(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const size_t size = strlen(text);
    const bool whole = file >= 0 && write(file, text, size) == (ssize_t)size;

    if (file >= 0)
        close(file);
    return whole;
}

/* The user and the group of this process are the same in its user namespace. */
static bool map_ids(uid_t user, gid_t group)
{
    char text[2][48];

    snprintf(text[0], sizeof text[0], "%u %u 1", (unsigned)user, (unsigned)user);
    snprintf(text[1], sizeof text[1], "%u %u 1", (unsigned)group, (unsigned)group);
    return write_file("/proc/self/uid_map", text[0]) &&
           write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/gid_map", text[1]);
}

int card_space_enter(void)
{
    const uid_t user = geteuid();
    const gid_t group = getegid();

    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
            return refuse("no namespace");
        if (!map_ids(user, group))
            return refuse("no user of its own");
    }
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return refuse("/ is not a mount of its own");
    return CLI_OK;
}

#endif
