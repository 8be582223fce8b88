/* SPDX-License-Identifier: MIT */
/*
 * Makes a request of the command line of `pcounter compile`: INPUT=EXPRESSION, events,
 * --swap, --record, --record-buffer.
 */
#include "compile.h"

#include <string.h>
#include <strings.h>

/* START:LIMIT, START:LIMIT:short */
int compile_record_buffer(const char *argument, struct compile_buffer *out)
{
    const char *p = argument;
    bool good =
        cli_read_number(p, &p, &out->start) && *p++ == ':' && cli_read_number(p, &p, &out->limit);

    out->is_short = good && strcmp(p, ":short") == 0;
    if (good && (*p == '\0' || out->is_short))
        return CLI_OK;
    return cli_usage("compile",
                     "--record-buffer takes START:LIMIT or START:LIMIT:short, byte addresses like "
                     "0x100000:0x10fff0, not \"%s\"",
                     argument);
}

/* INPUT=EXPRESSION */
static int take_input(struct compile_job *j, const char *argument)
{
    size_t n = strcspn(argument, "=");
    int input = 0;

    if (argument[n] != '=')
        return cli_usage("compile", "\"%.60s\" is not INPUT=EXPRESSION", argument);
    while (input < PC_INPUT_COUNT &&
           (strlen(pc_input_name((enum pc_input_id)input)) != n ||
            strncasecmp(pc_input_name((enum pc_input_id)input), argument, n) != 0))
        input++;
    if (input == PC_INPUT_COUNT)
        return cli_usage("compile",
                         "the inputs are pre, start, event, stop, setflag, clrflag; "
                         "not \"%.*s\"",
                         (int)n, argument);
    struct compile_text *t = &j->input[input];
    if (t->expr)
        return cli_usage("compile", "%s is given twice", pc_input_name((enum pc_input_id)input));
    t->label = pc_input_name((enum pc_input_id)input);
    t->whole = argument + n + 1;
    if (strlen(t->whole) >= sizeof t->text)
        return compile_too_long(t->label, t->whole, 0, strlen(t->whole));
    snprintf(t->text, sizeof t->text, "%s", t->whole);
    int code = compile_expression(j, t, &input);
    j->request.input[input] = t->expr;
    return code;
}

int compile_request(struct compile_job *j, char **input, int inputs)
{
    struct pc_error err;
    int code = CLI_OK;

    if (j->o->domain_name &&
        pc_chip_find_domain(j->o->chip, j->o->domain_name, &j->request.domain, &err))
        return cli_error(&err, NULL, NULL);
    if (compile_names_of(j->o->chip, j->request.domain, &j->names, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    j->request.keep_swap = j->o->swap && strcmp(j->o->swap, "keep") == 0;
    if (j->o->swap && !j->request.keep_swap) {
        j->request.has_swap = true;
        if (compile_signal(&j->names, j->o->swap, &j->request.swap, &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
    }
    j->request.chip = j->o->chip;
    j->request.mode = (enum pc_count_mode)j->mode;
    j->request.pre_count = (uint32_t)j->o->pre_count;
    j->request.stop_count = (uint32_t)j->o->stop_count;
    j->request.threshold = j->o->threshold;
    j->request.period_all = j->o->period == 1;
    j->request.record_start = j->o->buffer.start;
    j->request.record_limit = j->o->buffer.limit;
    j->request.record_short = j->o->buffer.is_short;
    if (j->o->record)
        code = compile_record_list(j);
    for (int i = 0; i < inputs && code == CLI_OK; i++)
        code = take_input(j, input[i]);
    if (code == CLI_OK && j->o->events)
        code = compile_events(j, j->o->events);
    return code == CLI_OK ? compile_muxes(j) : code;
}
