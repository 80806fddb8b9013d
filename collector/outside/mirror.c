/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/mirror.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collector/inspect/elfid.h"
#include "collector/outside/table.h"
#include "collector/sig/loaded.h"
#include "collector/sig/objtab.h"
#include "share/fmt.h"
#include "share/writeall.h"

enum {
    PAGE = 4096,
    PHDRS = 1024,    /* most program headers in a file */
    SECTIONS = 4096,
    SECTION_NAME = 32,
    PART = 32,          /* section headers that are read at once */
    NAMES_BYTES = 4096, /* bytes of section names that are read at once */
};

/* Not a canonical address, so not a valid return address or pointer. */
#define POISON 0x8badf00d8badf00dull

/* A mapping of this process that copies one of the target's, or a table for it. */
struct mirror_part {
    u64 lo, bytes;
    u32 instance;
    struct mirror_part *next;
};

/* What is known of a file that the target executes. */
struct image {
    int fd; /* -1 = the vdso */
    u64 bias;
    u64 file_bytes;
    Elf64_Ehdr header;
    u64 hdr, hdr_size;       /* .eh_frame_hdr in memory */
    u64 frames, frames_size; /* .eh_frame */
    u64 tables_lo, tables_hi; /* the mapped segment that contains these tables */
};

static u64
page_down(u64 at)
{
    return at & ~(u64)(PAGE - 1);
}

static u64
page_up(u64 at)
{
    return page_down(at + PAGE - 1);
}

int
mirror_open(struct mirror *m, int map, u64 stack_bytes)
{
    u64 bytes = page_up(stack_bytes) + 2 * PAGE;

    *m = (struct mirror){ .map = map, .buffer_bytes = bytes };
    m->copy = memfd_create("stack", MFD_CLOEXEC);
    if (m->copy < 0 || ftruncate(m->copy, (off_t)bytes) < 0)
        return -errno;
    m->buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->copy, 0);
    return m->buffer == MAP_FAILED ? -errno : 0;
}

static void
drop_part(struct mirror_part **link)
{
    struct mirror_part *part = *link;

    *link = part->next;
    munmap((void *)(uintptr_t)part->lo, part->bytes);
    free(part);
}

static int
keep_part(struct mirror *m, u64 lo, u64 bytes)
{
    struct mirror_part *part = malloc(sizeof(*part));

    if (!part)
        return -ENOMEM;
    *part = (struct mirror_part){ lo, bytes, m->objects, m->part };
    m->part = part;
    return 0;
}

/*
 * Unmap parts that overlap a new mapping of the target, unless they belong to the same
 * object.
 */
static void
make_way(struct mirror *m, u64 lo, u64 bytes)
{
    struct mirror_part **link = &m->part;

    while (*link)
        if ((*link)->instance != m->objects && (*link)->lo < lo + bytes &&
            lo < (*link)->lo + (*link)->bytes)
            drop_part(link);
        else
            link = &(*link)->next;
}

/*
 * Map memory at the target's address. 0 or -errno; m->apart is set if that address is
 * not free here.
 */
static int
map_at(struct mirror *m, u64 lo, u64 bytes, int fd, u64 offset)
{
    int flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (fd < 0 ? MAP_ANONYMOUS : 0);
    void *want = (void *)(uintptr_t)lo, *got;

    make_way(m, lo, bytes);
    got = mmap(want, bytes, fd < 0 ? PROT_READ | PROT_WRITE : PROT_READ, flags, fd,
               (off_t)offset);
    if (got != want) {
        if (got != MAP_FAILED)
            munmap(got, bytes);
        m->apart = 1;
        return -EBUSY;
    }
    return keep_part(m, lo, bytes);
}

static int
read_at(const struct image *image, void *to, size_t len, u64 offset)
{
    return offset <= INT64_MAX && len <= image->file_bytes &&
                   offset <= image->file_bytes - len &&
                   pread(image->fd, to, len, (off_t)offset) == (ssize_t)len
               ? 0 : -EIO;
}

