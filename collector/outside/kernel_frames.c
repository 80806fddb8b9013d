/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/kernel_frames.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/inspect/moment.h"
#include "share/fmt.h"
#include "share/logxml.h"
#include "share/writeall.h"
#include "share/readfile.h"

#define KERNEL_NAME "[kernel]"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

enum {
    LAST_BYTES = 4096,    /* assumed size of a function without a successor */
    LINE = 1024,
    BOOT_BYTES = 64,
};

/* The kernel's half of the address space, and where code in it begins (low 48 bits). */
static const u64 half = 1ull << 63;
static const u64 code = 0xffff80000000;

struct kernel_symbol {
    u64 address;
    const char *name;
    const char *module; /* with its brackets; "" = the kernel itself */
};

/* Bits of kernel_frames.told. */
enum {
    TOLD_OBJECT = 1, /* only at an object's first symbol: the object was written */
    TOLD_SYMBOL = 2,
};

/* The content of a file of /proc, with a final zero. NULL if it cannot be read. */
static char *
read_text(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    size_t size;

    if (fd < 0)
        return NULL;
    readfile_stream(fd, SIZE_MAX - 1, &text, &size);
    close(fd);
    return text;
}

/*
 * Parse a line "ADDRESS TYPE NAME[\t[MODULE]]", in place. 1 if the symbol is code; it
 * then points into the line.
 */
static int
parse_line(char *line, struct kernel_symbol *symbol)
{
    char *type, *module;

    *symbol = (struct kernel_symbol){ .address = strtoull(line, &type, 16),
                                      .module = "" };
    if (type == line || type[0] != ' ' || !type[1] || !strchr("tTwW", type[1]) ||
        type[2] != ' ' || symbol->address < half)
        return 0;
    symbol->address &= NODE_PC_MASK;
    symbol->name = type + 3;
    module = strchr(type + 3, '\t');
    if (module) {
        *module = '\0';
        symbol->module = module + 1;
    }
    return 1;
}

static u32
leading(const char *name)
{
    return (u32)strspn(name, "_");
}

/* Order symbols by address; among several at one address, the simplest name first. */
static int
by_address(const void *a, const void *b)
{
    const struct kernel_symbol *left = a, *right = b;

    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    if (leading(left->name) != leading(right->name))
        return leading(left->name) < leading(right->name) ? -1 : 1;
    if (strlen(left->name) != strlen(right->name))
        return strlen(left->name) < strlen(right->name) ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* Where symbol number i ends. */
static u64
end_of(const struct kernel_frames *k, u32 i)
{
    const struct kernel_symbol *symbol = &k->symbol[i];
    u64 most = symbol->address + LAST_BYTES;

    while (i < k->count && k->symbol[i].address == symbol->address)
        i++;
    if (i == k->count)
        return most;
    if (strcmp(k->symbol[i].module, symbol->module) && k->symbol[i].address > most)
        return most;
    return k->symbol[i].address;
}

/* Find the address range of an object's code. Returns the index of its first symbol. */
static u32
find_range(const struct kernel_frames *k, const char *module, u64 *lo, u64 *hi)
{
    u32 first = 0;

    *lo = *hi = 0;
    for (u32 i = 0; i < k->count; i++) {
        if (strcmp(k->symbol[i].module, module) != 0)
            continue;
        if (!*hi) {
            *lo = k->symbol[i].address;
            first = i;
        }
        *hi = end_of(k, i);
    }
    return first;
}

/* Filled by kernel_frames_preload(); forked processes use it. */
static struct kernel_frames preloaded;

static void
read_symbols(struct kernel_frames *k)
{
    u32 lines = 1;
    char *next;

    if (preloaded.is_read) {
        k->text = preloaded.text;
        k->symbol = preloaded.symbol;
        k->count = preloaded.count;
        k->lo = preloaded.lo;
        k->hi = preloaded.hi;
        return;
    }
    k->text = read_text("/proc/kallsyms");
    for (const char *p = k->text; p && (p = strchr(p, '\n')); p++)
        lines++;
    k->symbol = k->text ? malloc(lines * sizeof(*k->symbol)) : NULL;
    for (char *line = k->text; k->symbol && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        k->count += (u32)parse_line(line, &k->symbol[k->count]);
    }
    if (!k->count)
        return;
    qsort(k->symbol, k->count, sizeof(*k->symbol), by_address);
    (void)find_range(k, "", &k->lo, &k->hi);
}

/*
 * Copy bytes to shared memory, which fork() does not duplicate; never freed. NULL = no
 * memory.
 */
static void *
share(const void *from, size_t bytes)
{
    void *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                    0);

    return to == MAP_FAILED ? NULL : memcpy(to, from, bytes);
}

