/* SPDX-License-Identifier: MIT */
/* Unstable. Script (see pcounter.h) */
#ifndef PCOUNTER_SCRIPT_H
#define PCOUNTER_SCRIPT_H

#include "pcounter/chips.h"
#include "pcounter/gpu.h"
#include "pcounter/hpm.h"
#include "pcounter/names.h"
#include "pcounter/wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The language is that of the man page pcounter-script(7). */

/* One `w` or `r`, after it was made. */
struct pc_script_access {
    uint32_t line;
    bool write;
    uint32_t address;
    uint32_t value; /* written or read; of a repeat the last one */
    uint64_t count; /* how often: more than 1 for a repeat */
    /* of a read that expects something, in these bits; of a repeat how many reads differed */
    bool expects, repeated;
    uint32_t expected, mask;
    uint64_t failed;
    unsigned size; /* bytes: 4, or those of `w8` and `w16` */
    bool io;       /* the address is one of I[], PDAEMON's own (idle.h) */
};

typedef enum pc_status pc_script_prepare_fn(void *ctx, struct pc_gpu *gpu, struct pc_error *err);
typedef void pc_script_access_fn(void *ctx, const struct pc_script_access *access);
typedef void pc_script_inspect_fn(void *ctx, struct pc_gpu *gpu);
/* From its first word to the end of its line; not NUL-terminated. */
typedef void pc_script_command_fn(void *ctx, const char *text, size_t size);

/* Opens the names of the chip's signals, with tables of the caller's own; the script closes them.
 * PC_OK or an error. */
typedef enum pc_status pc_script_names_fn(void *ctx, const struct pc_chip *chip,
                                          struct pc_names **out, struct pc_error *err);

/*
 * Before a file that the script names is opened: the path as it will be opened, with its folder, or
 * "-".  Another status than PC_OK, with *err, ends the script.
 */
typedef enum pc_status pc_script_file_fn(void *ctx, const char *path, struct pc_error *err);

/* At the end, whatever its status: an oddity that was tolerated in the waveform
 * (pc_wave_warning()). */
typedef void pc_script_warning_fn(void *ctx, const char *path, const char *text);

/*
 * Before each command, and every 65,536 accesses of a repeat: how far the script is.  Another
 * status than PC_OK, with *err, ends the script.
 */
struct pc_script_place {
    uint32_t line;
    bool waits; /* a `run` or `wave` comes next; it is not asked again until that is over, however
                   long */
    uint64_t done, count; /* accesses of a repeat; count 0: no repeat */
};
typedef enum pc_status pc_script_place_fn(void *ctx, const struct pc_script_place *place,
                                          struct pc_error *err);

/*
 * Registers that a script accesses in place of the model's: a real card's.  What any of them
 * returns besides PC_OK, with *err, ends the script at that line.  Then only `w`, `w8`, `w16`, `r`,
 * `repeat`, `run` and `keep` are commands: for others, which only a model can do, pc_script_run()
 * returns PC_EUNSUP before the first access.
 */
struct pc_script_port {
    void *ctx;
    /* First, with the chip of the script. */
    enum pc_status (*begin)(void *ctx, const struct pc_chip *chip, struct pc_error *err);
    /*
     * Then each `w` and `r` of the whole script in its order, a repeat once; value is that of a
     * `w`.  No access has been made yet.  May be NULL.
     */
    enum pc_status (*announce)(void *ctx, const struct pc_script_access *access,
                               struct pc_error *err);
    enum pc_status (*read)(void *ctx, uint32_t address, uint32_t *value, struct pc_error *err);
    enum pc_status (*write)(void *ctx, uint32_t address, unsigned size, uint32_t value,
                            struct pc_error *err);
    /* `run`: lets at least that many cycles of the domain pass. */
    enum pc_status (*wait)(void *ctx, unsigned domain, uint64_t cycles, struct pc_error *err);
    void (*keep)(void *ctx); /* `keep`: what the script writes stays; may be NULL */
};

