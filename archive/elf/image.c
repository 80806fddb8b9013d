/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/elf/inflate.h"
#include "archive/object/regular.h"

struct cursor
image_cursor(const struct image *img, struct bytes b, u64 offset)
{
    return cursor_at(b, offset, img->big);
}

u64
image_word(const struct image *img, struct cursor *c)
{
    return img->bits == 64 ? cursor_u64(c) : cursor_u32(c);
}

static struct bytes
file_range(const struct image *img, u64 offset, u64 size)
{
    struct bytes none = {(const unsigned char *)"", 0};

    if (offset > img->file.size || size > img->file.size - offset)
        return none;
    return (struct bytes){img->file.at + offset, size};
}

static void
section_read(const struct image *img, Elf_Scn *scn, size_t names,
             struct image_section *s)
{
    const char *name;
    GElf_Shdr sh;

    s->name = "";
    if (!gelf_getshdr(scn, &sh))
        return;
    name = elf_strptr(img->elf, names, sh.sh_name);
    s->name = name ? name : "";
    s->type = sh.sh_type;
    s->flags = sh.sh_flags;
    s->addr = sh.sh_addr;
    s->offset = sh.sh_offset;
    s->size = sh.sh_size;
    s->link = sh.sh_link;
    s->info = sh.sh_info;
    s->entsize = sh.sh_entsize;
}

static int
sections_read(struct image *img)
{
    size_t count, names = 0;

    if (elf_getshdrnum(img->elf, &count) < 0)
        return -ENOEXEC;
    /* If the section names cannot be read, sections can still be found by type. */
    elf_getshdrstrndx(img->elf, &names);
    img->sections = calloc(count ? count : 1, sizeof(*img->sections));
    if (!img->sections)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        section_read(img, elf_getscn(img->elf, i), names, &img->sections[i]);
    img->section_count = (u32)count;
    return 0;
}

static int
header_read(struct image *img)
{
    size_t segments;
    GElf_Ehdr head;

    elf_version(EV_CURRENT);
    img->elf = elf_memory((char *)(uintptr_t)img->file.at, img->file.size);
    if (!img->elf || elf_kind(img->elf) != ELF_K_ELF ||
        !gelf_getehdr(img->elf, &head) || elf_getphdrnum(img->elf, &segments) < 0)
        return -ENOEXEC;
    img->bits = head.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    img->big = head.e_ident[EI_DATA] == ELFDATA2MSB;
    img->type = head.e_type;
    img->machine = head.e_machine;
    img->phnum = (u32)segments;
    return sections_read(img);
}

bool
image_segment(const struct image *img, u32 i, struct image_segment *out)
{
    GElf_Phdr ph;

    if (i >= img->phnum || !gelf_getphdr(img->elf, (int)i, &ph))
        return false;
    out->type = ph.p_type;
    out->flags = ph.p_flags;
    out->offset = ph.p_offset;
    out->vaddr = ph.p_vaddr;
    out->filesz = ph.p_filesz;
    out->memsz = ph.p_memsz;
    return true;
}

struct bytes
image_loaded(const struct image *img, u64 vaddr, u64 size)
{
    struct image_segment seg;

    for (u32 i = 0; image_segment(img, i, &seg); i++)
        if (seg.type == PT_LOAD && vaddr >= seg.vaddr &&
            vaddr - seg.vaddr <= seg.filesz && size <= seg.filesz - (vaddr - seg.vaddr))
            return file_range(img, seg.offset + (vaddr - seg.vaddr), size);
    return file_range(img, 0, 0);
}

/* Searches notes for the build-id. */
static void
notes_read(struct image *img, struct bytes notes)
{
    struct cursor c = image_cursor(img, notes, 0);

    while (cursor_left(&c) >= 12) {
        u32 name_size = cursor_u32(&c), size = cursor_u32(&c), type = cursor_u32(&c);
        const unsigned char *name = c.at, *desc;

        cursor_skip(&c, ((u64)name_size + 3) / 4 * 4);
        desc = c.at;
        cursor_skip(&c, ((u64)size + 3) / 4 * 4);
        if (c.bad && desc + size != c.end)
            return;
        if (type != NT_GNU_BUILD_ID || name_size != 4 || memcmp(name, "GNU", 4) != 0 ||
            size == 0 || size > (IMAGE_BUILDID_MAX - 1) / 2)
            continue;
        for (u32 i = 0; i < size; i++)
            snprintf(img->buildid + 2 * i, 3, "%02x", desc[i]);
        return;
    }
}

/*
 * Reads the build-id: from sections, which separate debug files have, too; else from
 * segments.
 */
static void
buildid_read(struct image *img)
{
    struct image_segment seg;

    for (u32 i = 0; i < img->section_count && !img->buildid[0]; i++)
        if (img->sections[i].type == SHT_NOTE)
            notes_read(img, file_range(img, img->sections[i].offset,
                                       img->sections[i].size));
    for (u32 i = 0; !img->buildid[0] && image_segment(img, i, &seg); i++)
        if (seg.type == PT_NOTE)
            notes_read(img, file_range(img, seg.offset, seg.filesz));
}

/*
 * Completes the opening of an image, from a file or from memory; closes the image on
 * errors.
 */