void
kernel_frames_preload(void)
{
    struct kernel_frames *k = &preloaded;
    char *text;
    const char *end;

    if (k->is_read)
        return;
    read_symbols(k);
    k->is_read = 1;
    end = k->count ? k->symbol[k->count - 1].name : NULL;
    for (u32 i = 0; i < k->count; i++) {
        const char *last = *k->symbol[i].module ? k->symbol[i].module
                                                : k->symbol[i].name;

        if (last > end)
            end = last;
    }
    text = end ? share(k->text, (size_t)(end + strlen(end) + 1 - k->text)) : NULL;
    for (u32 i = 0; text && i < k->count; i++) {
        struct kernel_symbol *symbol = &k->symbol[i];

        symbol->name = text + (symbol->name - k->text);
        if (*symbol->module)
            symbol->module = text + (symbol->module - k->text);
    }
    if (text) {
        struct kernel_symbol *all = share(k->symbol, k->count * sizeof(*all));

        free(k->text);
        k->text = text;
        if (all) {
            free(k->symbol);
            k->symbol = all;
        }
    }
}

static void
write_object(struct kernel_frames *k, const char *name, u64 lo, u64 hi)
{
    char line[LINE], boot[BOOT_BYTES] = "";
    struct fmt f = fmt_start(line, sizeof(line));
    int fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);

    if (fd >= 0 && read(fd, boot, sizeof(boot) - 1) > 0)
        boot[strcspn(boot, "\n")] = '\0';
    if (fd >= 0)
        close(fd);
    fmt_str(&f, "<object");
    fmt_attr_u64(&f, "id", KERNEL_FIRST_ID + ++k->objects);
    fmt_attr(&f, "kind", "kernel");
    fmt_attr_u64(&f, "time", 0);
    fmt_attr_hex(&f, "bias", code);
    fmt_attr_hex(&f, "lo", lo);
    fmt_attr_hex(&f, "hi", hi);
    fmt_attr(&f, "name", name);
    fmt_attr(&f, "boot", boot);
    fmt_str(&f, "/>\n");
    if (!f.cut)
        (void)writeall(k->map, line, (size_t)(f.at - line));
}

static void
write_symbol(const struct kernel_frames *k, const struct kernel_symbol *symbol, u64 hi)
{
    char line[LINE];
    struct fmt f = fmt_start(line, sizeof(line));

    fmt_str(&f, "<symbol");
    fmt_attr_hex(&f, "lo", symbol->address);
    fmt_attr_hex(&f, "hi", hi);
    fmt_attr(&f, "name", symbol->name);
    fmt_str(&f, "/>\n");
    if (!f.cut)
        (void)writeall(k->map, line, (size_t)(f.at - line));
}

/* Write the object to map.xml, with the address range of its code. */
static void
add_object(struct kernel_frames *k, const char *module)
{
    u64 lo = k->lo, hi = k->hi;
    u32 first = *module ? find_range(k, module, &lo, &hi) : 0;

    if (*module && k->told[first] & TOLD_OBJECT)
        return;
    k->told[first] |= TOLD_OBJECT;
    write_object(k, *module ? module : KERNEL_NAME, lo, hi);
}

/* The symbols are read: write the kernel itself as an object to map.xml. */
static void
begin_map(struct kernel_frames *k)
{
    k->told = k->count ? calloc(k->count, 1) : NULL;
    if (!k->told)
        k->count = 0;
    if (k->count) {
        add_object(k, "");
        return;
    }
    write_object(k, KERNEL_NAME, code, NODE_PC_MASK);
    (void)log_event(k->log, EVENT_kernel_unnamed, moment_mono(), NULL, NULL, NULL, 0);
}