struct pc_script_desc {
    const char *text; /* the whole script */
    size_t size;
    const struct pc_alloc *alloc;
    struct pc_writer out; /* payload: one line a read */
    const char
        *directory; /* where relative names of waveforms are looked up; NULL: the current folder */
    struct pc_wave_limits wave_limits; /* as of struct pc_wave_desc */
    uint64_t wave_unit_factor;
    int wave_unit_exponent;
    bool wave_tolerate_time_backwards;
    bool wave_strict;    /* strict and refuse_oddities */
    size_t memory_limit; /* as of struct pc_gpu_desc */
    /* Callbacks with the ctx of pc_script_run(); each may be NULL. */
    pc_script_prepare_fn *prepare; /* after `chip`, before everything else: to set options */
    pc_script_access_fn *access;
    pc_script_inspect_fn *inspect; /* at the end of the script, if it was reached */
    pc_script_names_fn *names;     /* at the first signal that goes by name; NULL: the chip's own */
    pc_script_file_fn *file;       /* before its waveform is opened */
    pc_script_warning_fn *warning; /* of its waveform */
    /* For logs: each access by itself, a write before and a read after it was made ... */
    pc_script_access_fn *single;
    pc_script_command_fn *command; /* ... and every other command but `chip`, before it runs */
    pc_script_place_fn *place;     /* for progress, and to end a script */
    /* NULL: the model.  With it there is no device: neither `prepare` nor `inspect` is called. */
    const struct pc_script_port *port;
};
struct pc_script_result {
    uint64_t reads, writes;        /* accesses made; a `w` with a mask is one of each */
    uint64_t expectations, failed; /* reads with an expected value, and those that differed */
    struct pc_error first_failure; /* if failed > 0 */
};
/* Called for each expectation that failed, in order; may be NULL. */
typedef void pc_script_mismatch_fn(void *ctx, const struct pc_error *what);
/*
 * Runs a whole script.  A failed expectation is no error: *out counts them.  PC_EINPUT, PC_ENOENT
 * and PC_EARG for what a line asks, with its line and column; the errors of opening and reading its
 * waveform; and what a callback returned to end it, also PC_END, without an error.
 */
PC_API PC_MUST_CHECK enum pc_status pc_script_run(const struct pc_script_desc *desc,
                                                  pc_script_mismatch_fn *mismatch, void *ctx,
                                                  struct pc_script_result *out,
                                                  struct pc_error *err);

/*
 * Samples of raw signals of a domain, at the edges of the clock that `bind` gave it, in order:
 * signal[i] at cycle t is bit t % 64 of value[i][t / 64], and x and z are 0.  Another status than
 * PC_OK, with *err, ends the reading.
 */
struct pc_script_samples {
    unsigned domain;
    const uint8_t *signal;
    size_t signals;
    uint32_t cycles;
    const uint64_t *const *value;
};
typedef enum pc_status pc_script_samples_fn(void *ctx, const struct pc_script_samples *samples,
                                            struct pc_error *err);

/*
 * Stimulus for a device of your own: the commands of the language that are neither accesses nor
 * about waveforms.  Without `chip`; lines of errors are those of the text.
 */
struct pc_script_stimulus {
    const struct pc_chip *chip; /* of the device */
    const char *text;
    size_t size;
    const struct pc_alloc *alloc;
    pc_script_command_fn *command; /* before each command; may be NULL */
    pc_script_names_fn *names;     /* as above */
    void *ctx;
    /* With it `wave` and `bind` are also commands: the whole waveform is handed over after the last
     * one, and time is as without it. */
    pc_script_samples_fn *samples;
    const char *directory;   /* as above */
    pc_script_file_fn *file; /* as above: before its waveform is opened */
};
/* Runs them on the device, which it neither resets nor keeps; errors as of pc_script_run(). */
PC_API PC_MUST_CHECK enum pc_status pc_script_run_stimulus(const struct pc_script_stimulus *desc,
                                                           struct pc_gpu *gpu,
                                                           struct pc_error *err);

/* ---- counters of a core ---- */

/* Returns true if the script begins with `core`, and not with `chip`. Then it is one of CSR
 * instructions. */
PC_API bool pc_csr_script_is(const char *text, size_t size);

/* A CSR instruction, after its clock. */
struct pc_csr_access {
    uint32_t line;
    enum pc_hpm_csr_op op;
    const char *name; /* of the CSR, as in the script */
    uint64_t value;   /* that it read; 0 of a trap */
    enum pc_hpm_cause cause;
    const char *reason;             /* why it traps; else why the counter counts, or does not */
    const struct pc_hpm_rule *rule; /* that says so */
    bool expects, failed;
};
/* Another status than PC_OK, with *err, ends the script. */
typedef enum pc_status pc_csr_access_fn(void *ctx, const struct pc_csr_access *access,
                                        struct pc_error *err);
struct pc_csr_script_desc {
    const char *text; /* the whole script */
    size_t size;
    const struct pc_alloc *alloc;
    /* after `core`; may be NULL */
    void (*begin)(void *ctx, const struct pc_hpm_config *config,
                  const struct pc_hpm_profile *profile);
    pc_csr_access_fn *access;
};
/* Runs it; reads, writes, expectations and failed ones are counted in *out, which has no text of
 * a failure.  Errors as of pc_script_run(). */
PC_API PC_MUST_CHECK enum pc_status pc_csr_script_run(const struct pc_csr_script_desc *desc,
                                                      void *ctx, struct pc_script_result *out,
                                                      struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif
