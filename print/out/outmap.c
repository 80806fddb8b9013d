/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/outmap.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/base/array.h"
#include "print/model/symbols/object.h"

/*
 * Objects that must be moved are put above x86-64's user space, 4 GiB from each other.
 */
static const u64 elsewhere = (u64)1 << 48;
static const u64 apart = (u64)1 << 32;

static bool
is_free(const struct outmap *map, u64 start, u64 end)
{
    for (u32 i = 0; i < map->count; i++)
        if (start < map->row[i].end && end > map->row[i].start)
            return false;
    return true;
}

static int
add(struct outmap *map, u32 object, const struct map_instance *instance)
{
    struct outmap_row row = { object, instance->bias, instance->lo, instance->hi };

    if (array_room(&map->row, &map->room, map->count + 1, sizeof(row)) < 0)
        return -ENOMEM;
    if (!is_free(map, row.start, row.end)) {
        u64 move = elsewhere + map->count * apart - row.start;

        row.bias += move;
        row.start += move;
        row.end += move;
    }
    map->row[map->count++] = row;
    map->of_object[object] = map->count;
    return 0;
}

static int
add_instances(const struct out *out, u32 index, const bool *used, bool main,
              struct outmap *map)
{
    const struct map *m = &out->session->experiment[index]->map;

    for (u32 i = 0; i < m->count; i++) {
        u32 object;

        if (m->instance[i].main != main)
            continue;
        if (objects_of(out->session, index, &m->instance[i], &object) < 0)
            return -ENOMEM;
        if (object < map->nobjects && used[object] && !map->of_object[object] &&
            add(map, object, &m->instance[i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
outmap_open(const struct out *out, const struct stackset *set, struct outmap *map)
{
    u32 count = object_count(out->session);
    bool *used = calloc((size_t)count + 1, sizeof(*used));
    int ret = 0;

    memset(map, 0, sizeof(*map));
    map->of_object = calloc((size_t)count + 1, sizeof(*map->of_object));
    map->nobjects = count;
    if (!used || !map->of_object)
        ret = -ENOMEM;
    for (u32 i = 1; i < set->nlocations && ret == 0; i++)
        used[set->location[i].object] = set->location[i].object != 0;
    for (u32 i = 0; i < 2 * out->session->nexperiments && ret == 0; i++)
        ret = add_instances(out, i / 2, used, i % 2 == 0, map);
    free(used);
    if (ret < 0)
        outmap_close(map);
    return ret;
}

void
outmap_close(struct outmap *map)
{
    free(map->row);
    free(map->of_object);
    memset(map, 0, sizeof(*map));
}

/*
 * The file offset of a link-time address, by the program headers; the address itself if
 * no segment contains it.
 */
static u64
offset_in(int fd, u64 vaddr)
{
    Elf64_Ehdr head;
    Elf64_Phdr segment;

    if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(segment))
        return vaddr;
    for (u32 i = 0; i < head.e_phnum; i++) {
        off_t at = (off_t)(head.e_phoff + i * sizeof(segment));

        if (pread(fd, &segment, sizeof(segment), at) != (ssize_t)sizeof(segment))
            break;
        if (segment.p_type == PT_LOAD && vaddr >= segment.p_vaddr &&
            vaddr - segment.p_vaddr < segment.p_filesz)
            return vaddr - segment.p_vaddr + segment.p_offset;
    }
    return vaddr;
}

u64
outmap_offset(struct session *session, const struct outmap_row *row)
{
    u64 vaddr = row->start - row->bias, offset = vaddr;
    struct object_info o;
    int fd;

    object_get(session, row->object, &o);
    fd = open(o.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0) {
        offset = offset_in(fd, vaddr);
        close(fd);
    }
    return offset;
}

const struct outmap_row *
outmap_of(const struct outmap *map, u32 object)
{
    u32 at = object < map->nobjects ? map->of_object[object] : 0;

    return at ? &map->row[at - 1] : NULL;
}

static bool
find_program(const struct out *out, const struct outmap *map, u32 *object,
             const struct objfile **file)
{
    const struct map *m = &out->session->experiment[0]->map;
    const struct outmap_row *row = map->count ? &map->row[0] : NULL;

    for (u32 i = 0; row && i < m->count; i++)
        if (m->instance[i].main &&
            objects_of(out->session, 0, &m->instance[i], object) == 0 &&
            *object == row->object) {
            *file = object_file(out->session, *object);
            return *file && objfile_code_count(*file) > 0;
        }
    return false;
}

bool
outmap_program(struct out *out, const struct outmap *map, u32 *object,
               const struct objfile **file)
{
    bool found = find_program(out, map, object, file);

    if (!found)
        out_warn(out, "the program did not run, or its code is not in the experiment: "
                 "the file is empty");
    return found;
}