static int
image_start(struct image *img, const char *path)
{
    int status;

    img->path = strdup(path);
    status = img->path ? header_read(img) : -ENOMEM;
    if (status < 0) {
        image_close(img);
        return status;
    }
    buildid_read(img);
    return 0;
}

int
image_open(struct image *img, int dirfd, const char *path)
{
    int fd = regular_open(dirfd, path, 0);
    void *map = MAP_FAILED;
    int status = -ENOEXEC;

    memset(img, 0, sizeof(*img));
    if (fd < 0)
        return fd == -EINVAL ? -ENOEXEC : fd;
    if (fstat(fd, &img->st) < 0) {
        status = -errno;
    } else if (img->st.st_size > 0) {
        map = mmap(NULL, (size_t)img->st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map == MAP_FAILED)
            status = -errno;
    }
    close(fd);
    if (map == MAP_FAILED)
        return status;
    img->file = (struct bytes){map, (size_t)img->st.st_size};
    img->mapped = true;
    return image_start(img, path);
}

int
image_open_memory(struct image *img, const char *path, struct bytes memory, bool owned)
{
    memset(img, 0, sizeof(*img));
    img->file = memory;
    img->heap = owned ? (void *)(uintptr_t)memory.at : NULL;
    return image_start(img, path);
}

bool
image_belongs(const struct image *img, const char *path)
{
    uid_t owner = img->st.st_uid;
    struct stat st;

    return owner == 0 || owner == geteuid() ||
           (stat(path, &st) == 0 && st.st_uid == owner);
}

void
image_close(struct image *img)
{
    for (u32 i = 0; img->sections && i < img->section_count; i++)
        free(img->sections[i].heap);
    free(img->sections);
    elf_end(img->elf);
    if (img->mapped)
        munmap((void *)(uintptr_t)img->file.at, img->file.size);
    free(img->heap);
    free(img->path);
    memset(img, 0, sizeof(*img));
}

struct image_section *
image_find(struct image *img, const char *name)
{
    for (u32 i = 0; i < img->section_count; i++)
        if (strcmp(img->sections[i].name, name) == 0)
            return &img->sections[i];
    return NULL;
}

struct image_section *
image_find_type(struct image *img, u32 type)
{
    for (u32 i = 0; i < img->section_count; i++)
        if (img->sections[i].type == type)
            return &img->sections[i];
    return NULL;
}

/* Decompresses a section with a compression header (SHF_COMPRESSED). */
static int
decompress(const struct image *img, struct bytes in, struct bytes *out)
{
    struct cursor c = image_cursor(img, in, 0);
    u32 type = cursor_u32(&c);
    u64 size;

    if (img->bits == 64)
        cursor_u32(&c);
    size = image_word(img, &c);
    image_word(img, &c); /* alignment */
    if (c.bad)
        return -EINVAL;
    in = (struct bytes){c.at, cursor_left(&c)};
    switch (type) {
    case ELFCOMPRESS_ZLIB:
        return inflate_zlib(out, in, size);
    case 2: /* ELFCOMPRESS_ZSTD, which older headers do not name */
        return inflate_zstd(out, in, size);
    }
    return -EINVAL;
}

/*
 * Decompresses a section of the older form, .zdebug_*: "ZLIB" and the size, always
 * big-endian.
 */
static int
decompress_old(struct bytes in, struct bytes *out)
{
    struct cursor c = cursor_at(in, 0, true);
    u32 magic = cursor_u32(&c);
    u64 size = cursor_u64(&c);

    if (c.bad || magic != 0x5a4c4942)
        return -EINVAL;
    return inflate_zlib(out, (struct bytes){c.at, cursor_left(&c)}, size);
}

int
image_data(struct image *img, struct image_section *s, struct bytes *out)
{
    struct bytes raw;

    *out = (struct bytes){(const unsigned char *)"", 0};
    if (!s || s->type == SHT_NOBITS)
        return 0;
    if (!s->loaded && s->status == 0) {
        raw = file_range(img, s->offset, s->size);
        if (raw.size == 0 && s->size > 0)
            s->status = -EINVAL;
        else if (s->flags & SHF_COMPRESSED)
            s->status = decompress(img, raw, &s->data);
        else if (strncmp(s->name, ".zdebug_", 8) == 0)
            s->status = decompress_old(raw, &s->data);
        else
            s->data = raw;
    }
    if (s->status < 0)
        return s->status;
    if (!s->loaded) {
        s->heap = s->data.at != raw.at ? (void *)(uintptr_t)s->data.at : NULL;
        s->loaded = true;
    }
    *out = s->data;
    return 0;
}

int
image_linked(struct image *img, const struct image_section *s, struct bytes *out)
{
    return image_data(img, s && s->link < img->section_count ? &img->sections[s->link]
                                                             : NULL, out);
}

int
image_named(struct image *img, const char *name, struct bytes *out)
{
    struct image_section *s = image_find(img, name);
    char old[64];

    if (!s && strncmp(name, ".debug_", 7) == 0) {
        snprintf(old, sizeof(old), ".z%s", name + 1);
        s = image_find(img, old);
    }
    return image_data(img, s, out);
}
