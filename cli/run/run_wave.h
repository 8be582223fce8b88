/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_RUN_WAVE_H
#define PC_CLI_RUN_WAVE_H

/*
 * Notes the waveform that the script at `path` names as a file that is read.  An exit code; whether
 * there is such a file, and whether the line is right, is for who runs the script to say.
 */
int run_note_wave(const char *path, const char *text);

#endif
