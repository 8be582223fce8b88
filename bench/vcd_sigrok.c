/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE 1 /* popen */
#include "vcd_sigrok.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = VCD_MOST_SIGNALS / 8 + 1, SAMPLES = 4096 };

struct counts {
    uint64_t cycles, ones[VCD_SELECTED];
    bool clock;
};

/* Channels are in the file's order: the clock, s0, s1, ... */
static unsigned channel_of(unsigned signal)
{
    return 1 + signal;
}

static unsigned channels_of(const struct vcd_made *made)
{
    return channel_of(made->selected[VCD_SELECTED - 1]) + 1;
}

void vcd_sigrok_channels(const struct vcd_made *made, char text[VCD_SIGROK_TEXT])
{
    snprintf(text, VCD_SIGROK_TEXT, "vcd:numchannels=%u", channels_of(made));
}

static bool level(const uint8_t *sample, unsigned channel)
{
    return sample[channel / 8] >> channel % 8 & 1;
}

/* At a rising edge, values are those of the sample in front of it. */
static void count(struct counts *c, const struct vcd_made *made, const uint8_t *before,
                  const uint8_t *sample)
{
    const bool clock = level(sample, 0);

    if (clock && !c->clock) {
        c->cycles++;
        for (unsigned i = 0; i < VCD_SELECTED; i++)
            c->ones[i] += level(before, channel_of(made->selected[i]));
    }
    c->clock = clock;
}

bool vcd_sigrok_is_right(const char *path, const struct vcd_made *made)
{
    static uint8_t sample[(1 + SAMPLES) * MOST_BYTES]; /* the last one of those before in front */
    const size_t size = (channels_of(made) + 7) / 8;
    struct counts c = { .cycles = 0 };
    char channels[VCD_SIGROK_TEXT], command[256], meta[VCD_SIGROK_TEXT];
    size_t n;

    vcd_sigrok_channels(made, channels);
    snprintf(command, sizeof command, "sigrok-cli -i %s -I %s -O binary 2>/dev/null", path,
             channels);
    FILE *in = popen(command, "r");
    if (!in)
        return false;
    const bool begins = fgets(meta, sizeof meta, in) && strncmp(meta, "META ", 5) == 0;
    while ((n = fread(sample + size, size, SAMPLES, in)) > 0) {
        for (size_t i = 1; i <= n; i++)
            count(&c, made, sample + (i - 1) * size, sample + i * size);
        memcpy(sample, sample + n * size, size);
    }
    return pclose(in) == 0 && begins && c.cycles == made->cycles &&
           memcmp(c.ones, made->ones, sizeof c.ones) == 0;
}
