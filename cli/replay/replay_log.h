/* SPDX-License-Identifier: MIT */
/*
 * The log of a run or of a card as mmiotrace text: what was done to the model, in the form that
 * `pcounter replay` reads.  The dialect (pcounter-replay(1)): a timestamp counts cycles
 * of the first domain as microseconds, or is the card's time, which passes by these stamps.  PCIDEV
 * has the device of a card as its files have it, or the chip's id of a run; a read of the boot id
 * before MAP is for tools that tell the chip by it and was not made, and each command that is no
 * access stands in a MARK after "pcounter: ".
 */
#ifndef PC_CLI_REPLAY_LOG_H
#define PC_CLI_REPLAY_LOG_H

#include "cli.h"
#include "pcounter/unstable/script.h"
#include "opt/opt.h"

#define REPLAY_LOG_BASE      UINT64_C(0xf0000000) /* where such a log has BAR0 */
#define REPLAY_LOG_BAR1      UINT64_C(0xe0000000) /* and BAR1, which nothing accesses */
#define REPLAY_LOG_BAR1_SIZE 0x8000000u
#define REPLAY_LOG_MARK      "pcounter: "

struct replay_log {
    struct cli_out out;
    const struct pc_unit *unit; /* whose cycles are the time; NULL: of a card: */
    uint64_t ns;                /* the time of what follows */
};

extern const struct opt_kind replay_log_file; /* of --log: mmiotrace=FILE, a const char * */

int replay_log_open(struct replay_log *log, const char *path);
void replay_log_begin(struct replay_log *log, const struct pc_chip *chip, const struct pc_gpu *gpu);
void replay_log_begin_card(struct replay_log *log, const struct pc_chip *chip);
void replay_log_transaction(struct replay_log *log, bool write, unsigned size, uint32_t address,
                            uint64_t value);
void replay_log_access(struct replay_log *log, const struct pc_script_access *access);
void replay_log_command(struct replay_log *log, const char *text, size_t size);
/* Is this the first word of such a command? */
bool replay_log_is(const char *word, const char *text, size_t size);
/* The last line; while the device is still there. */
void replay_log_end(struct replay_log *log);

#endif
