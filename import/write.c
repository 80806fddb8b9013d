/* SPDX-License-Identifier: Apache-2.0 */
#include "import/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "share/fmt.h"
#include "share/logxml.h"

enum {
    TEXT_MOST = 4000, /* bytes of an attribute that are kept */
};

static void
put_xml(const char *text, FILE *f)
{
    char buf[6 * TEXT_MOST];
    struct fmt out = fmt_start(buf, sizeof(buf));

    fmt_xml(&out, text, strnlen(text, TEXT_MOST));
    fwrite(buf, 1, (size_t)(out.at - buf), f);
}

/* Writes an attribute, unless its value is not known. */
static void
put_attr(const char *name, const char *value, FILE *f)
{
    if (!*value)
        return;
    fprintf(f, " %s=\"", name);
    put_xml(value, f);
    putc('"', f);
}

static void
put_number(const char *name, u64 value, FILE *f)
{
    fprintf(f, " %s=\"%" PRIu64 "\"", name, value);
}

static void
put_schema(enum er_file file, FILE *f)
{
    fprintf(f, "<file name=\"%s\" layout=\"%s\" time_shift=\"%u\">\n",
            er_files[file].name,
            er_files[file].layout == LAYOUT_ROWS ? "rows" : "chunks",
            er_files[file].time_shift);
    for (u32 r = 0; r < REC_COUNT; r++) {
        const struct er_record_desc *record = &er_records[r];

        if (record->file != file)
            continue;
        fprintf(f, "<record name=\"%s\" number=\"%u\">\n", record->name,
                record->number);
        for (u32 i = 0; i < record->nfields; i++)
            fprintf(f, "<field name=\"%s\" encoding=\"%s\" unit=\"%s\"/>\n",
                    record->fields[i].name,
                    er_encoding_names[record->fields[i].encoding],
                    record->fields[i].unit);
        fputs("</record>\n", f);
    }
    fputs("</file>\n", f);
}

static void
put_counters(const struct import *im, FILE *f)
{
    for (u32 i = 0; i < im->ncounters; i++) {
        fputs("<counter", f);
        put_number("index", i, f);
        put_attr("name", im->counter[i].name, f);
        /* Interval 0 would tell er_print that the counter has no hits: write 1. */
        put_number("interval", im->counter[i].interval ? im->counter[i].interval : 1,
                   f);
        put_attr("unit", im->counter[i].unit, f);
        fputs("/>\n", f);
    }
}

static void
put_start(const struct import *im, const struct import_process *p, const char *creator,
         FILE *f)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<experiment version=\"1\">\n"
          "<collector version=\"" PACKAGE_VERSION "\"/>\n<process", f);
    if (p->pid)
        put_number("pid", p->pid, f);
    if (p->ppid)
        put_number("ppid", p->ppid, f);
    put_attr("exe", p->name, f);
    put_attr("arch", im->arch, f);
    fputs(">\n<arg>", f);
    put_xml(p->name, f);
    fputs("</arg>\n</process>\n", f);
    if (creator) {
        fprintf(f, "<descent how=\"%s\" creator=\"", p->how == 'x' ? "exec" : "fork");
        put_xml(creator, f);
        fputs("\"/>\n", f);
    }
    fputs("<import", f);
    put_attr("format", im->format, f);
    put_attr("file", im->file, f);
    put_attr("tool", im->tool, f);
    put_attr("command", im->command, f);
    fputs("/>\n<host", f);
    put_attr("name", im->host, f);
    put_attr("os", im->os, f);
    put_attr("cpus", im->cpus, f);
    fputs("/>\n<clock ticks=\"monotonic\"/>\n<collect", f);
    if (!im->has_clock || im->clock_ns)
        put_number("clock_ns", im->clock_ns, f);
    if (im->has_heap)
        fputs(" heap=\"on\"", f);
    fputs(" archive=\"on\"/>\n", f);
    put_counters(im, f);
}

static void
put_event(enum er_event event, u64 time, const char *arg, const char *more, FILE *f)
{
    const struct er_event_desc *desc = &er_events[event];
    const char *hole = strstr(desc->text, "%s");

    fprintf(f, "<event kind=\"%s\" id=\"%s\" time=\"%" PRIu64 "\"",
            er_event_kinds[desc->kind], desc->name, time);
    put_attr("arg1", arg, f);
    if (!hole) {
        fprintf(f, "%s>%s</event>\n", more, desc->text);
        return;
    }
    fprintf(f, "%s>%.*s", more, (int)(hole - desc->text), desc->text);
    put_xml(arg, f);
    fprintf(f, "%s</event>\n", hole + 2);
}

static void
put_count_event(enum er_event event, u64 time, u64 count, FILE *f)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, count);
    if (count)
        put_event(event, time, text, "", f);
}

void
write_log(const struct import *im, const struct import_process *p, const char *creator,
          FILE *f)
{
    char clocks[120];

    put_start(im, p, creator, f);
    put_schema(FILE_overview, f);
    if (im->has_clock)
        put_schema(FILE_profile, f);
    put_schema(FILE_frameinfo, f);
    put_schema(FILE_threads, f);
    if (im->ncounters || im->has_branches)
        put_schema(FILE_hwcounters, f);
    if (im->has_heap)
        put_schema(FILE_heaptrace, f);
    snprintf(clocks, sizeof(clocks),
             " pid=\"%u\" tick=\"%" PRIu64 "\" mono=\"%" PRIu64 "\"", p->pid, p->start,
             p->start);
    put_event(EVENT_run, p->start, "", clocks, f);
    put_event(EVENT_imported, p->start, im->format, "", f);
    if (!creator) {
        put_count_event(EVENT_import_lost, p->end, im->lost, f);
        put_count_event(EVENT_counter_throttled, p->end, im->throttled, f);
        for (u32 i = 0; i < im->nnotes; i++)
            put_event(EVENT_import_note, p->end, im->note[i], "", f);
    }
    snprintf(clocks, sizeof(clocks), " tick=\"%" PRIu64 "\" mono=\"%" PRIu64 "\"",
             p->end, p->end);
    put_event(EVENT_end, p->end, "how is not known", clocks, f);
    fputs("</experiment>\n", f);
}

static void
put_object(const struct import_object *o, u32 id, FILE *f)
{
    fprintf(f, "<object id=\"%u\" kind=\"%s\" time=\"%" PRIu64 "\" bias=\"0x%" PRIx64
            "\" lo=\"0x%" PRIx64 "\" hi=\"0x%" PRIx64 "\"", id, o->kind, o->time,
            o->bias, o->lo, o->hi);
    put_attr("name", o->name, f);
    put_attr("buildid", o->buildid, f);
    put_attr("dev", o->dev, f);
    if (*o->dev) {
        put_number("inode", o->inode, f);
        put_number("fsize", o->fsize, f);
        put_number("mtime", o->mtime, f);
    }
    put_attr("flags", o->main ? "main" : "", f);
    fputs("/>\n", f);
}

void
write_map(const struct import_process *p, FILE *f)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1\">\n", f);
    for (u32 i = 0; i < p->nobjects; i++)
        put_object(&p->object[i], i + 1, f);
    fputs("</map>\n", f);
}
