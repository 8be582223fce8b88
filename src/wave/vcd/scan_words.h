/* SPDX-License-Identifier: MIT */
/*
 * Values of vectors as words (struct wv_stretch): 64 digits at a time, from the right.  Part of
 * scan_loop.h.
 */
#ifndef PC_WAVE_VCD_SCAN_WORDS_H
#define PC_WAVE_VCD_SCAN_WORDS_H

/* Returns where to look for an identifier; `word` begins with the character in front of it. */
static inline const struct vcd_scan_key *first_key(const struct vcd_scan_key *keys, uint64_t word,
                                                   uint32_t factor, unsigned shift)
{
    return &keys[(uint32_t)(word >> 8 & 0xffff) * factor >> shift];
}

/* Returns the slot of a longer identifier, or of one that the keys do not find; `left` bytes are
 * text. */
static inline uint32_t find_long(const struct vcd_sets *sets, const uint8_t *id, size_t left)
{
    size_t n = 0;

    while (n < left && id[n] > ' ')
        n++;
    const uint32_t code = vcd_ids_find(sets->ids, (const char *)id, n);
    return code == VCD_NO_CODE ? UINT32_MAX : sets->slot_of[code] - 1;
}

/* Returns the slot of the identifier at `id`; UINT32_MAX: of none. */
static inline uint32_t find_slot(const struct vcd_sets *sets, const uint8_t *id, size_t left)
{
    const uint64_t word = pc_load_low_first(id - 1);
    const struct vcd_scan_key *k = first_key(sets->key, word, sets->key_factor, sets->key_shift);

    while (k->mask && (word & k->mask) != k->key)
        k++;
    return k->mask ? k->slot : find_long(sets, id, left);
}

/* Does what digits_at() does for the 64 characters in front of `end`; what is in front of the text
 * is none. */
static inline uint64_t digits_before(const struct vcd_scan *s, const uint8_t *end, uint64_t *one,
                                     uint64_t *unknown)
{
    const size_t n = (size_t)(end - s->text);
    uint8_t few[64] = { 0 };

    if (n >= 64)
        return digits_at(end - 64, one, unknown);
    memcpy(few + 64 - n, s->text, n);
    return digits_at(few, one, unknown);
}

/* Puts which are unknown of `count` digits that end at `end`: words. */
static void put_unknown(const struct vcd_scan *s, const uint8_t *end, size_t count, uint64_t *word)
{
    uint64_t one, unknown;

    for (; count > 0; end -= 64, count -= count < 64 ? count : 64) {
        (void)digits_before(s, end, &one, &unknown);
        *word++ = count < 64 ? unknown & ~(UINT64_MAX >> count) : unknown;
    }
}

/*
 * Takes the digits that end at `end` as words. Returns how many there are; 0: none, more than
 * `width`, or no room.
 */
static inline size_t take_digits(struct vcd_scan *s, const uint8_t *end, uint32_t width)
{
    uint64_t *const word = s->word + s->words, some = 0, left = 0;
    size_t count = 0, n = 0, here = 64;

    if (2 * WV_WORDS_OF(width) + 4 > s->words_capacity - s->words)
        return 0;
    for (; here == 64 && count <= width; count += here) {
        uint64_t one, unknown;
        const uint64_t digits = digits_before(s, end - count, &one, &unknown);
        here = digits == UINT64_MAX ? 64 : 63 - highest(~digits);
        const uint64_t there = here == 64 ? UINT64_MAX : ~(UINT64_MAX >> here);
        if (here == 0)
            break;
        word[++n] = one & there;
        some |= unknown & there;
        left = unknown >> (64 - here) & 1;
    }
    if (count == 0 || count > width)
        return 0;
    word[0] = n | (some ? WV_WORDS_UNKNOWN : 0) | (left ? WV_WORDS_LEFT : 0);
    s->words += 1 + n;
    if (!some)
        return count;
    put_unknown(s, end, count, word + 1 + n);
    if (left && count % 64)
        word[2 * n] |= UINT64_MAX >> count % 64;
    s->words += n;
    return count;
}

/* Puts digits none of which is unknown: `ones` has them from the left. */
static inline void put_ones(struct vcd_scan *s, const uint64_t *ones, size_t count)
{
    const size_t n = WV_WORDS_OF(count), over = count % 64;
    uint64_t *word = s->word + s->words;

    s->words += 1 + n;
    *word++ = n;
    if (over == 0) {
        for (size_t i = n; i-- > 0;)
            *word++ = ones[i];
        return;
    }
    for (size_t i = n - 1; i > 0; i--)
        *word++ = ones[i] << (64 - over) | ones[i - 1] >> over;
    *word = ones[0] << (64 - over);
}

/* Returns 0, 1, 2 for unknown: the digit `bit` from the right. */
static inline uint32_t level_in(const uint64_t *word, uint32_t bit)
{
    const uint32_t n = (uint32_t)word[0], k = bit / 64, at = 63 - bit % 64;

    if (k >= n)
        return word[0] & WV_WORDS_LEFT ? 2 : 0;
    const uint64_t unknown = word[0] & WV_WORDS_UNKNOWN ? word[1 + n + k] : 0;
    return (uint32_t)(word[1 + k] >> at & 1) | (uint32_t)(unknown >> at & 1) << 1;
}

/* Finds the words of digits that were cut out at `at` of what is left; false: there were none. */
static inline bool find_cut(struct vcd_scan *s, size_t at, size_t *place)
{
    while (s->next_cut < s->cuts && s->cut[s->next_cut].at < at)
        s->next_cut++;
    if (s->next_cut == s->cuts || s->cut[s->next_cut].at != at || s->cut[s->next_cut].words == 0)
        return false;
    *place = s->cut[s->next_cut].words - 1;
    return true;
}

#endif
