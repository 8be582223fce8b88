/* SPDX-License-Identifier: MIT */
/*
 * Signals that are clocks and resets by their names.  Whole words count: "burst" holds no reset,
 * and "rst_done" is about one.  What else a name says is its domain: "eth_rx" of eth_rx_clk.
 */
#include "lang/bus/find.h"

#include <string.h>

/* ---- words ---- */

static bool begins_with(const char *text, const char *with, size_t *length)
{
    *length = strlen(with);
    return strncmp(text, with, *length) == 0;
}

/* Letters that may come after "clk" and "clock" without a separator: a domain, or a direction. */
static bool may_follow(const char *rest)
{
    return rest[0] == '\0' || rest[1] == '\0' || pc_bus_is_number(rest) ||
           pc_bus_is_one_of(rest,
                            "in out ext int sys ref src dst rx tx main core cpu bus axi ahb apb "
                            "mem ddr eth usb pix pixel fast slow gen buf pll div wr rd phy "
                            "dbg top fpga user pad");
}

/* Returns true for a word of a clock; *glued: bytes before it that are another word, "eth" of
 * "ethclk"; *glued: bytes of it in front that are another word, "eth" of "ethclk". */
static bool is_clock(const char *token, size_t *glued)
{
    static const char *const whole[] = { "clk", "clock" };
    const size_t length = strlen(token);

    *glued = 0;
    if (pc_bus_is_one_of(token, "ck clks clocks cko cki"))
        return true;
    for (size_t k = 0; k < 2; k++) {
        const size_t n = strlen(whole[k]);
        const char *at = strstr(token, whole[k]);
        if (!at)
            continue;
        if (may_follow(at + n)) {
            *glued = (size_t)(at - token);
            return true;
        }
    }
    if (length == 3 && pc_bus_is_one_of(token, "bck hck lck mck pck rck sck tck wck xck")) {
        *glued = 1;
        return true;
    }
    return false;
}

/* Letters that may stand before "rst" and "reset" without a separator: a domain, or its kind. */
static bool may_precede(const char *token, size_t length)
{
    static const char words[] =
        "a s h p g m n o i x w r t c d b por pon sys core cpu bus axi ahb apb wb main mem phy dma "
        "ddr eth rx tx usb sw hw soft hard ext int glb glob global dbg ndm fpga board top user pll "
        "cold warm async sync master slave io uart wr rd src dst src0 aclk clk";
    char word[8];

    if (length == 0 || length >= sizeof word)
        return length == 0;
    memcpy(word, token, length);
    word[length] = '\0';
    return pc_bus_is_one_of(word, words);
}

static bool is_reset(const char *token, size_t *glued, bool *low)
{
    static const char *const whole[] = { "reset", "rst" };
    size_t n;

    for (size_t k = 0; k < 2; k++) {
        const char *at = strstr(token, whole[k]);
        if (!at)
            continue;
        *glued = (size_t)(at - token);
        n = strlen(whole[k]);
        const bool ends = at[n] == '\0' || pc_bus_is_number(at + n);
        *low = pc_bus_is_one_of(at + n, "n b z l ni no nn") ||
               (*glued == 1 && (token[0] == 'n' || token[0] == 'x'));
        if ((ends || *low) && may_precede(token, *glued) && (*low || strcmp(token, "preset") != 0))
            return true;
    }
    return begins_with(token, "por", &n) && (token[n] == '\0' || strcmp(token + n, "n") == 0) &&
           (*glued = 0, *low = token[n] == 'n', true);
}

/* Returns true for words beside a clock or a reset with which the signal is neither, but says
 * something about it. */
static bool is_about(const char *token, bool reset)
{
    return pc_bus_is_one_of(token, "cnt count counter done ack req request status en ena enable "
                                   "strobe sel is was cause seen pending detect complete locked "
                                   "ok stable freq period edge tick ratio cycles value") ||
           (!reset && pc_bus_is_one_of(token, "valid ready ce cen gate mux sync"));
}

/* Returns true for words that name no domain. */
static bool is_plain(const char *token)
{
    return pc_bus_is_one_of(token, "i o n b l z ni no in out li lo p q r reg low high "
                                   "global glb glbl hard power on por async sync buf bufg main");
}

