/* SPDX-License-Identifier: MIT */
/*
 * The environment: what the card needs of it is as it was when the program began for the programs
 * that this one starts, also if it clears it or gives them another one.
 */
#include "interpose.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

/* Each is a list with colons: what a program adds to it follows. */
static const char *const names[] = { "LD_PRELOAD", "ASAN_OPTIONS" };
enum { NAMES = sizeof names / sizeof names[0] };

static char *kept[NAMES]; /* "NAME=VALUE" as of the start; NULL: there was none */

static size_t name_length(const char *entry)
{
    return strcspn(entry, "=");
}

static bool same_name(const char *entry, const char *name)
{
    return strncmp(entry, name, strlen(name)) == 0 && entry[strlen(name)] == '=';
}

static const char *find(char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (same_name(*list, name))
            return *list;
    return NULL;
}

__attribute__((constructor(101))) static void begin(void)
{
    for (int i = 0; i < NAMES; i++) {
        const char *entry = find(environ, names[i]);
        if (entry)
            kept[i] = strdup(entry);
    }
}

/* ---- for the programs that it starts ---- */

static const char *value_of(const char *entry)
{
    return entry + name_length(entry) + 1;
}

static bool has(char *const *list, int i)
{
    const char *entry = find(list, names[i]);

    return entry && strstr(entry, value_of(kept[i])) != NULL;
}

static bool has_all(char *const *list)
{
    for (int i = 0; i < NAMES; i++)
        if (kept[i] && !has(list, i))
            return false;
    return true;
}

/* An environment for another program, in pages of its own */
struct room {
    char **list;
    size_t size;
};

static bool is_replaced(const char *entry)
{
    for (int i = 0; i < NAMES; i++)
        if (kept[i] && same_name(entry, names[i]))
            return true;
    return false;
}

/* Returns the value of a name for a program that is started; in `text` if it has two parts. */
static char *entry_of(char *const *list, int i, char *text, size_t size)
{
    const char *theirs = find(list, names[i]);

    if (!theirs)
        return kept[i];
    if (has(list, i))
        return (char *)(uintptr_t)theirs;
    snprintf(text, size, "%s:%s", kept[i], value_of(theirs));
    return text;
}

/* Completes the list with what is kept of these names; NULL with errno. */
static char **complete(char *const *list, struct room *out)
{
    size_t count = 0, used = 0, text = 0;

    *out = (struct room){ .list = NULL };
    if (!card_is_here() || has_all(list))
        return (char **)(uintptr_t)list;
    while (list && list[count])
        count++;
    for (int i = 0; i < NAMES; i++) {
        const char *theirs = find(list, names[i]);
        text += kept[i] && theirs ? strlen(kept[i]) + strlen(theirs) + 2 : 0;
    }
    const size_t pointers = (count + NAMES + 1) * sizeof *list;
    char *at =
        mmap(NULL, pointers + text, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    *out = (struct room){ (char **)(void *)at, pointers + text };
    char *const end = at + pointers + text;
    at += pointers;
    for (int i = 0; i < NAMES; i++)
        if (kept[i]) {
            char *entry = out->list[used++] = entry_of(list, i, at, (size_t)(end - at));
            at += entry == at ? strlen(entry) + 1 : 0;
        }
    for (size_t i = 0; i < count; i++)
        if (!is_replaced(list[i]))
            out->list[used++] = list[i];
    return out->list;
}

/* After a call that has not become another program. */
static int leave(struct room *room, int result)
{
    const int error = errno;

    if (room->list)
        munmap(room->list, room->size);
    errno = error;
    return result;
}

#define WITH(list, call)                                                                           \
    struct room room;                                                                              \
    char **env = complete(list, &room);                                                            \
    if ((list) && !env)                                                                            \
        return -1;                                                                                 \
    return leave(&room, call)

PUBLIC int execve(const char *path, char *const *args, char *const *list)
{
    REAL(execve)
    WITH(list, function(path, args, env));
}
PUBLIC int execvpe(const char *path, char *const *args, char *const *list)
{
    REAL(execvpe)
    WITH(list, function(path, args, env));
}
PUBLIC int fexecve(int file, char *const *args, char *const *list)
{
    REAL(fexecve)
    WITH(list, function(file, args, env));
}
PUBLIC int execveat(int folder, const char *path, char *const *args, char *const *list, int flags)
{
    REAL_OF("execveat", int(int, const char *, char *const *, char *const *, int))
    WITH(list, function(folder, path, args, env, flags));
}
PUBLIC int execv(const char *path, char *const *args)
{
    return execve(path, args, environ);
}
PUBLIC int execvp(const char *path, char *const *args)
{
    return execvpe(path, args, environ);
}

/* With the arguments in a list of the call */
#define EXECL(name, by, list)                                                                      \
    PUBLIC int name(const char *path, const char *first, ...)                                      \
    {                                                                                              \
        char **args;                                                                               \
        size_t count = 1;                                                                          \
        va_list rest;                                                                              \
        va_start(rest, first);                                                                     \
        while (va_arg(rest, char *))                                                               \
            count++;                                                                               \
        va_end(rest);                                                                              \
        args = mmap(NULL, (count + 1) * sizeof *args, PROT_READ | PROT_WRITE,                      \
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);                                           \
        if (args == MAP_FAILED)                                                                    \
            return -1;                                                                             \
        args[0] = (char *)(uintptr_t)first;                                                        \
        va_start(rest, first);                                                                     \
        for (size_t i = 1; i <= count; i++)                                                        \
            args[i] = va_arg(rest, char *);                                                        \
        char *const *env = list;                                                                   \
        va_end(rest);                                                                              \
        by(path, args, env);                                                                       \
        const int error = errno;                                                                   \
        munmap(args, (count + 1) * sizeof *args);                                                  \
        errno = error;                                                                             \
        return -1;                                                                                 \
    }
EXECL(execl, execve, environ)
EXECL(execlp, execvpe, environ)
EXECL(execle, execve, va_arg(rest, char *const *))

#define SPAWN(name)                                                                                \
    PUBLIC int name(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,       \
                    const posix_spawnattr_t *attr, char *const *args, char *const *list)           \
    {                                                                                              \
        REAL(name)                                                                                 \
        WITH(list, function(pid, path, actions, attr, args, env));                                 \
    }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* libc starts a shell with what is in `environ`. */
static void restore(void)
{
    for (int i = 0; i < NAMES && card_is_here(); i++)
        if (kept[i] && !has(environ, i))
            setenv(names[i], value_of(kept[i]), 1);
}

#define SHELL(name, type, parameters, ...)                                                         \
    PUBLIC type name parameters                                                                    \
    {                                                                                              \
        REAL(name)                                                                                 \
        restore();                                                                                 \
        return function(__VA_ARGS__);                                                              \
    }
SHELL(system, int, (const char *command), command)
SHELL(popen, FILE *, (const char *command, const char *mode), command, mode)
