/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/load/xml.h"

struct builder {
    struct log log;
    struct xml_reader reader;
    u32 room_elements, room_args, room_events;
    bool in_event; /* the open element is the last of log.event */
    bool no_memory;
};

static struct log_pair *
keep_pairs(struct builder *b, const struct log_pair *attr, u32 nattrs)
{
    struct log_pair *copy = pool_alloc(&b->log.memory, (nattrs + 1) * sizeof(*copy));

    if (!copy)
        b->no_memory = true;
    else
        memcpy(copy, attr, nattrs * sizeof(*copy));
    return copy;
}

static void
add_event(struct builder *b, const struct log_pair *attr, u32 nattrs)
{
    struct log_event_row row = {
        .kind = xml_attr(attr, nattrs, "kind", ""),
        .id = xml_attr(attr, nattrs, "id", ""),
        .sentence = "",
        .mono = xml_number(attr, nattrs, "time", 0),
        .attr = keep_pairs(b, attr, nattrs),
        .nattrs = nattrs,
    };
    struct log *log = &b->log;

    if (!row.attr ||
        array_room(&log->event, &b->room_events, log->nevents + 1, sizeof(row)) < 0) {
        b->no_memory = true;
        return;
    }
    log->event[log->nevents++] = row;
    b->in_event = true;
}

static void
add_element(struct builder *b, const char *name, const struct log_pair *attr,
            u32 nattrs)
{
    struct log *log = &b->log;
    struct log_element element = {
        .name = pool_text(&log->memory, name, strlen(name)),
        .attr = keep_pairs(b, attr, nattrs),
        .nattrs = nattrs,
    };

    if (!element.name || !element.attr ||
        array_room(&log->element, &b->room_elements, log->nelements + 1,
                   sizeof(element)) < 0) {
        b->no_memory = true;
        return;
    }
    log->element[log->nelements++] = element;
}

/*
 * Add an element of the schema. 0; -ENOENT: it is another element; or another -errno.
 */
static int
schema_element(struct schema *schema, const char *name, const struct log_pair *attr,
               u32 nattrs)
{
    const char *its = xml_attr(attr, nattrs, "name", NULL);

    if (!strcmp(name, "file"))
        return schema_add_file(schema, its, xml_attr(attr, nattrs, "layout", NULL),
                               xml_attr(attr, nattrs, "time_shift", NULL));
    if (!strcmp(name, "record"))
        return schema_add_record(schema, its, xml_attr(attr, nattrs, "number", NULL));
    if (!strcmp(name, "field"))
        return schema_add_field(schema, its, xml_attr(attr, nattrs, "encoding", NULL),
                                xml_attr(attr, nattrs, "unit", NULL));
    return -ENOENT;
}

static void
on_start(void *context, const char *name, const struct log_pair *attr, u32 nattrs)
{
    struct builder *b = context;
    int ret;

    b->in_event = false;
    if (!strcmp(name, "event")) {
        add_event(b, attr, nattrs);
        return;
    }
    ret = schema_element(&b->log.schema, name, attr, nattrs);
    if (ret == -ENOENT)
        add_element(b, name, attr, nattrs);
    else if (ret == -ENOMEM)
        b->no_memory = true;
    else if (ret < 0)
        problems_add(b->reader.problems, "%s: the description of the %s '%s' makes no "
                     "sense and is left out", b->reader.name, name,
                     xml_attr(attr, nattrs, "name", "?"));
}

static void
add_arg(struct builder *b, const char *text)
{
    struct log *log = &b->log;
    char *copy = pool_text(&log->memory, text, strlen(text));

    if (!copy || array_room(&log->arg, &b->room_args, log->nargs + 1, sizeof(copy)) < 0)
        b->no_memory = true;
    else
        log->arg[log->nargs++] = copy;
}

static void
on_end(void *context, const char *name, const char *text)
{
    struct builder *b = context;
    struct log *log = &b->log;
    char *copy;

    if (!strcmp(name, "arg")) {
        add_arg(b, text);
    } else if (!strcmp(name, "event") && b->in_event) {
        copy = pool_text(&log->memory, text, strlen(text));
        if (copy)
            log->event[log->nevents - 1].sentence = copy;
        else
            b->no_memory = true;
    }
    b->in_event = false;
}

/*
 * Is the text a log that a power failure may have cut off at its head: are its bytes
 * those with which each log begins, up to its end or to the first zero?
 */
static bool
is_torn_head(const char *text, size_t len)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<experiment ";
    size_t same = 0;

    while (same < len && same < sizeof(head) - 1 && text[same] == head[same])
        same++;
    return same == len || same == sizeof(head) - 1 || !text[same];
}

/*
 * Was the log written by gprofng or Oracle Studio? They also name experiments
 * test.1.er, but their <collector> has no attributes: the version is its text.
 */