/* ---- a name ---- */

struct domain {
    char text[BUS_LEAF + BUS_TOKENS];
    bool about; /* the name says something about a clock or a reset */
};

static void add_word(struct domain *d, const char *word, size_t length)
{
    const size_t used = strlen(d->text);

    if (used + length >= sizeof d->text)
        return;
    memcpy(d->text + used, word, length);
    d->text[used + length] = '\0';
}

/* Reads the words beside the one at `token`, of which `glued` bytes are another word. */
static void read_domain(const struct bus_words *w, size_t token, size_t glued, bool reset,
                        struct domain *d)
{
    size_t in_front;

    for (size_t t = 0; t < w->count; t++) {
        const char *word = w->token[t];
        if (t == token && glued == 1 && strchr(reset ? "ahpsgmnoix" : "ahpsmio", word[0]))
            continue;
        if (t == token)
            add_word(d, word, glued);
        else if (is_about(word, reset))
            d->about = true;
        else if (is_clock(word, &in_front))
            add_word(d, word, in_front == 1 && strchr("ahpsgmnoi", word[0]) ? 0 : in_front);
        else if (!is_plain(word) && !(t == 0 && pc_bus_is_number(word)))
            add_word(d, word, strlen(word));
    }
}

/* Finds the last word that is one of a reset, else of a clock; false: there is none. */
static bool find_word(const struct bus_words *w, struct bus_clock *c, size_t *token, size_t *glued)
{
    for (size_t t = w->count; t-- > 0;)
        if (is_reset(w->token[t], glued, &c->low)) {
            c->is_reset = true;
            *token = t;
            if (t > 0)
                c->low = c->low || pc_bus_is_one_of(w->token[t - 1], "n x");
            for (size_t k = t + 1; k < w->count; k++)
                c->low = c->low || pc_bus_is_one_of(w->token[k], "n b ni no l z low");
            return true;
        }
    for (size_t t = w->count; t-- > 0;)
        if (is_clock(w->token[t], glued)) {
            *token = t;
            return true;
        }
    return false;
}

/* Reads the last part of a path as the name of a clock or a reset; false: it is not one. */
static bool read_name(const char *path, struct bus_clock *c)
{
    const char *dot = strrchr(path, '.'), *leaf = dot ? dot + 1 : path;
    struct bus_words w;
    struct domain d = { .about = false };
    size_t token, glued;

    *c = (struct bus_clock){ .signal = 0 };
    if (!pc_bus_split(leaf, strlen(leaf), &w) || !find_word(&w, c, &token, &glued))
        return false;
    read_domain(&w, token, glued, c->is_reset, &d);
    return !d.about;
}

bool pc_bus_is_clock_name(const char *path)
{
    struct bus_clock c;

    return read_name(path, &c) && !c.is_reset;
}

bool pc_bus_is_reset_name(const char *path, bool *low)
{
    struct bus_clock c;
    const bool is = read_name(path, &c) && c.is_reset;

    *low = is && c.low;
    return is;
}

void pc_bus_read_clock(struct bus_finder *f, size_t signal)
{
    const char *name = f->signal[signal].name, *dot = strrchr(name, '.');
    const size_t scope = dot ? (size_t)(dot - name) + 1 : 0;
    struct bus_clock c = { .signal = signal };
    struct bus_words w;
    struct domain d = { .about = false };
    size_t token, glued;

    if (f->signal[signal].width != 1 || !pc_bus_split(name + scope, strlen(name + scope), &w) ||
        w.count == 0 || !find_word(&w, &c, &token, &glued))
        return;
    read_domain(&w, token, glued, c.is_reset, &d);
    if (d.about)
        return;
    c.scope = pc_bus_text(f, name, scope);
    c.domain = pc_bus_text(f, d.text, strlen(d.text));
    if (f->no_memory || !pc_grow(&f->alloc, (void **)&f->clock, &f->clock_capacity, f->clocks + 1,
                                 sizeof *f->clock)) {
        f->no_memory = true;
        return;
    }
    f->clock[f->clocks++] = c;
}
