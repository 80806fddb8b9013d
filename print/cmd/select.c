/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/select.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Read digits at *at; false if there are none, or the number is too large. */
static bool
parse_number(const char **at, const char **digits, int *count)
{
    *digits = *at;
    while (isdigit((unsigned char)**at))
        ++*at;
    *count = (int)(*at - *digits);
    return *count && *count < 19;
}

/* Write N, N-M or all as a comparison with `token`. */
static bool
put_item(const char **at, const char *token, FILE *f)
{
    const char *first, *last;
    int n, m;

    if (!strncasecmp(*at, "all", 3)) {
        *at += 3;
        fputs("1", f);
        return true;
    }
    if (!parse_number(at, &first, &n))
        return false;
    if (**at != '-') {
        fprintf(f, "%s == %.*s", token, n, first);
        return true;
    }
    ++*at;
    if (!parse_number(at, &last, &m))
        return false;
    if (strtoull(last, NULL, 10) < strtoull(first, NULL, 10)) {
        *at = last;
        return false;
    }
    fprintf(f, "%s >= %.*s && %s <= %.*s", token, n, first, token, m, last);
    return true;
}

static bool
put_numbers(const char **at, const char *token, FILE *f)
{
    putc('(', f);
    while (put_item(at, token, f)) {
        if (**at != ',') {
            putc(')', f);
            return true;
        }
        ++*at;
        fputs(" || ", f);
    }
    return false;
}

static bool
put_part(const char **at, const char *token, FILE *f)
{
    size_t n = strcspn(*at, ":+");

    if ((*at)[n] == ':') {
        if (!put_numbers(at, "EXPID", f) || **at != ':')
            return false;
        ++*at;
        fputs(" && ", f);
    }
    return put_numbers(at, token, f);
}

char *
select_expression(const char *token, const char *list, const char **at)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool good = f != NULL;

    *at = list;
    while (good && (good = put_part(at, token, f)) && **at == '+') {
        ++*at;
        fputs(" || ", f);
    }
    if (f && fclose(f))
        good = false;
    if (good && !**at)
        return text;
    free(text);
    return NULL;
}

int
select_set(struct shell *sh, enum filter_part part, const char *token, const char *list)
{
    bool all = !strcasecmp(list, "all");
    struct filter_error error;
    const char *at = list;
    char *text = all ? NULL : select_expression(token, list, &at);
    int err;

    if (!text && !all)
        return shell_fail_at(sh, list, (u32)(at - list) + 1,
                             "numbers such as 1-3,5 belong here, perhaps behind those "
                             "of experiments and a colon; + joins such lists");
    err = filter_set(sh->session, part, text, &error);
    free(text);
    if (err == -EINVAL)
        return shell_fail(sh, "the list is too long");
    if (err)
        return shell_fail_errno(sh, err, "the list cannot be set");
    free(sh->select[part]);
    sh->select[part] = all ? NULL : mem_strdup(list);
    return 0;
}