/* Map a PT_LOAD segment, as far as the file contains it. */
static int
map_segment(struct mirror *m, struct image *image, const Elf64_Phdr *ph)
{
    u64 in_page = ph->p_vaddr % PAGE, lo = image->bias + ph->p_vaddr - in_page;
    u64 bytes = ph->p_filesz + in_page;

    if (!ph->p_filesz)
        return 0;
    if (ph->p_offset % PAGE != in_page || ph->p_filesz > image->file_bytes ||
        ph->p_offset > image->file_bytes - ph->p_filesz || lo + bytes < lo)
        return -ENOEXEC;
    return map_at(m, lo, page_up(bytes), image->fd, ph->p_offset - in_page);
}

/* Does a segment contain [at, at + bytes)? If so, store it as the tables' segment. */
static int
lies_in(struct image *image, const Elf64_Phdr *ph, u64 at, u64 bytes)
{
    u64 lo = image->bias + ph->p_vaddr, hi = lo + ph->p_filesz;

    if (ph->p_type != PT_LOAD || at < lo || at >= hi || bytes > hi - at)
        return 0;
    image->tables_lo = lo;
    image->tables_hi = hi;
    return 1;
}

/* The part of the section names that was read last. */
struct names {
    u64 at; /* in the file */
    u64 bytes;
    char text[NAMES_BYTES];
};

static int
has_name(const struct image *image, const struct names *names, u64 at, const char *name)
{
    size_t len = strlen(name) + 1;
    char text[SECTION_NAME];

    if (at < names->bytes && len <= names->bytes - at)
        return !memcmp(names->text + at, name, len);
    return read_at(image, text, len, names->at + at) == 0 && !memcmp(text, name, len);
}

/*
 * Find a section by name, which must be shorter than SECTION_NAME. Returns 0 if there
 * is none.
 */
static u64
named_section(const struct image *image, const Elf64_Shdr *strings, const char *name,
              Elf64_Shdr *found)
{
    const Elf64_Ehdr *eh = &image->header;
    struct names names = { .at = strings->sh_offset, .bytes = strings->sh_size };
    Elf64_Shdr part[PART];

    if (names.bytes > sizeof(names.text))
        names.bytes = sizeof(names.text);
    if (read_at(image, names.text, names.bytes, names.at) < 0)
        names.bytes = 0;
    for (u32 i = 0; i < eh->e_shnum && i < SECTIONS; i++) {
        u32 left = eh->e_shnum - i;

        if (i % PART == 0 &&
            read_at(image, part, (left < PART ? left : PART) * sizeof(*part),
                    eh->e_shoff + i * sizeof(*part)) < 0)
            return 0;
        *found = part[i % PART];
        if (found->sh_flags & SHF_ALLOC &&
            has_name(image, &names, found->sh_name, name))
            return found->sh_addr;
    }
    return 0;
}

/* Find .eh_frame by the section headers, as no program header describes it. */
static void
find_frames(struct image *image)
{
    const Elf64_Ehdr *eh = &image->header;
    Elf64_Shdr names, found;
    u64 at;

    if (eh->e_shentsize != sizeof(names) || eh->e_shstrndx >= eh->e_shnum ||
        read_at(image, &names, sizeof(names),
                eh->e_shoff + eh->e_shstrndx * sizeof(names)) < 0)
        return;
    at = named_section(image, &names, ".eh_frame", &found);
    if (!at)
        return;
    image->frames = image->bias + at;
    image->frames_size = found.sh_size;
}

