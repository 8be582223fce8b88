/* SPDX-License-Identifier: MIT */
/* The environment of a command: the folder that stands for /, and what card it is, "G92 1000
 * 500000000". */
#ifndef PC_CARD_NAMES_H
#define PC_CARD_NAMES_H

#define CARD_ROOT "PCOUNTER_CARD_ROOT"
/* In that folder: what processes tell of their accesses. */
#define CARD_REPORT "report"
#define CARD_DESC   "PCOUNTER_CARD"

#endif
