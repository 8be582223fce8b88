/* SPDX-License-Identifier: MIT */
#include "wave/input_isal.h"

#ifdef PC_LIBISAL
#include <isa-l/igzip_lib.h>

#include "wave/library.h"

struct wv_isal {
    struct inflate_state state;
    void *library;
    __typeof__(isal_inflate_init) *init;
    __typeof__(isal_inflate) *inflate;
};

bool wv_isal_open(struct wv_decoder *d, struct wv_isal **out)
{
    const char *missing = NULL;
    void *library;

    *out = NULL;
    if (wv_library_load(PC_LIBISAL, 515, &library, NULL))
        return true;
    struct wv_isal *isal = wv_decoder_alloc(d, sizeof *isal);
    if (!isal) {
        wv_library_unload(library);
        return false;
    }
    isal->library = library;
    wv_library_find(library, "isal_inflate_init", &isal->init, &missing);
    wv_library_find(library, "isal_inflate", &isal->inflate, &missing);
    if (missing)
        wv_isal_close(d, isal);
    else
        *out = isal;
    return true;
}

void wv_isal_close(struct wv_decoder *d, struct wv_isal *isal)
{
    wv_library_unload(isal->library);
    wv_decoder_free(d, isal);
}

void wv_isal_begin(struct wv_isal *isal)
{
    isal->init(&isal->state);
    isal->state.crc_flag = ISAL_GZIP; /* head and check sum are its own */
}

static const char *why(int code)
{
    switch (code) {
    case ISAL_INVALID_WRAPPER:
        return "the header of a member is wrong";
    case ISAL_UNSUPPORTED_METHOD:
        return "a member is not packed by deflate";
    case ISAL_INCORRECT_CHECKSUM:
        return "the check sum of a member is wrong";
    case ISAL_INVALID_LOOKBACK:
        return "it repeats bytes from before its beginning";
    default:
        return "it does not decode";
    }
}

enum pc_status wv_isal_step(struct wv_decoder *d, struct wv_isal *isal, uint8_t *to, size_t size,
                            size_t *got, bool *over, struct pc_error *err)
{
    struct inflate_state *z = &isal->state;
    size_t available;

    if (size > INT32_MAX)
        size = INT32_MAX;
    z->next_in = wv_decoder_raw(d, &available);
    z->avail_in = (uint32_t)available;
    z->next_out = to;
    z->avail_out = (uint32_t)size;
    const int code = isal->inflate(z);
    wv_decoder_took(d, available - z->avail_in);
    *got = size - z->avail_out;
    *over = z->block_state == ISAL_BLOCK_FINISH;
    return code >= 0 ? PC_OK
                     : pc_fail_byte(err, 504, d->bytes_in, "damaged gzip data: %s", why(code));
}

#else

bool wv_isal_open(struct wv_decoder *d, struct wv_isal **out)
{
    (void)d;
    *out = NULL;
    return true;
}

/* There is none that these could be asked about. */
void wv_isal_close(struct wv_decoder *d, struct wv_isal *isal)
{
    (void)d;
    (void)isal;
}

void wv_isal_begin(struct wv_isal *isal)
{
    (void)isal;
}

enum pc_status wv_isal_step(struct wv_decoder *d, struct wv_isal *isal, uint8_t *to, size_t size,
                            size_t *got, bool *over, struct pc_error *err)
{
    (void)isal;
    (void)to;
    (void)size;
    *got = 0;
    *over = true;
    return pc_fail_byte(err, 504, d->bytes_in, "gzip data without a decoder");
}
#endif