/* Find the places of a Go program's runtime, by its function table. */
static void
find_go(struct mirror *m, const struct image *image)
{
    static const char *const tables[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
    const Elf64_Ehdr *eh = &image->header;
    Elf64_Shdr names, found;
    u64 text;

    if (eh->e_shentsize != sizeof(names) || eh->e_shstrndx >= eh->e_shnum ||
        read_at(image, &names, sizeof(names),
                eh->e_shoff + eh->e_shstrndx * sizeof(names)) < 0)
        return;
    text = named_section(image, &names, ".text", &found);
    for (u32 i = 0; i < ER_COUNT(tables) && !m->go.count; i++)
        if (named_section(image, &names, tables[i], &found))
            golang_read(&m->go, image->fd, found.sh_offset, found.sh_size, text,
                        image->bias);
}

/* Map the segments, and find the call frame information in them. */
static int
map_file(struct mirror *m, struct image *image)
{
    Elf64_Phdr ph[PHDRS];
    const Elf64_Ehdr *eh = &image->header;
    int hdr_is_in = 0, frames_are_in = 0, ret = 0;

    if (eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_phentsize != sizeof(*ph) ||
        eh->e_phnum > PHDRS ||
        read_at(image, ph, eh->e_phnum * sizeof(*ph), eh->e_phoff) < 0)
        return -ENOEXEC;
    find_frames(image);
    for (u32 i = 0; i < eh->e_phnum; i++)
        if (ph[i].p_type == PT_GNU_EH_FRAME) {
            image->hdr = image->bias + ph[i].p_vaddr;
            image->hdr_size = ph[i].p_memsz;
        }
    for (u32 i = 0; i < eh->e_phnum && ret == 0; i++) {
        if (ph[i].p_type == PT_LOAD)
            ret = map_segment(m, image, &ph[i]);
        frames_are_in |= lies_in(image, &ph[i], image->frames, image->frames_size);
    }
    for (u32 i = 0; i < eh->e_phnum && ret == 0; i++)
        hdr_is_in |= lies_in(image, &ph[i], image->hdr, image->hdr_size);
    if (!hdr_is_in)
        image->hdr = 0;
    if (!frames_are_in)
        image->frames = 0;
    return ret;
}

/*
 * Map a copy of this process's vdso as the target's: all processes have the same one.
 */
static int
map_vdso(struct mirror *m, struct image *image, const struct mirror_mapping *mapping,
         struct elfid *id)
{
    const unsigned char *own = (const void *)getauxval(AT_SYSINFO_EHDR);
    u64 bytes = mapping->hi - mapping->lo, len = bytes;
    const Elf64_Phdr *ph;
    int ret;

    if (!own)
        return -ENOENT;
    memcpy(&image->header, own, sizeof(image->header));
    if (image->header.e_phoff + image->header.e_phnum * sizeof(*ph) > PAGE)
        return -ENOEXEC;
    ph = (const void *)(own + image->header.e_phoff);
    for (u32 i = 0; i < image->header.e_phnum; i++) {
        if (ph[i].p_type == PT_LOAD && ph[i].p_filesz < len)
            len = ph[i].p_filesz;
        if (ph[i].p_type == PT_NOTE)
            elfid_read_notes(id, own + ph[i].p_offset, ph[i].p_filesz);
        if (ph[i].p_type == PT_GNU_EH_FRAME) {
            image->hdr = mapping->lo + ph[i].p_vaddr;
            image->hdr_size = ph[i].p_memsz;
        }
    }
    ret = map_at(m, mapping->lo, bytes, -1, 0);
    if (ret < 0)
        return ret;
    memcpy((void *)(uintptr_t)mapping->lo, own, len);
    image->bias = image->tables_lo = mapping->lo;
    image->tables_hi = mapping->lo + len;
    return 0;
}

static void
make_table(struct mirror *m, struct image *image)
{
    struct process_table table;

    if (image->hdr || !image->frames ||
        table_make(image->frames, image->frames + image->frames_size, &table) < 0)
        return;
    if (keep_part(m, table.at, page_up(table.bytes)) < 0) {
        munmap((void *)(uintptr_t)table.at, table.bytes);
        return;
    }
    image->hdr = table.at;
    image->hdr_size = table.bytes;
}

/* Is this path one of the collector's own libraries? */
static int
is_ours(const struct mirror *m, const char *path)
{
    size_t len = strlen(path);

    for (const char *p = m->ours; p && *p; p = strchr(p, ':') + 1)
        if (!strncmp(p, path, len) && p[len] == ':')
            return 1;
    return 0;
}

static const char *
kind_of(const struct mirror_mapping *mapping)
{
    if (!strcmp(mapping->name, "[vdso]"))
        return "vdso";
    /* Shared memory has a name that looks like a path, but there is no such file. */
    if (!strncmp(mapping->name, "/memfd:", 7) ||
        !strncmp(mapping->name, "/dev/zero", 9) || !strncmp(mapping->name, "/SYSV", 5))
        return "anon";
    return mapping->name[0] == '/' && mapping->name[1] != '/' ? "file" : "anon";
}

static void
write_object(struct mirror *m, const struct mirror_mapping *mapping, u64 bias,
             int is_file, const struct elfid *id)
{
    char line[6 * PATH_MAX + 1024];
    struct fmt f = fmt_start(line, sizeof(line));

    fmt_str(&f, "<object");
    fmt_attr_u64(&f, "id", m->objects);
    fmt_attr(&f, "kind", kind_of(mapping));
    fmt_attr_u64(&f, "time", mapping->mono);
    fmt_attr_hex(&f, "bias", bias);
    fmt_attr_hex(&f, "lo", mapping->lo);
    fmt_attr_hex(&f, "hi", mapping->hi);
    fmt_attr(&f, "name", mapping->name);
    if (*id->buildid)
        fmt_attr(&f, "buildid", id->buildid);
    if (is_file) {
        fmt_str(&f, " dev=\"");
        fmt_hex(&f, mapping->major, 1);
        fmt_char(&f, ':');
        fmt_hex(&f, mapping->minor, 1);
        fmt_char(&f, '"');
        fmt_attr_u64(&f, "inode", mapping->inode);
        fmt_attr_u64(&f, "fsize", (u64)id->st.st_size);
        fmt_attr_u64(&f, "mtime", (u64)id->st.st_mtim.tv_sec * 1000000000u +
                                      (u64)id->st.st_mtim.tv_nsec);
    }
    if (m->objects == 1)
        fmt_attr(&f, "flags", "main");
    else if (is_file && is_ours(m, mapping->name))
        fmt_attr(&f, "flags", "collector");
    fmt_str(&f, "/>\n");
    if (!f.cut)
        (void)writeall(m->map, line, (size_t)(f.at - line));
}

/* Open the file, if it is still the one that the target has mapped. */
static int
open_file(const struct mirror_mapping *mapping, struct image *image,
          struct elfid *id)
{
    int ret = elfid_read(mapping->name, makedev(mapping->major, mapping->minor),
                         mapping->inode, mapping->offset, id);
    struct stat st;

    if (ret < 0)
        return ret;
    if (!S_ISREG(id->st.st_mode) || !id->known)
        return -ENOEXEC;
    image->fd = open(mapping->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (image->fd < 0)
        return -errno;
    image->bias = mapping->lo - id->vaddr;
    image->file_bytes = (u64)id->st.st_size;
    if (fstat(image->fd, &st) < 0 || st.st_ino != id->st.st_ino ||
        st.st_dev != id->st.st_dev ||
        read_at(image, &image->header, sizeof(image->header), 0) < 0) {
        close(image->fd);
        return -ESTALE;
    }
    return 0;
}

/* Map the file's segments, and find its unwind tables and Go's places. 0 or -errno. */
static int
add_file(struct mirror *m, struct image *image)
{
    int ret = map_file(m, image);

    if (ret == 0)
        make_table(m, image);
    if (ret == 0 && !m->go.count)
        find_go(m, image);
    return ret;
}

/* Add the object to the unwinder's table; without unwind tables if ret < 0. */
static void
add_object(const struct mirror *m, const struct mirror_mapping *mapping,
           const struct image *image, int ret, u32 flags)
{
    u64 hdr = ret < 0 ? 0 : image->hdr;

    loaded_add(&(struct objtab_object){ .lo = mapping->lo,
                                        .hi = mapping->hi,
                                        .hdr = hdr,
                                        .hdr_size = hdr ? image->hdr_size : 0,
                                        .tables_lo = image->tables_lo,
                                        .tables_hi = image->tables_hi,
                                        .instance = m->objects,
                                        .flags = flags });
}

void
mirror_add(struct mirror *m, const struct mirror_mapping *mapping)
{
    struct image image = { .fd = -1, .bias = mapping->lo - mapping->offset };
    struct elfid id = { .known = 0 };
    const char *kind = kind_of(mapping);
    int ret = -ENOENT, is_file = 0;

    m->objects++;
    if (!strcmp(kind, "vdso")) {
        ret = map_vdso(m, &image, mapping, &id);
    } else if (!strcmp(kind, "file") && open_file(mapping, &image, &id) == 0) {
        is_file = 1;
        ret = add_file(m, &image);
        close(image.fd);
    }
    write_object(m, mapping, image.bias, is_file, &id);
    add_object(m, mapping, &image, ret,
               is_file && is_ours(m, mapping->name) ? OBJTAB_OURS : 0);
}

void
mirror_add_file(struct mirror *m, const struct mirror_mapping *mapping, int fd,
                u64 bias)
{
    struct image image = { .fd = fd, .bias = bias };
    struct elfid id = { .known = 0 };
    int ret = -ENOENT;
    struct stat st;

    m->objects++;
    if (fd == MIRROR_OWN_VDSO) {
        ret = map_vdso(m, &image, mapping, &id);
    } else if (fd >= 0 && fstat(fd, &st) == 0) {
        image.file_bytes = (u64)st.st_size;
        ret = read_at(&image, &image.header, sizeof(image.header), 0);
        if (ret == 0)
            ret = add_file(m, &image);
    }
    add_object(m, mapping, &image, ret, 0);
}

void
mirror_clear(struct mirror *m, u64 mono)
{
    char line[128];

    while (m->part)
        drop_part(&m->part);
    m->apart = 0;
    golang_clear(&m->go);
    for (u32 id = m->gone + 1; id <= m->objects; id++) {
        struct fmt f = fmt_start(line, sizeof(line));

        loaded_remove(0, ~0ull >> 16, id);
        if (m->map < 0)
            continue;
        fmt_str(&f, "<unload");
        fmt_attr_u64(&f, "id", id);
        fmt_attr_u64(&f, "time", mono);
        fmt_str(&f, "/>\n");
        (void)writeall(m->map, line, (size_t)(f.at - line));
    }
    m->gone = m->objects;
}

void
mirror_close(struct mirror *m)
{
    mirror_clear(m, 0);
    if (m->buffer && m->buffer != MAP_FAILED)
        munmap(m->buffer, m->buffer_bytes);
    if (m->copy >= 0)
        close(m->copy);
}

static void
poison(unsigned char *from, const unsigned char *to)
{
    static const u64 word = POISON;

    for (; from < to; from++)
        *from = (unsigned char)(word >> 8 * ((uintptr_t)from % 8));
}

int
mirror_show(struct mirror *m, u64 sp, const unsigned char *bytes, u64 count)
{
    u64 lo = page_down(sp), hi = page_up(sp + count);
    void *want = (void *)(uintptr_t)lo, *got;

    if (hi <= lo || hi - lo > m->buffer_bytes)
        return -EINVAL;
    poison(m->buffer, m->buffer + (sp - lo));
    memcpy(m->buffer + (sp - lo), bytes, count);
    poison(m->buffer + (sp - lo) + count, m->buffer + (hi - lo));
    got = mmap(want, hi - lo, PROT_READ,
               MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_POPULATE, m->copy, 0);
    if (got != want) {
        if (got != MAP_FAILED)
            munmap(got, hi - lo);
        return -EBUSY;
    }
    m->shown = lo;
    m->shown_bytes = hi - lo;
    return 0;
}

void
mirror_hide(struct mirror *m)
{
    if (m->shown)
        munmap((void *)(uintptr_t)m->shown, m->shown_bytes);
    m->shown = 0;
}
