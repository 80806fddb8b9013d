/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filterfiles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/filter/fstype.h"

enum {
    NAME_MOST = 1100, /* bytes of a name, with its final zero; none has more */
    NUMBER_MOST = 1 << 26, /* ignore files with this or a higher number: damage */
};

enum field {
    FIELD_ID,
    FIELD_FD,
    FIELD_FSTYPE,
    FIELD_NAME,
    FIELDS,
};

struct load {
    struct filter_files files;
    const struct schema_record *record;
    int field[FIELDS];
    bool no_memory;
};

static u64
get(const struct load *l, const u64 *row, enum field field)
{
    return l->field[field] < 0 ? 0 : row[l->field[field]];
}

static void
add_file(struct load *l, const u64 *row)
{
    u64 id = get(l, row, FIELD_ID);
    struct filter_file *f;

    if (id >= NUMBER_MOST)
        return;
    if (array_room_zero(&l->files.file, &l->files.room, (u32)id + 1, sizeof(*f)) < 0) {
        l->no_memory = true;
        return;
    }
    if (id >= l->files.count)
        l->files.count = (u32)id + 1;
    f = &l->files.file[id];
    f->known = true;
    f->fd = (int64_t)get(l, row, FIELD_FD) - 1;
    f->fstype = get(l, row, FIELD_FSTYPE);
    if (l->field[FIELD_NAME] >= 0)
        f->name = *(const struct er_str *)(uintptr_t)row[l->field[FIELD_NAME]];
}

/* No lock is needed, since only one thread decodes this file. */
static void
on_batch(void *context, const struct batch *batch)
{
    struct load *l = context;

    if (batch->record != l->record)
        return;
    for (u32 i = 0; i < batch->count; i++)
        add_file(l, batch->row + (size_t)i * batch->record->nfields);
}

int
filterfiles_load(struct experiment *experiment, struct filter_files *out)
{
    static const char *const names[FIELDS] = { "id", "fd", "fstype", "name" };
    struct load l = { .no_memory = false };
    struct record_sink sink = { .batch = on_batch, .context = &l };
    struct record_source source;
    int ret;

    *out = l.files;
    if (experiment_source(experiment, FILE_iotrace, &source) < 0)
        return 0;
    l.record = schema_find_record(source.schema, "file");
    if (!l.record)
        return 0;
    for (u32 i = 0; i < FIELDS; i++)
        l.field[i] = schema_find_number(l.record, names[i]);
    l.field[FIELD_NAME] = schema_find_field(l.record, "name");
    if (l.field[FIELD_NAME] >= 0 &&
        l.record->field[l.field[FIELD_NAME]].encoding != ENC_STR)
        l.field[FIELD_NAME] = -1;
    ret = records_scan(&source, &sink, 1, NULL);
    if (ret == 0 && l.no_memory)
        ret = -ENOMEM;
    if (ret < 0)
        filterfiles_free(&l.files);
    else
        *out = l.files;
    return ret;
}

void
filterfiles_free(struct filter_files *files)
{
    free(files->file);
    memset(files, 0, sizeof(*files));
}

static bool
fits(const struct filter_file *f, const regex_t *pattern, bool system)
{
    char text[NAME_MOST];
    u32 len = f->name.len < sizeof(text) ? f->name.len : sizeof(text) - 1;

    if (!f->known)
        return false;
    if (system)
        return !regexec(pattern, fstype_name(f->fstype, text, sizeof(text)), 0, NULL,
                        0);
    if (len)
        memcpy(text, f->name.s, len);
    text[len] = '\0';
    return !regexec(pattern, text, 0, NULL, 0);
}

unsigned char *
filterfiles_match(const struct filter_files *files, const regex_t *pattern, bool system)
{
    unsigned char *set = calloc((size_t)files->count + 1, 1);

    for (u32 i = 0; set && i < files->count; i++)
        set[i] = fits(&files->file[i], pattern, system);
    return set;
}
