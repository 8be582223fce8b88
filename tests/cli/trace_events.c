/* SPDX-License-Identifier: MIT */
/*
 * Reads trace events as strictly as their format is written down: a JSON object with an array
 * traceEvents; metadata, counters with numbers and complete events, with all that each must have.
 * Prints a line for each counter, "TS NAME KEY VALUE", and for each slice, "slice TS DUR NAME".
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bad(const char *what, size_t event)
{
    fprintf(stderr, "event %zu: %s\n", event, what);
    exit(1);
}

static double number(const json_t *event, const char *key, size_t n)
{
    const json_t *value = json_object_get(event, key);

    if (!json_is_number(value))
        bad("a number is missing", n);
    return json_number_value(value);
}

static void counter(const json_t *event, const char *name, json_t *args, size_t n)
{
    const char *key;
    json_t *value;

    if (json_object_size(args) != 1)
        bad("a counter of not one value", n);
    json_object_foreach(args, key, value)
    {
        if (!json_is_number(value))
            bad("a value that is no number", n);
        printf("%.15g %s %s %.15g\n", number(event, "ts", n), name, key, json_number_value(value));
    }
}

static void take(const json_t *event, size_t n)
{
    const char *ph = json_string_value(json_object_get(event, "ph"));
    const char *name = json_string_value(json_object_get(event, "name"));
    json_t *args = json_object_get(event, "args");

    if (!ph || !name || number(event, "pid", n) != 1 || number(event, "tid", n) < 1)
        bad("no phase, no name, no process or no thread", n);
    if (args && !json_is_object(args))
        bad("args are no object", n);
    if (strcmp(ph, "C") == 0) {
        counter(event, name, args, n);
    } else if (strcmp(ph, "X") == 0) {
        const double begin = number(event, "ts", n), length = number(event, "dur", n);
        if (length < 0)
            bad("a negative length", n);
        printf("slice %.15g %.15g %s\n", begin, length, name);
    } else if (strcmp(ph, "M") != 0 || !json_string_value(json_object_get(args, "name"))) {
        bad("another phase, or metadata without a name", n);
    }
}

int main(int argc, char **argv)
{
    json_error_t err;
    json_t *root = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &err) : NULL;
    json_t *events = json_object_get(root, "traceEvents");

    if (!json_is_array(events)) {
        fprintf(stderr, "no traceEvents: %s\n", root ? "" : err.text);
        return 1;
    }
    for (size_t i = 0; i < json_array_size(events); i++)
        take(json_array_get(events, i), i);
    json_decref(root);
    return 0;
}