/* The first symbol of the function that contains an address; NULL = there is none. */
static const struct kernel_symbol *
find(const struct kernel_frames *k, u64 address)
{
    u32 low = 0, high = k->count;

    while (low < high) {
        u32 middle = low + (high - low) / 2;

        if (k->symbol[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    for (low--; low && k->symbol[low - 1].address == k->symbol[low].address; low--)
        ;
    return address < end_of(k, low) ? &k->symbol[low] : NULL;
}

/* Write the function that contains an address to map.xml, unless it is there. */
static void
add_symbol(struct kernel_frames *k, u64 address)
{
    const struct kernel_symbol *symbol = find(k, address);
    u32 i = symbol ? (u32)(symbol - k->symbol) : 0;

    if (!symbol || k->told[i] & TOLD_SYMBOL)
        return;
    k->told[i] |= TOLD_SYMBOL;
    if (*symbol->module)
        add_object(k, symbol->module);
    write_symbol(k, symbol, end_of(k, i));
}

static void *
run_reader(void *arg)
{
    struct kernel_frames *k = arg;

    read_symbols(k);
    __atomic_store_n(&k->is_read, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Begin to read the symbols; once. All signals are for the thread that calls this. */
static void
start(struct kernel_frames *k)
{
    sigset_t all, before;

    k->is_started = 1;
    if (preloaded.is_read) {
        read_symbols(k);
        begin_map(k);
        return;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    k->is_reading = pthread_create(&k->reader, NULL, run_reader, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (k->is_reading)
        return;
    read_symbols(k);
    begin_map(k);
}

/* Join the thread, and write the functions of the frames that came before. */
static void
end_reading(struct kernel_frames *k)
{
    if (!k->is_reading)
        return;
    pthread_join(k->reader, NULL);
    k->is_reading = 0;
    begin_map(k);
    for (u32 i = 0; i < k->early_count; i++)
        add_symbol(k, k->early[i]);
    free(k->early);
    k->early = NULL;
}

/* Keep an address until the symbols are read. 0 = there is no memory for it. */
static int
keep_early(struct kernel_frames *k, u64 address)
{
    if (k->early_count == k->early_room) {
        u32 room = k->early_room ? 2 * k->early_room : 1024;
        u64 *grown = reallocarray(k->early, room, sizeof(*grown));

        if (!grown)
            return 0;
        k->early = grown;
        k->early_room = room;
    }
    k->early[k->early_count++] = address;
    return 1;
}

/* Write the function that contains an address to map.xml, now or later. */
static void
name_frame(struct kernel_frames *k, u64 address)
{
    if (k->is_reading && keep_early(k, address))
        return;
    end_reading(k);
    add_symbol(k, address);
}

void
kernel_frames_close(struct kernel_frames *k)
{
    end_reading(k);
}

const char *
kernel_frames_name(struct kernel_frames *k, u64 address)
{
    const struct kernel_symbol *symbol;

    if (!k->is_started)
        start(k);
    end_reading(k);
    symbol = address < half ? NULL : find(k, address & NODE_PC_MASK);
    return symbol ? symbol->name : NULL;
}

u32
kernel_frames_add(struct kernel_frames *k, u32 node, const unsigned char *frames,
                  u64 count)
{
    if (count && !k->is_started)
        start(k);
    if (__atomic_load_n(&k->is_read, __ATOMIC_ACQUIRE))
        end_reading(k);
    for (u64 i = count; i-- > 0;) {
        u64 pc, key;
        u32 hash, next;

        memcpy(&pc, frames + 8 * i, sizeof(pc));
        if (pc < half)
            continue;
        pc &= NODE_PC_MASK;
        name_frame(k, i ? pc - 1 : pc);
        key = node_key(pc, i ? 0 : NODE_EXACT);
        hash = node_hash(node_hash(NODE_ROOT_HASH, node), key);
        next = node_cached(node, key, hash, node_mask_now());
        if (!next)
            next = node_intern(&k->batch, node, key, hash);
        if (!next)
            return 0;
        node = next;
    }
    return node;
}
