/* SPDX-License-Identifier: MIT */
#include "timeline/page.h"

#include "cli.h"
#include "text/warnings.h"
#include "timeline/timeline_plot.h"

static const char style_of_all[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--soft:#5a6067;--rule:#e2e4e7}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e6e8ea;--soft:#a3a9b0;"
    "--rule:#2a2e33}}\n"
    "body{box-sizing:border-box;margin:0 "
    "auto;max-width:80rem;padding:1.5rem;background:var(--paper);color:var(--ink);"
    "font:0.9rem/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums}\n"
    "h1{font-size:1.25rem}h2{font-size:1rem;margin:1.5rem 0 .25rem}h1,h2{overflow-wrap:anywhere}\n"
    "dl div{display:flex;gap:.4rem}dt,figcaption{color:var(--soft)}dd{margin:0}\n"
    "p{margin:.25rem 0}p b{font-weight:600}.w{overflow-x:auto}a{color:inherit}\n"
    "table{border-collapse:collapse;width:100%}th,td{padding:.2rem 0 .2rem .7rem;text-align:right;"
    "border-top:1px solid var(--rule);white-space:nowrap}th:first-child,td:first-child"
    "{padding-left:0}ul{margin:.25rem 0;padding-left:1.2rem}\n";

void page_head(FILE *out, const char *title, const char *input, const char *style[2],
               const char *first)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
            "<meta charset=\"utf-8\"/>\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>%s: ",
            title);
    timeline_put(out, input);
    fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n%s<h1>%s: <bdi>", style[0],
            style[1], first, title);
    timeline_put(out, input);
    fputs("</bdi></h1>\n", out);
}

void page_begin(FILE *out, const char *title, const char *input, const char *style)
{
    page_head(out, title, input, (const char *[2]){ style_of_all, style }, "");
}

void page_last_facts(FILE *out)
{
    const char *warning;

    for (size_t i = 0; (warning = cli_warning_at(i)) != NULL; i++) {
        fputs("<div><dt>warning</dt><dd><bdi>", out);
        timeline_put(out, warning);
        fputs("</bdi></dd></div>\n", out);
    }
    fprintf(out, "<div><dt>made by</dt><dd>pcounter %s</dd></div>\n</dl>\n", pc_version());
}

void page_facts(FILE *out)
{
    fputs("<dl>\n", out);
    page_last_facts(out);
}

void page_end(FILE *out)
{
    fputs("</body></html>\n", out);
}
