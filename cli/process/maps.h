/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_MAPS_H
#define PC_CLI_MAPS_H

/*
 * From here on waveforms may be mapped (docs/adr/035).  One that is cut off meanwhile is an error
 * like any other; SIGBUS for any other reason ends the program as it always did, without what is
 * unfinished.
 */
void cli_maps_begin(void);
/* For pc_wave_desc; NULL before that, and where memory was short. */
struct pc_wave_maps *cli_maps(void);

#endif
