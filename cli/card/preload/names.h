/* SPDX-License-Identifier: MIT */
/*
 * What `pcounter card` and what it loads into a command share.  The environment of the command: the
 * folder that stands for /, and what card it is, "G92 1000 1": chip, ns of an access or 0, and
 * whether accesses are logged.
 */
#ifndef PC_CARD_NAMES_H
#define PC_CARD_NAMES_H

#include <stdatomic.h>
#include <stdint.h>

#define CARD_BAR0 0x1000000 /* bytes */
#define CARD_ROOT "PCOUNTER_CARD_ROOT"
#define CARD_DESC "PCOUNTER_CARD"

/* Files of that folder: what processes tell of their accesses, what is set before the first ... */
#define CARD_REPORT  "report"
#define CARD_SETUP   "setup"
#define CARD_SAMPLES "samples" /* samples.0, ...: cli/card/feed.h */
/* ... and the accesses of each process that has made one, as rows: log.1, log.2, ... */
#define CARD_LOG "log"

/*
 * An access as of cli/card/device.h.  The size is set last: rows end at one of 0.  They come in
 * pieces of CARD_ROWS, of whole pages; the last of each says whether others follow that could not
 * be written.
 */
struct card_row {
    uint64_t ns, value; /* of CARD_ROW_LOST: an errno */
    uint32_t address;
    uint8_t write;
    _Atomic uint8_t size;
    uint16_t nothing;
};
enum { CARD_ROWS = 65536, CARD_ROW_LOST = 255 /* in place of a size */ };

#endif
