/* SPDX-License-Identifier: MIT */
/*
 * The file that `pcounter card` and the library that it loads into programs both map.  The card is
 * in `pcounter card`, which serves it; a thread of a program takes a slot, asks there, and waits
 * for the answer.
 *
 * A process that is killed harms no other one: the owner of a slot is a robust mutex, which the
 * kernel gives free, and what was asked there is answered once before the slot is used again.
 */
#ifndef PC_CARD_LINK_H
#define PC_CARD_LINK_H

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define CARD_BAR0 0x1000000 /* bytes */

/* In the command's own mount namespace */
#define CARD_LINK   "/sys/devices/pcounter-card"
#define CARD_FOLDER "/sys/devices/pci0000:01/0000:01:00.0"

enum card_ask {
    CARD_READ,
    CARD_WRITE,
    CARD_HOLD,    /* no other client is answered ... */
    CARD_RELEASE, /* ... until this, or until the owner of the slot has died */
    CARD_SETTLE   /* a file of CARD_FOLDER was written to: it says again what is so */
};
enum card_state { CARD_IDLE, CARD_ASKED, CARD_ANSWERED, CARD_FAILED };

struct card_slot {
    _Alignas(128) pthread_mutex_t owner; /* robust */
    _Atomic uint32_t state;              /* a futex */
    _Atomic uint32_t waits;              /* in the kernel, for the answer */
    uint32_t ask, address, size;
    int processor; /* of who asks */
    uint64_t value;
};

enum { CARD_SLOTS = 31 }; /* a bit each; the last bit of `asked` ends the serving */

/* Files that are more than their bytes */
enum card_file { CARD_FILE_BAR0, CARD_FILE_CONFIG, CARD_FILE_ROM, CARD_FILES, CARD_FILE_OTHER };

struct card_link {
    pthread_mutex_t serving; /* robust: held as long as `pcounter card` lives */
    struct {
        uint64_t device, inode; /* 0: there is no such file */
    } file[CARD_FILES];
    char failure[400];                    /* of CARD_FAILED */
    _Alignas(128) _Atomic uint32_t asked; /* a futex */
    _Atomic uint32_t sleeps;              /* whoever serves, on `asked` */
    _Atomic int processor;                /* on which that runs */
    struct card_slot slot[CARD_SLOTS];
};

/* Ticks of the processor for which a wait polls before it sleeps: some 20 us */
enum { CARD_SPIN = 50000 };

/*
 * Looks until `word` is not `value`, for a moment; false: it still is.  Not on the processor of the
 * other side, which would wait for that meanwhile.
 */
static inline int card_spin(const _Atomic uint32_t *word, uint32_t value, int other_processor)
{
    const uint64_t begin = __rdtsc();

    if (other_processor == sched_getcpu())
        return 0;
    do {
        for (int i = 0; i < 16; i++) {
            if (atomic_load_explicit(word, memory_order_acquire) != value)
                return 1;
            _mm_pause();
        }
    } while (__rdtsc() - begin < CARD_SPIN);
    return 0;
}

/* Sleeps while `word` is `value`, for `ms` at most. */
static inline void card_sleep(_Atomic uint32_t *word, uint32_t value, unsigned ms)
{
    const struct timespec most = { ms / 1000, (long)(ms % 1000) * 1000000 };

    syscall(SYS_futex, word, FUTEX_WAIT, value, &most, NULL, 0);
}

static inline void card_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

#endif
