/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/map.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collector/action/handler.h"
#include "collector/sig/guard.h"
#include "collector/preload/instance.h"
#include "collector/preload/maps.h"
#include "collector/preload/maptext.h"
#include "collector/preload/phdr.h"
#include "collector/preload/program.h"
#include "collector/preload/python.h"
#include "collector/preload/clients.h"
#include "collector/preload/stack.h"
#include "collector/sig/clock.h"
#include "collector/sig/early.h"
#include "collector/sig/gate.h"
#include "collector/sig/guess.h"
#include "collector/sig/mem.h"
#include "collector/sig/loaded.h"
#include "collector/sig/objtab.h"
#include "collector/sig/thread.h"
#include "share/attach.h"
#include "share/fmt.h"
#include "share/mapname.h"

enum {
    NAME_BYTES = 1024,
    BUILD_ID_BYTES = 32,
    PAGE = 4096,
};

enum kind {
    KIND_FILE,
    KIND_VDSO,
    KIND_ANON,
};

static const char *const kind_names[] = { "file", "vdso", "anon" };

/* An object that was found. */
struct found {
    u64 lo; /* range of its executable segments */
    u64 hi;
    u64 bias;
    u64 hdr; /* address of .eh_frame_hdr; 0 = none */
    u64 hdr_size;
    u64 tables_lo; /* the segment that hdr is in */
    u64 tables_hi;
    enum kind kind;
    u32 flags;
    u32 mapped; /* 1 = found in /proc/self/maps, unknown to the loader */
    const char *name;
    unsigned char build_id[BUILD_ID_BYTES];
    u32 build_id_len;
    int go; /* 1 = it has Go's runtime */
    struct stat st; /* st_ino 0 = unknown */
};

static u32 round_now;
static u32 loader_doubtful; /* 1 = its lock may be held for ever; 2 = in dlopen() */

/*
 * A hash of what identifies an object: its name and build-id, even if its file was
 * changed since; of one without a build-id, also o->st, which is all 0 for the others.
 */