static bool
is_foreign(const struct log *log)
{
    for (u32 i = 0; i < log->nelements; i++)
        if (!strcmp(log->element[i].name, "collector"))
            return !log->element[i].nattrs;
    return false;
}

int
log_parse(struct log *out, const char *text, size_t len, const char *name,
          struct problems *problems)
{
    struct builder b = { 0 };
    int ret;

    b.reader = (struct xml_reader){
        .start = on_start,
        .end = on_end,
        .context = &b,
        .pool = &b.log.memory,
        .root = "experiment",
        .name = name,
        .problems = problems,
    };
    ret = xml_parse(&b.reader, text, len);
    if (ret == 0 && b.no_memory)
        ret = -ENOMEM;
    if (ret == 0 && !b.reader.opened && !is_torn_head(text, len))
        ret = -EBADMSG;
    else if (ret == 0 && !b.reader.opened && !problems->count)
        problems_add(problems, "%s is cut off at its beginning", name);
    if (ret == 0 && is_foreign(&b.log))
        ret = -EMEDIUMTYPE;
    if (ret < 0) {
        log_free(&b.log);
        return ret;
    }
    b.log.closed = b.reader.closed;
    /*
     * Events come after the schema. If the log was cut off before its first event, the
     * schema may be incomplete: drop it.
     */
    if (!b.log.closed && !b.log.nevents)
        schema_free(&b.log.schema);
    *out = b.log;
    return 0;
}

int
log_read(struct log *out, int dirfd, const char *name, struct problems *problems)
{
    char *text;
    size_t len;
    int ret = xml_slurp(dirfd, "log.xml", &text, &len);

    if (ret < 0)
        return ret;
    ret = log_parse(out, text, len, name, problems);
    free(text);
    return ret;
}

void
log_free(struct log *log)
{
    free(log->element);
    free(log->arg);
    free(log->event);
    schema_free(&log->schema);
    pool_free(log->memory);
    memset(log, 0, sizeof(*log));
}

bool
log_has_counter_hits(const struct log *log)
{
    for (u32 i = 0; i < log->nelements; i++)
        if (!strcmp(log->element[i].name, "counter") &&
            xml_attr(log->element[i].attr, log->element[i].nattrs, "interval", NULL))
            return true;
    return false;
}

const char *
log_fact(const struct log *log, const char *element, const char *attr)
{
    for (u32 i = 0; i < log->nelements; i++)
        if (!strcmp(log->element[i].name, element))
            return xml_attr(log->element[i].attr, log->element[i].nattrs, attr, NULL);
    return NULL;
}

const struct log_event_row *
log_find_event(const struct log *log, const char *id)
{
    for (u32 i = 0; i < log->nevents; i++)
        if (!strcmp(log->event[i].id, id))
            return &log->event[i];
    return NULL;
}

const struct log_event_row *
log_last_event(const struct log *log, const char *id)
{
    for (u32 i = log->nevents; i-- > 0;)
        if (!strcmp(log->event[i].id, id))
            return &log->event[i];
    return NULL;
}

const char *
log_event_attr(const struct log_event_row *event, const char *name)
{
    return xml_attr(event->attr, event->nattrs, name, NULL);
}

u64
log_event_number(const struct log_event_row *event, const char *name, u64 missing)
{
    return xml_number(event->attr, event->nattrs, name, missing);
}

const struct log_event_row *
log_begin(const struct log *log)
{
    const struct log_event_row *run = log_find_event(log, "run");

    if (!run)
        run = log_find_event(log, "attached");
    return run ? run : log_find_event(log, "machine");
}

const struct log_event_row *
log_end(const struct log *log)
{
    const struct log_event_row *end = log_last_event(log, "end");

    if (!end)
        end = log_last_event(log, "detached");
    return end ? end : log_last_event(log, "machine_end");
}

u64
log_over(const struct log *log, u64 end)
{
    static const char *const ways[] = { "terminated", "size_limit" };

    for (size_t i = 0; i < ER_COUNT(ways); i++) {
        const struct log_event_row *over = log_find_event(log, ways[i]);

        if (over && over->mono < end)
            end = over->mono;
    }
    return end;
}

char *
log_command(const struct log *log)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    for (u32 i = 0; i < log->nargs && f; i++) {
        const char *plain = log->arg[i], *sep = i ? " " : "";

        if (*plain && !strpbrk(plain, " \t\n'\"\\$`*?[](){}<>|&;!~#"))
            fprintf(f, "%s%s", sep, plain);
        else if (!strchr(plain, '\''))
            fprintf(f, "%s'%s'", sep, plain);
        else
            fprintf(f, "%s\"%s\"", sep, plain);
    }
    if (f && fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}
