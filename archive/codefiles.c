/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/codefiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/object/regular.h"
#include "share/chunk.h"
#include "share/code.h"
#include "share/readfile.h"
#include "share/record.h"

enum {
    FIELD_MAX = 16,          /* fields of a record */
    SIZE_MAX_READ = 1 << 30, /* bytes of the file overview */
};

struct reader {
    struct codefiles *files;
    bool no_memory;
    struct codec codec;
    u64 time;
};

/*
 * Reads one field: a number into *value, or a string into *str. A stack node is
 * skipped. 0, or negative if the field is malformed.
 */
static int
read_field(struct reader *r, u32 encoding, const unsigned char **p,
           const unsigned char *end, u64 *value, struct er_str *str)
{
    u32 node;

    switch (encoding) {
    case ENC_TIME:
        *value = r->time;
        return 0;
    case ENC_VARINT:
    case ENC_REP:
    case ENC_DELTA:
        return get_varint(p, end, value);
    case ENC_NODE:
        return get_node(&r->codec, p, end, &node);
    case ENC_ADDR:
        return get_addr(&r->codec, p, end, value);
    case ENC_STR:
        return get_str(p, end, str);
    default:
        return -EINVAL;
    }
}

static void
add(struct reader *r, struct er_str name)
{
    struct codefiles *files = r->files;
    char *copy;

    /* Consecutive records often name the same file: skip the repeats. */
    if (name.len == 0 || (files->count && strlen(files->name[files->count - 1]) ==
                                              name.len &&
                          !memcmp(files->name[files->count - 1], name.s, name.len)))
        return;
    if (files->count == files->room) {
        u32 room = files->room ? files->room * 2 : 256;
        char **more = realloc(files->name, room * sizeof(*more));

        r->no_memory |= !more;
        if (!more)
            return;
        files->name = more;
        files->room = room;
    }
    copy = strndup(name.s, name.len);
    r->no_memory |= !copy;
    if (copy)
        files->name[files->count++] = copy;
}

/*
 * The description of the record that has this number in the file overview; NULL: none.
 */
static const struct er_record_desc *
record_of(u32 number)
{
    for (u32 i = 0; i < REC_COUNT; i++)
        if (er_records[i].file == FILE_overview && er_records[i].number == number)
            return &er_records[i];
    return NULL;
}

static int
read_record(struct reader *r, const unsigned char **p, const unsigned char *end)
{
    const struct er_record_desc *desc;
    struct er_str str[FIELD_MAX] = { { 0 } };
    u64 value[FIELD_MAX] = { 0 };
    u32 number;

    if (get_head(&r->codec, p, end, &number, &r->time) < 0 || !number)
        return -EINVAL;
    desc = record_of(number);
    if (!desc || desc->nfields > FIELD_MAX)
        return -EINVAL;
    for (u32 i = 0; i < desc->nfields; i++)
        if (read_field(r, desc->fields[i].encoding, p, end, &value[i], &str[i]) < 0)
            return -EINVAL;
    if (desc == &er_records[REC_code])
        add(r, str[desc->nfields - 1]);
    return 0;
}

static void
read_chunks(struct reader *r, const unsigned char *data, u64 size)
{
    struct chunk_cursor cursor = { .data = data, .size = size, .file = FILE_overview };
    const struct er_chunk *chunk;
    u32 committed;
    u64 where;
    int got;

    while ((got = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        const unsigned char *p, *end;

        if (got < 0)
            continue;
        committed = chunk_believed(chunk, committed, where);
        if (committed <= sizeof(*chunk))
            continue;
        p = (const unsigned char *)(chunk + 1);
        end = (const unsigned char *)chunk + committed;
        codec_start(&r->codec, chunk->tsc0, chunk->prev_addr);
        while (p < end && read_record(r, &p, end) == 0)
            ;
    }
}

int
codefiles_add(struct codefiles *files, int dir)
{
    struct reader r = { .files = files };
    int fd = regular_open(dir, er_files[FILE_overview].name, O_NOFOLLOW), ret;
    char *data = NULL;
    size_t size = 0;

    if (fd < 0)
        return fd;
    ret = readfile_plain(fd, SIZE_MAX_READ, &data, &size);
    close(fd);
    if (ret < 0)
        return ret;
    read_chunks(&r, (const unsigned char *)data, size);
    free(data);
    return r.no_memory ? -ENOMEM : 0;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void
codefiles_sort(struct codefiles *files)
{
    u32 n = 0;

    if (files->count)
        qsort(files->name, files->count, sizeof(*files->name), compare);
    for (u32 i = 0; i < files->count; i++) {
        if (n && !strcmp(files->name[n - 1], files->name[i]))
            free(files->name[i]);
        else
            files->name[n++] = files->name[i];
    }
    files->count = n;
}

void
codefiles_free(struct codefiles *files)
{
    for (u32 i = 0; i < files->count; i++)
        free(files->name[i]);
    free(files->name);
    *files = (struct codefiles){ 0 };
}