static u64
check_of(const struct found *o)
{
    u64 hash = 0xcbf29ce484222325u; /* FNV-1a */
    u64 parts[] = { o->st.st_dev, o->st.st_ino, (u64)o->st.st_size,
                    (u64)o->st.st_mtim.tv_sec, (u64)o->st.st_mtim.tv_nsec };

    for (const char *p = o->name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
    for (u32 i = 0; i < o->build_id_len; i++)
        hash = (hash ^ o->build_id[i]) * 0x100000001b3u;
    for (u32 i = 0; i < ER_COUNT(parts); i++)
        hash = (hash ^ parts[i]) * 0x100000001b3u;
    return hash;
}

static void
put_identity(struct fmt *f, const struct found *o)
{
    if (o->build_id_len) {
        fmt_str(f, " buildid=\"");
        for (u32 i = 0; i < o->build_id_len; i++)
            fmt_hex(f, o->build_id[i], 2);
        fmt_char(f, '"');
    }
    if (!o->st.st_ino)
        return;
    fmt_str(f, " dev=\"");
    fmt_hex(f, major(o->st.st_dev), 1);
    fmt_char(f, ':');
    fmt_hex(f, minor(o->st.st_dev), 1);
    fmt_char(f, '"');
    fmt_attr_u64(f, "inode", o->st.st_ino);
    fmt_attr_u64(f, "fsize", (u64)o->st.st_size);
    fmt_attr_u64(f, "mtime", (u64)o->st.st_mtim.tv_sec * 1000000000u +
                                 (u64)o->st.st_mtim.tv_nsec);
}

static void
put_object(struct maptext *out, const struct instance *i, const struct found *o)
{
    struct fmt *f = &out->f;

    fmt_str(f, "<object");
    fmt_attr_u64(f, "id", i->id);
    fmt_attr(f, "kind", kind_names[o->kind]);
    fmt_attr_u64(f, "time", clock_mono());
    fmt_attr_hex(f, "bias", o->bias);
    fmt_attr_hex(f, "lo", o->lo);
    fmt_attr_hex(f, "hi", o->hi);
    fmt_attr(f, "name", o->name);
    put_identity(f, o);
    if (i->id == 1)
        fmt_attr(f, "flags", "main");
    else if (o->flags & OBJTAB_OURS)
        fmt_attr(f, "flags", "collector");
    else if (o->mapped && o->kind == KIND_FILE)
        fmt_attr(f, "flags", "mapped");
    maptext_end_line(out);
}

static void
put_change(struct maptext *out, const char *what, u32 id)
{
    fmt_char(&out->f, '<');
    fmt_str(&out->f, what);
    fmt_attr_u64(&out->f, "id", id);
    fmt_attr_u64(&out->f, "time", clock_mono());
    maptext_end_line(out);
}

/* Write the numbers (early.h) that nodes got for this object before it was met. */
static void
put_early(struct maptext *out, const struct instance *i, const struct found *o)
{
    u32 number;

    while ((number = early_arrived(o->lo, o->hdr)) != 0) {
        fmt_str(&out->f, "<early");
        fmt_attr_u64(&out->f, "id", i->id);
        fmt_attr_u64(&out->f, "nodes", number);
        maptext_end_line(out);
    }
}

static void
to_table(const struct instance *i, const struct found *o)
{
    loaded_add(&(struct objtab_object){ .lo = o->lo,
                                        .hi = o->hi,
                                        .hdr = o->hdr,
                                        .hdr_size = o->hdr_size,
                                        .tables_lo = o->tables_lo,
                                        .tables_hi = o->tables_hi,
                                        .instance = i->id,
                                        .flags = i->flags });
}

/* Take the name of an object's file from the kernel: the loader's may be relative. */
static void
name_mapping(const struct maps_line *line, void *arg)
{
    static char whole[NAME_BYTES];
    struct found *o = arg;
    size_t len = strlen(line->name);

    if (o->lo < line->lo || o->lo >= line->hi || *line->name != '/' ||
        len >= sizeof(whole))
        return;
    memcpy(whole, line->name, len + 1);
    o->name = whole;
}

static void
read_file(struct found *o)
{
    if (o->kind != KIND_FILE)
        return;
    if (*o->name != '/')
        maps_read(name_mapping, o);
    if (stat(o->name, &o->st) < 0)
        o->st.st_ino = 0;
}

/* Record that an object is loaded, if that is not recorded: new, or loaded again. */
static void
record_load(struct maptext *out, struct found *o)
{
    struct instance like = { .flags = o->flags,
                             .mapped = o->mapped,
                             .lo = o->lo,
                             .hi = o->hi,
                             .bias = o->bias,
                             .check = check_of(o) };
    struct instance *i = instance_find(o->lo, o->hi, o->bias, like.check);
    int is_new = !i;

    if (is_new)
        i = instance_new(&like);
    if (!i)
        return;
    i->round = round_now;
    if (i->loaded)
        return;
    instance_load(i);
    if (is_new) {
        read_file(o);
        put_object(out, i, o);
    } else {
        put_change(out, "load", i->id);
    }
    to_table(i, o);
    put_early(out, i, o);
}

/* Find the build-id (NT_GNU_BUILD_ID) among the notes in [p, end) (elf(5)). */
static void
find_build_id(struct found *o, const char *p, const char *end)
{
    while (end - p >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)p;
        u64 name = (note->n_namesz + 3u) & ~3ull;
        u64 desc = (note->n_descsz + 3u) & ~3ull;
        const char *text = p + sizeof(*note);

        if (name + desc > (u64)(end - text))
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            !memcmp(text, "GNU", 4) && note->n_descsz <= BUILD_ID_BYTES) {
            memcpy(o->build_id, text + name, note->n_descsz);
            o->build_id_len = note->n_descsz;
            return;
        }
        p = text + name + desc;
    }
}

static void
read_headers(struct found *o, const struct dl_phdr_info *info)
{
    o->bias = info->dlpi_addr;
    o->lo = ~0ull;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        u64 at = info->dlpi_addr + ph->p_vaddr;

        if (ph->p_type == PT_LOAD && ph->p_flags & PF_X) {
            o->lo = at < o->lo ? at : o->lo;
            o->hi = at + ph->p_memsz > o->hi ? at + ph->p_memsz : o->hi;
        } else if (ph->p_type == PT_NOTE &&
                   phdr_is_loaded(info->dlpi_phdr, info->dlpi_phnum, ph)) {
            const char *notes = (const char *)(uintptr_t)at;

            find_build_id(o, notes, notes + ph->p_filesz);
            o->go |= program_has_go_note(notes, notes + ph->p_filesz);
        } else if (ph->p_type == PT_GNU_EH_FRAME) {
            o->hdr = at;
            o->hdr_size = ph->p_memsz;
            ph = phdr_readable(info->dlpi_phdr, info->dlpi_phnum, ph->p_vaddr);
            o->tables_lo = ph ? info->dlpi_addr + ph->p_vaddr : 0;
            o->tables_hi = ph ? o->tables_lo + ph->p_filesz : 0;
        }
    }
}

/* The program's path; "" if the user executed the loader: then the mapping has it. */
static const char *
main_name(void)
{
    static char name[NAME_BYTES];
    ssize_t len;

    if (!*name && getauxval(AT_BASE)) {
        len = readlink("/proc/self/exe", name, sizeof(name) - 1);
        name[len > 0 ? len : 0] = 0;
    }
    return name;
}

/* Set the main program's name, and its file's status (once) if it has no build-id. */
static void
read_main(struct found *o)
{
    static struct stat st;

    o->name = main_name();
    o->st = st;
    if (!o->build_id_len && !st.st_ino) {
        read_file(o);
        st = o->st;
    }
}

/* Is this a family's library, in our directory? It may not have registered yet. */
static int
is_family(const char *name, const char *own)
{
    const char *base = strrchr(name, '/');
    const char *own_base = own ? strrchr(own, '/') : NULL;

    if (!base || !own_base || base - name != own_base - own ||
        memcmp(name, own, (size_t)(base - name)) != 0)
        return 0;
    for (int i = 0; i < TRACE_COUNT; i++)
        if (!strcmp(base + 1, er_traces[i].library))
            return 1;
    return !strcmp(base + 1, "libwait.so"); /* has no file of its own */
}

static int
is_java(const char *name)
{
    const char *base = strrchr(name, '/');

    return !strcmp(base ? base + 1 : name, "libjvm.so");
}

/* libcollector.so is before the families in the loader's list, so `own` is set. */
static int
is_ours(const struct found *o)
{
    static const char *own;
    u64 here = (u64)(uintptr_t)&map_refresh;

    if (here >= o->lo && here < o->hi) {
        own = o->name;
        return 1;
    }
    return clients_in(o->lo, o->hi) || is_family(o->name, own);
}

/* How far the loader's list was read; the loader appends new objects to it. */
static struct {
    u64 adds, subs; /* the loader's counters when the list was last read */
    u32 met;        /* number of objects in the list when it was last read */
    u64 adds_now, subs_now;
    u32 old; /* objects to skip now: `met`, or 0 if one was unloaded since */
    u32 at;
} list;

/* One object of the loader's list; called under its lock. */
static int
each_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct found o = { .name = info->dlpi_name };
    u64 vdso = getauxval(AT_SYSINFO_EHDR);

    (void)size;
    if (list.at == 0 && info->dlpi_subs != list.subs)
        list.old = 0;
    list.adds_now = info->dlpi_adds;
    list.subs_now = info->dlpi_subs;
    if (list.at++ < list.old)
        return 0;
    read_headers(&o, info);
    if (o.lo >= o.hi)
        return 0;
    if (vdso >= o.lo - PAGE && vdso < o.hi) {
        o.kind = KIND_VDSO;
        o.flags = OBJTAB_VDSO;
        o.name = "[vdso]";
    } else {
        if (!*o.name)
            read_main(&o);
        else if (!o.build_id_len)
            read_file(&o);
        if (is_ours(&o))
            o.flags = OBJTAB_OURS;
        if (o.go && !thread_alt_shared)
            handler_share_stacks();
        if (is_java(o.name))
            guess_java = 1;
        python_find(info);
    }
    record_load(arg, &o);
    return 0;
}

/* Argument of has_gone(): objects that this round has not found have been unloaded. */
struct departure {
    struct maptext *out; /* NULL: not written to map.xml */
    int all;         /* 1 = the round has read the mappings, too */
    int none;        /* 1 = none that the loader knows was unloaded */
};

static int
has_gone(const struct instance *i, void *arg)
{
    const struct departure *d = arg;

    if (i->round == round_now || (i->mapped ? !d->all : d->none))
        return 0;
    loaded_remove(i->lo, i->hi, i->id);
    python_unload(i->lo, i->hi);
    if (d->out)
        put_change(d->out, "unload", i->id);
    return 1;
}

/* Record an executable mapping that the loader does not know. */
static void
each_mapping(const struct maps_line *line, void *arg)
{
    struct found o = { .lo = line->lo, .hi = line->hi, .mapped = 1 };

    if (!line->executable || line->lo >> 47 ||
        !strncmp(line->name, ATTACH_MAPPED, sizeof(ATTACH_MAPPED) - 1))
        return;
    /* Skip a mapping that is part of a known object. The kernel lists whole pages. */
    if (instance_covers(line->lo, line->hi, round_now))
        return;
    o.name = *line->name ? line->name : "[anonymous]";
    o.kind = line->inode && !maps_is_memory(line->name) ? KIND_FILE : KIND_ANON;
    o.flags = o.kind == KIND_FILE ? 0 : OBJTAB_ANONYMOUS;
    o.bias = line->lo - line->offset;
    if (o.kind == KIND_FILE && stat(o.name, &o.st) < 0)
        o.st.st_ino = 0;
    record_load(arg, &o);
}

static int
each_bias(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    instance_mark_loaded(info->dlpi_addr, round_now);
    return 0;
}

/*
 * map_refresh() if gate_limited: only remove unloaded objects from the table, lest
 * their unwind tables, which are unmapped, be read.
 */
static int
forget_gone(void)
{
    u64 mask = guard_enter();

    guard_lock(&guard_map);
    round_now++;
    dl_iterate_phdr(each_bias, NULL);
    instance_sweep(has_gone, &(struct departure){ 0 });
    guard_unlock(&guard_map);
    guard_leave(mask);
    return 0;
}

static int
cannot_be_read(const struct instance *i, void *arg)
{
    (void)arg;
    if (mem_probe_forbidden || sys_readable(i->lo & ~7ull))
        return 0;
    loaded_remove(i->lo, i->hi, i->id);
    return 1;
}

/* As forget_gone(), without the loader: if code cannot be read, it was unloaded. */
static int
forget_unmapped(void)
{
    u64 mask = guard_enter();

    if (guard_try(&guard_map)) {
        instance_sweep(cannot_be_read, NULL);
        guard_unlock(&guard_map);
    }
    guard_leave(mask);
    return 0;
}

void
map_doubt_loader(void)
{
    loader_doubtful = 1;
}

void
map_call_loader(void)
{
    if (ER_UNLIKELY(loader_doubtful))
        loader_doubtful = 2;
}

void
map_trust_loader(void)
{
    if (ER_UNLIKELY(loader_doubtful == 2))
        loader_doubtful = 0;
}

struct refresh {
    int all;
    int error;
};

/* The work of map_refresh(). guard_map is held. */
static void
refresh(void *arg)
{
    struct refresh *r = arg;
    struct maptext out;

    maptext_open(&out);
    round_now++;
    list.old = r->all ? 0 : list.met;
    list.at = 0;
    dl_iterate_phdr(each_object, &out);
    list.met = list.at;
    if (r->all)
        r->error = maps_read(each_mapping, &out);
    instance_sweep(has_gone, &(struct departure){ &out, r->all && r->error == 0,
                                                  list.old != 0 });
    /* From now on, others may assume that the table agrees with the loader's list. */
    __atomic_store_n(&list.adds, list.adds_now, __ATOMIC_RELEASE);
    __atomic_store_n(&list.subs, list.subs_now, __ATOMIC_RELEASE);
    maptext_close(&out);
    __atomic_store_n(&objtab_refresh_wanted, 0, __ATOMIC_RELAXED);
}

int
map_refresh(int all)
{
    struct refresh r = { all, 0 };
    int saved = errno, state;
    u64 mask;

    if (loader_doubtful)
        return forget_unmapped();
    if (gate_limited)
        return forget_gone();
    mask = guard_enter();
    /* The callers must not become cancellation points. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    /* Do not wait: the holder may wait for the loader's lock, which we may hold. */
    if (!guard_try(&guard_map)) {
        __atomic_store_n(&objtab_refresh_wanted, 1, __ATOMIC_RELAXED);
        guard_leave(mask);
        pthread_setcancelstate(state, NULL);
        errno = saved;
        return 0;
    }
    stack_run(refresh, &r);
    guard_unlock(&guard_map);
    python_log();
    guard_leave(mask);
    pthread_setcancelstate(state, NULL);
    errno = saved;
    return r.error;
}

static int
each_counter(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(int *)arg = info->dlpi_adds != __atomic_load_n(&list.adds, __ATOMIC_ACQUIRE) ||
                   info->dlpi_subs != __atomic_load_n(&list.subs, __ATOMIC_ACQUIRE);
    return 1;
}

void
map_refresh_if_changed(void)
{
    int changed = 0;

    if (__atomic_load_n(&objtab_refresh_wanted, __ATOMIC_RELAXED)) {
        map_refresh(1);
        return;
    }
    if (loader_doubtful)
        changed = 1;
    else
        dl_iterate_phdr(each_counter, &changed);
    if (changed)
        map_refresh(0);
}

u32
map_instance(u64 address)
{
    struct objtab_object object;

    return address && objtab_find(address, &object) ? object.instance : 0;
}
