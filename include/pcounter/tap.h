/* SPDX-License-Identifier: MIT */
/*
 * Tap: a running simulation as a waveform (see pcounter.h).  pc_wave_open() reads what a module
 * in the simulator sends: pcounter.vpi, or what `pcounter emit tap` makes.  The stream between them
 * is private, and both ends must be of one version; here is what a program needs that starts a
 * simulator by itself.
 */
#ifndef PCOUNTER_TAP_H
#define PCOUNTER_TAP_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The environment variable with the path of a UNIX socket.  Whoever listens there sends a byte and
 * with it the descriptor (SCM_RIGHTS) of a connected stream socket, whose other end pc_wave_open()
 * reads; or a text that says why it does not.
 */
#define PC_TAP_PATH "PCOUNTER_TAP"

#define PC_TAP_VERSION 1
#define PC_TAP_HEAD    8           /* bytes before all else: */
#define PC_TAP_MAGIC   "PCTAP\1\0" /* the version is the sixth, and the NUL is the last one */

enum { PC_TAP_SIGNED = 1, PC_TAP_RANGE = 2, PC_TAP_ALIAS = 4 }; /* flags of a variable */
#define PC_TAP_NO_PRECISION 255
enum { PC_TAP_NOT_STARTED, PC_TAP_NOT_CONNECTED }; /* why there is nothing */

#ifdef __cplusplus
}
#endif

#endif
