/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frames.h"
#include "print/model/symbols/function.h"

enum condition_kind {
    BY_FUNCTION,
    BY_OBJECT,
    BY_SOURCE,
    BY_BYTES,
    BY_COUNT,
};

static const char *const kinds[BY_COUNT] = { "function", "object", "source", "bytes" };

enum { CONDITIONS = 4 }; /* conditions of a rule, at most */

struct rule {
    char *glob[CONDITIONS];
    enum condition_kind kind[CONDITIONS];
    u32 count;
};

struct suppressions {
    struct rule *rule;
    u32 count, room;
};

/*
 * The built-in rules: memory that the C library and libstdc++ keep until the process
 * ends.
 */
static const char own[] =
    "function _IO_file_doallocate\n"
    "function _IO_wfile_doallocate\n"
    "function _dl_allocate_tls\n"
    "function _dl_resize_dtv\n"
    "function __tls_get_addr\n"
    "function _dl_new_object\n"
    "function _dl_check_map_versions\n"
    "function _dl_map_object_deps\n"
    "function add_to_global_update\n"
    "function setlocale\n"
    "function bindtextdomain\n"
    "function textdomain\n"
    "function __gconv_*\n"
    "function _nl_*\n"
    "function tzset_internal\n"
    "function __nss_*\n"
    "object libstdc++.so* function call_init bytes 72704\n"
    "object libstdc++.so* function call_init bytes 73728\n";

static void
free_rule(struct rule *rule)
{
    for (u32 i = 0; i < rule->count; i++)
        free(rule->glob[i]);
    rule->count = 0;
}

static int
add_condition(struct rule *rule, const char *kind, const char *glob)
{
    u32 k = 0;

    while (k < BY_COUNT && strcmp(kinds[k], kind) != 0)
        k++;
    if (k == BY_COUNT || !glob || rule->count == CONDITIONS)
        return -EINVAL;
    rule->kind[rule->count] = (enum condition_kind)k;
    rule->glob[rule->count] = strdup(glob);
    if (!rule->glob[rule->count])
        return -ENOMEM;
    rule->count++;
    return 0;
}

/*
 * Parse a line, and change it. An empty line gives a rule without conditions. 0 or
 * -errno.
 */
static int
parse(char *line, struct rule *rule)
{
    static const char blanks[] = " \t\r\n";
    char *at, *kind;
    int ret = 0;

    *rule = (struct rule){ .count = 0 };
    line[strcspn(line, "#")] = '\0';
    for (kind = strtok_r(line, blanks, &at); kind && ret == 0;
         kind = strtok_r(NULL, blanks, &at))
        ret = add_condition(rule, kind, strtok_r(NULL, blanks, &at));
    if (ret < 0)
        free_rule(rule);
    return ret;
}

static int
add_rule(struct suppressions *rules, const struct rule *rule)
{
    int ret = array_room(&rules->rule, &rules->room, rules->count + 1, sizeof(*rule));

    if (ret == 0)
        rules->rule[rules->count++] = *rule;
    return ret;
}

int
suppress_read(struct suppressions *rules, FILE *file, unsigned *line)
{
    u32 before = rules->count;
    char *text = NULL;
    size_t size = 0;
    struct rule rule;
    int ret = 0;

    for (*line = 1; ret == 0 && getline(&text, &size, file) > 0; ++*line) {
        ret = parse(text, &rule);
        if (ret < 0)
            break;
        if (rule.count)
            ret = add_rule(rules, &rule);
    }
    free(text);
    while (ret < 0 && rules->count > before)
        free_rule(&rules->rule[--rules->count]);
    return ret;
}

struct suppressions *
suppress_none(void)
{
    return calloc(1, sizeof(struct suppressions));
}

struct suppressions *
suppress_default(void)
{
    struct suppressions *rules = suppress_none();
    FILE *file = rules ? fmemopen((char *)(uintptr_t)own, sizeof(own) - 1, "r") : NULL;
    unsigned line;
    int ret = file ? suppress_read(rules, file, &line) : -ENOMEM;

    if (file)
        fclose(file);
    if (ret == 0)
        return rules;
    suppress_free(rules);
    return NULL;
}

void
suppress_free(struct suppressions *rules)
{
    for (u32 i = 0; rules && i < rules->count; i++)
        free_rule(&rules->rule[i]);
    if (rules)
        free(rules->rule);
    free(rules);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static const char *
text_of(struct session *session, const struct stack_frame *frame,
        enum condition_kind kind)
{
    struct object_info object;

    switch (kind) {
    case BY_FUNCTION:
        return function_name(session, frame->func);
    case BY_OBJECT:
        object_get(session, frame->object, &object);
        return object.name;
    default:
        return frame->file ? base_name(file_path(session, frame->file)) : "";
    }
}

/* What rules are matched with: the frames of a stack, and the size of its blocks. */
struct subject {
    struct session *session;
    struct stack_frame *frame;
    u32 count;
    u64 size;
};

static bool
holds(const struct subject *s, enum condition_kind kind, const char *glob)
{
    char *end;

    if (kind == BY_BYTES)
        return s->size && strtoull(glob, &end, 10) == s->size && !*end;
    for (u32 i = 0; i < s->count; i++)
        if (fnmatch(glob, text_of(s->session, &s->frame[i], kind), 0) == 0)
            return true;
    return false;
}

static bool
matches(const struct subject *s, const struct rule *rule)
{
    for (u32 i = 0; i < rule->count; i++)
        if (!holds(s, rule->kind[i], rule->glob[i]))
            return false;
    return true;
}

bool
suppress_has(const struct suppressions *rules, struct session *session, u32 node,
             u64 size)
{
    struct subject s = { .session = session, .size = size };
    bool found = false;

    if (!rules->count || frames_of(session, node, &s.frame, &s.count) < 0)
        return false;
    for (u32 i = 0; i < rules->count && !found; i++)
        found = matches(&s, &rules->rule[i]);
    free(s.frame);
    return found;
}
