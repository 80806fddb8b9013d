/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/integrity.h"

#include <stdlib.h>
#include <string.h>

/*
 * Find the word `name` in a list of words with blanks between them; NULL if there is
 * none. ends_in: what follows the name: ' ' = nothing (the word ends), ':' = a value.
 */
static const char *
find_word(const char *list, const char *name, char ends_in)
{
    size_t len = strlen(name);

    while (list && *list) {
        size_t word = strcspn(list, " ");

        if (word >= len && !memcmp(list, name, len) &&
            (word == len ? ends_in == ' ' : list[len] == ends_in))
            return list;
        list += word + (list[word] == ' ');
    }
    return NULL;
}

static const char *
of_end(const struct experiment *e, const char *attr)
{
    const struct log_event_row *end = log_end(&e->log);

    return end ? log_event_attr(end, attr) : NULL;
}

/*
 * Was the file removed because nothing was recorded in it? The log of a short
 * descendant lists such files.
 */
static bool
is_unused(const struct experiment *e, enum er_file file)
{
    return find_word(of_end(e, "unused"), er_files[file].name, ' ') != NULL;
}

/* The bytes of the file when the run ended; 0 = the log does not say. */
static u64
size_at_end(const struct experiment *e, enum er_file file)
{
    const char *name = er_files[file].name;
    const char *word = find_word(of_end(e, "sizes"), name, ':');

    return word ? strtoull(word + strlen(name) + 1, NULL, 10) : 0;
}

bool
integrity_file_missing(const struct experiment *e, enum er_file file)
{
    return e->file[file].schema && experiment_is_requested(e, file) && !is_unused(e,
                                                                                  file);
}

static void
check_size(struct experiment *e, enum er_file file)
{
    struct datafile *data = &e->file[file];
    u64 size = size_at_end(e, file);

    if (data->size >= size || data->is_short || is_unused(e, file))
        return;
    data->is_short = true;
    problems_add(&e->problems, "%s has %llu of the %llu bytes that it had when the run "
                 "ended: records are missing", data->path,
                 (unsigned long long)data->size, (unsigned long long)size);
}

static void
check_threads(struct experiment *e)
{
    const struct datafile *data = &e->file[FILE_threads];
    const struct schema_record *record =
        data->schema ? schema_find_record(data->schema, "thread") : NULL;
    u32 bytes = record ? schema_row_bytes(record) : 0;
    u64 rows = bytes ? size_at_end(e, FILE_threads) / bytes : 0;

    /* Thread ids begin with 1, so row 0 belongs to no thread. */
    if (!data->is_short && rows > e->threads.count + 1)
        problems_add(&e->problems, "%s: of %llu threads, the rows of %llu are missing",
                     data->path, (unsigned long long)rows - 1,
                     (unsigned long long)rows - 1 - e->threads.count);
}

void
integrity_check(struct experiment *e)
{
    if (e->state != EXPERIMENT_COMPLETE)
        return;
    for (enum er_file i = 0; i < FILE_COUNT; i++)
        check_size(e, i);
    check_threads(e);
    if (e->map.is_read && !e->map.closed)
        problems_add(&e->problems, "%s/map.xml has no end: load objects may be missing",
                     e->path);
}

/*
 * May an intact file have this gap of [from, to)? Yes, a short one at the end of a
 * segment: space remains free there if the next chunk does not fit.
 */
static bool
is_usual(u64 from, u64 to)
{
    return to % ER_SEGMENT == 0 && to - from < ER_CHUNK_MIN;
}

void
integrity_check_chunks(struct experiment *e, enum er_file file)
{
    struct datafile *data = &e->file[file];
    struct chunk_cursor cursor = { .data = data->data, .size = data->size,
                                   .file = data->schema->number };
    const struct er_chunk *chunk;
    u32 committed;
    u64 where, told = 0, size = size_at_end(e, file);
    int got;

    if (data->is_looked_at || e->state != EXPERIMENT_COMPLETE || !size)
        return;
    data->is_looked_at = true;
    /* The space beyond that size was reserved for the file, but not used. */
    if (cursor.size > size)
        cursor.size = size;
    do {
        got = chunk_next(&cursor, &chunk, &committed, &where);
        if (cursor.blank_to == told)
            continue;
        told = cursor.blank_to;
        if (!is_usual(cursor.blank_from, told))
            problems_add(&e->problems, "%s: nothing stands from offset %llu to %llu, "
                         "where records may have been", data->path,
                         (unsigned long long)cursor.blank_from,
                         (unsigned long long)told);
    } while (got);
}
