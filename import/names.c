/* SPDX-License-Identifier: Apache-2.0 */
#include "import/names.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/objfile.h"
#include "archive/objwrite.h"
#include "archive/store.h"
#include "print/load/array.h"

enum {
    CODE = 0x1000, /* where the first name is */
    EACH = 16,     /* bytes of each */
};

struct key {
    const struct import *im;
    const char *name;
    size_t len;
};

static bool
same_name(const void *context, u32 index)
{
    const struct key *key = context;
    const char *name = key->im->name[index];

    return !strncmp(name, key->name, key->len) && !name[key->len];
}

u64
names_pc(struct import *im, const char *name, size_t len)
{
    struct key key = { im, name, len };
    u32 hash = (u32)hash_bytes(0, name, len);
    u32 at = hash_find(&im->names, hash, same_name, &key);

    if (at == HASH_NONE) {
        if (array_room(&im->name, &im->names_room, im->nnames + 1,
                       sizeof(*im->name)) < 0 ||
            hash_add(&im->names, hash, im->nnames) < 0) {
            im->failed = true;
            return 0;
        }
        im->name[im->nnames] = import_text(im, name, len);
        at = im->nnames++;
    }
    return CODE + (u64)at * EACH;
}

u32
names_object(struct import *im, u32 process)
{
    struct import_object object = {
        .kind = "file", .name = "[names]", .buildid = im->names_key,
        .lo = CODE, .hi = IMPORT_PC_MASK, .main = true,
    };

    return import_object(im, process, &object);
}

/* Other names, another key: the same key would mean the same functions. */
void
names_settle(struct import *im)
{
    u64 one = im->nnames, two = ~one;

    for (u32 i = 0; i < im->nnames; i++) {
        one = hash_str(one, im->name[i]);
        two = hash_str(two + i, im->name[i]);
    }
    snprintf(im->names_key, sizeof(im->names_key), "%016" PRIx64 "%016" PRIx64, one,
             two);
}

static int
save(const struct import *im, int fd)
{
    struct objwrite w;
    int ret;

    objwrite_init(&w);
    w.base = CODE;
    w.machine = EM_X86_64;
    w.bits = 64;
    w.flags = OBJFILE_HAS_SYMTAB;
    w.path = objwrite_string(&w, "[names]");
    w.buildid = objwrite_string(&w, im->names_key);
    for (u32 i = 0; i < im->nnames; i++) {
        struct obj_sym row = {
            .addr = i * EACH, .size = EACH,
            .flags = OBJFILE_ORIGIN_SYMTAB | OBJFILE_GLOBAL << 4,
            .name = objwrite_string(&w, im->name[i]),
        };

        objwrite_row(&w, OBJ_sym, &row);
    }
    ret = objwrite_save(&w, fd);
    objwrite_free(&w);
    return ret;
}

int
names_describe(const struct import *im, int dir)
{
    struct objfile_id id = { .buildid = im->names_key };
    char name[OBJFILE_KEY_MAX + 16], key[OBJFILE_KEY_MAX];
    struct store_file file;
    int archives, ret;

    if (!im->nnames)
        return 0;
    archives = store_dir(dir, "archives");
    if (archives < 0)
        return archives;
    ret = objfile_key(key, &id);
    if (ret == 0)
        ret = store_begin(&file, archives);
    if (ret == 0) {
        snprintf(name, sizeof(name), "%s.ero", key);
        ret = save(im, file.fd);
        if (ret == 0)
            ret = store_commit(&file, name);
        else
            store_abandon(&file);
    }
    close(archives);
    return ret;
}
