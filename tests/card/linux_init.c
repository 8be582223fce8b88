/* SPDX-License-Identifier: MIT */
/* The first process of a guest: runs the client, and ends the machine. */
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sys", "/sys", "sysfs", 0, NULL);
    mount("dev", "/dev", "devtmpfs", 0, NULL);
    const int console = open("/dev/console", O_RDWR);
    for (int i = 0; console >= 0 && i < 3; i++)
        dup2(console, i);
    if (fork() == 0) {
        execl("/client", "client", "signals", "aligned", (char *)NULL);
        _exit(127);
    }
    wait(NULL);
    sync();
    reboot(RB_AUTOBOOT);
    return 0;
}
