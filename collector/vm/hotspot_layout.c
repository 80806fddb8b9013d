/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/hotspot_layout.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "collector/libc/real.h"
#include "collector/preload/made.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_method.h"
#include "collector/vm/java_thread.h"

enum how {
    OFFSET,  /* a u32 of the layout: the offset of a field */
    ADDRESS, /* a u64 of the layout: the address of a static variable */
};

/*
 * What is read from the tables of libjvm.so; a member that is not there stays ~0, or 0
 * if it is an address.
 */
struct tables {
    struct hotspot_layout code;
    struct hotspot_method_layout method;
    struct java_thread_layout thread;
    u64 version_at;
    u32 entry_index; /* ConstantPoolCacheEntry, in older versions */
};

/* The entries of gHotSpotVMStructs that we read. */
static const struct {
    const char *type;
    const char *field;
    u32 member; /* offset in struct tables of what is set */
    enum how how;
    int need; /* 1 = without it nothing is used; 0 = some versions lack it */
} wanted[] = {
#define AT(member) \
    offsetof(struct tables, code) + offsetof(struct hotspot_layout, member)
#define THREAD(member) \
    offsetof(struct tables, thread) + offsetof(struct java_thread_layout, member)
#define METHOD(member)                  \
    offsetof(struct tables, method) + \
        offsetof(struct hotspot_method_layout, member)
#define FIELDS(member) METHOD(entries[HOTSPOT_FIELDS].member)
#define CALLS(member)  METHOD(entries[HOTSPOT_CALLS].member)
#define DYNAMIC(member) METHOD(entries[HOTSPOT_DYNAMIC].member)
    { "Method", "_constMethod", METHOD(method_const), OFFSET, 0 },
    { "ConstMethod", "_constants", METHOD(const_constants), OFFSET, 0 },
    { "ConstMethod", "_flags", METHOD(const_flags), OFFSET, 0 },
    { "ConstMethod", "_flags._flags", METHOD(const_flags), OFFSET, 0 },
    { "ConstMethod", "_code_size", METHOD(const_code_size), OFFSET, 0 },
    { "ConstMethod", "_name_index", METHOD(const_name), OFFSET, 0 },
    { "ConstMethod", "_signature_index", METHOD(const_signature), OFFSET, 0 },
    { "ConstantPool", "_pool_holder", METHOD(pool_holder), OFFSET, 0 },
    { "ConstantPool", "_source_file_name_index", METHOD(pool_source), OFFSET, 0 },
    { "Klass", "_name", METHOD(class_name), OFFSET, 0 },
    { "ConstantPool", "_tags", METHOD(pool_tags), OFFSET, 0 },
    { "ConstantPool", "_cache", METHOD(pool_cache), OFFSET, 0 },
    { "Array<u1>", "_data", METHOD(small_first), OFFSET, 0 },
    { "ConstantPoolCache", "_reference_map", METHOD(cache_references), OFFSET, 0 },
    { "ConstantPoolCache", "_resolved_field_entries", FIELDS(array), OFFSET, 0 },
    { "Array<ResolvedFieldEntry>", "_data", FIELDS(first), OFFSET, 0 },
    { "ResolvedFieldEntry", "_cpool_index", FIELDS(index), OFFSET, 0 },
    { "ConstantPoolCache", "_resolved_method_entries", CALLS(array), OFFSET, 0 },
    { "Array<ResolvedMethodEntry>", "_data", CALLS(first), OFFSET, 0 },
    { "ResolvedMethodEntry", "_cpool_index", CALLS(index), OFFSET, 0 },
    { "ConstantPoolCache", "_resolved_indy_entries", DYNAMIC(array), OFFSET, 0 },
    { "Array<ResolvedIndyEntry>", "_data", DYNAMIC(first), OFFSET, 0 },
    { "ResolvedIndyEntry", "_cpool_index", DYNAMIC(index), OFFSET, 0 },
    { "ConstantPoolCacheEntry", "_indices", offsetof(struct tables, entry_index),
      OFFSET, 0 },
    { "Symbol", "_length", METHOD(symbol_length), OFFSET, 0 },
    { "Symbol", "_body", METHOD(symbol_body), OFFSET, 0 },
    { "Abstract_VM_Version", "_vm_major_version", offsetof(struct tables, version_at),
      ADDRESS, 0 },
#undef METHOD
#undef FIELDS
#undef CALLS
#undef DYNAMIC
    { "ThreadsSMRSupport", "_java_thread_list", THREAD(list_at), ADDRESS, 0 },
    { "Threads", "_number_of_threads", THREAD(count_at), ADDRESS, 0 },
    { "ThreadsList", "_length", THREAD(list_length), OFFSET, 0 },
    { "ThreadsList", "_threads", THREAD(list_threads), OFFSET, 0 },
    { "JavaThread", "_osthread", THREAD(thread_os), OFFSET, 0 },
    { "Thread", "_osthread", THREAD(thread_os), OFFSET, 0 },
    { "OSThread", "_thread_id", THREAD(os_id), OFFSET, 0 },
    { "JavaThread", "_anchor", THREAD(thread_anchor), OFFSET, 0 },
    { "JavaFrameAnchor", "_last_Java_sp", THREAD(anchor_sp), OFFSET, 0 },
    { "JavaFrameAnchor", "_last_Java_pc", THREAD(anchor_pc), OFFSET, 0 },
    { "JavaFrameAnchor", "_last_Java_fp", THREAD(anchor_fp), OFFSET, 0 },
    { "JavaThread", "_stack_base", THREAD(stack_base), OFFSET, 0 },
    { "JavaThread", "_stack_size", THREAD(stack_size), OFFSET, 0 },
    { "JavaThread", "_current_pending_monitor", THREAD(pending), OFFSET, 0 },
    { "JavaThread", "_current_waiting_monitor", THREAD(waiting), OFFSET, 0 },
    { "JavaThread", "_monitor_owner_id", THREAD(owner_id), OFFSET, 0 },
    { "JavaThread", "_lock_stack", THREAD(lock_stack), OFFSET, 0 },
    { "LockStack", "_top", THREAD(lock_top), OFFSET, 0 },
    { "LockStack", "_base[0]", THREAD(lock_base), OFFSET, 0 },
    { "ObjectMonitor", "_owner", THREAD(monitor_owner), OFFSET, 0 },
    { "ObjectMonitor", "_object", THREAD(monitor_object), OFFSET, 0 },
    { "ObjectMonitor", "_stack_locker", THREAD(monitor_locker), OFFSET, 0 },
#undef THREAD
    { "CodeCache", "_heaps", AT(heaps_at), ADDRESS, 0 },
    { "CodeCache", "_heap", AT(heap_at), ADDRESS, 0 },
    { "AbstractInterpreter", "_code", AT(interpreter_at), ADDRESS, 1 },
    { "GrowableArrayBase", "_len", AT(array_length), OFFSET, 0 },
    { "GenericGrowableArray", "_len", AT(array_length), OFFSET, 0 },
    { "GrowableArray<int>", "_data", AT(array_data), OFFSET, 0 },
    { "CodeHeap", "_memory", AT(heap_memory), OFFSET, 1 },
    { "CodeHeap", "_segmap", AT(heap_segmap), OFFSET, 1 },
    { "CodeHeap", "_log2_segment_size", AT(heap_log2), OFFSET, 1 },
    { "VirtualSpace", "_low", AT(space_low), OFFSET, 1 },
    { "VirtualSpace", "_high", AT(space_high), OFFSET, 1 },
    { "VirtualSpace", "_low_boundary", AT(space_low_boundary), OFFSET, 1 },
    { "VirtualSpace", "_high_boundary", AT(space_high_boundary), OFFSET, 1 },
    { "HeapBlock::Header", "_used", AT(block_used), OFFSET, 1 },
    { "CodeBlob", "_code_begin", AT(blob_code_begin), OFFSET, 0 },
    { "CodeBlob", "_code_offset", AT(blob_code_offset), OFFSET, 0 },
    { "CodeBlob", "_code_end", AT(blob_code_end), OFFSET, 0 },
    { "CodeBlob", "_data_offset", AT(blob_data_offset), OFFSET, 0 },
    { "CodeBlob", "_frame_size", AT(blob_frame_size), OFFSET, 1 },
    { "CodeBlob", "_size", AT(blob_size), OFFSET, 1 },
    { "CodeBlob", "_name", AT(blob_name), OFFSET, 1 },
    { "nmethod", "_verified_entry_point", AT(nmethod_verified_entry), OFFSET, 0 },
    { "nmethod", "_verified_entry_offset", AT(nmethod_verified_offset), OFFSET, 0 },
    { "nmethod", "_osr_entry_point", AT(nmethod_osr_entry), OFFSET, 0 },
    { "StubQueue", "_stub_buffer", AT(queue_buffer), OFFSET, 1 },
    { "StubQueue", "_buffer_limit", AT(queue_limit), OFFSET, 1 },
#undef AT
};

static void *
symbol(void *handle, const char *name)
{
    return REAL(dlsym)(handle, name);
}

/*
 * A table of libjvm.so: the present row, the size of a row in bytes, and the offsets in
 * a row of the columns that are read.
 */
struct rows {
    const char *row;
    u64 stride;
    u64 at[4];
};

static int
open_rows(void *handle, const char *table, const char *stride,
          const char *const columns[4], struct rows *rows)
{
    const char **first = symbol(handle, table);
    const u64 *step = symbol(handle, stride);

    if (!first || !*first || !step || !*step)
        return -ENOENT;
    rows->row = *first;
    rows->stride = *step;
    for (int i = 0; i < 4 && columns[i]; i++) {
        const u64 *at = symbol(handle, columns[i]);

        if (!at)
            return -ENOENT;
        rows->at[i] = *at;
    }
    return 0;
}

static const char *
text(const struct rows *rows, int column)
{
    const char *value;

    memcpy(&value, rows->row + rows->at[column], sizeof(value));
    return value;
}

static u64
number(const struct rows *rows, int column)
{
    u64 value;

    memcpy(&value, rows->row + rows->at[column], sizeof(value));
    return value;
}

static void
store_row(const struct rows *rows, struct tables *layout)
{
    for (size_t i = 0; i < ER_COUNT(wanted); i++) {
        char *to = (char *)layout + wanted[i].member;
        u32 offset;
        u64 address;

        if (strcmp(text(rows, 0), wanted[i].type) != 0 ||
            strcmp(text(rows, 1), wanted[i].field) != 0)
            continue;
        offset = (u32)number(rows, 2);
        address = number(rows, 3);
        if (wanted[i].how == OFFSET)
            memcpy(to, &offset, sizeof(offset));
        else
            memcpy(to, &address, sizeof(address));
    }
}

/* 1 if entry i of `wanted` was found. */
static int
is_there(const struct tables *layout, size_t i)
{
    const char *at = (const char *)layout + wanted[i].member;
    u64 address;
    u32 offset;

    if (wanted[i].how == OFFSET) {
        memcpy(&offset, at, sizeof(offset));
        return offset != HOTSPOT_NONE;
    }
    memcpy(&address, at, sizeof(address));
    return address != 0;
}

static int
read_fields(void *handle, struct tables *layout)
{
    static const char *const columns[] = { "gHotSpotVMStructEntryTypeNameOffset",
                                           "gHotSpotVMStructEntryFieldNameOffset",
                                           "gHotSpotVMStructEntryOffsetOffset",
                                           "gHotSpotVMStructEntryAddressOffset" };
    struct rows rows;

    if (open_rows(handle, "gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride",
                  columns, &rows))
        return -ENOENT;
    for (; text(&rows, 0) && text(&rows, 1); rows.row += rows.stride)
        store_row(&rows, layout);
    for (size_t i = 0; i < ER_COUNT(wanted); i++)
        if (wanted[i].need && !is_there(layout, i))
            return -ENOENT;
    return 0;
}

/* The size of a type, or 0. */
static u32
size_of(void *handle, const char *type)
{
    static const char *const columns[4] = { "gHotSpotVMTypeEntryTypeNameOffset",
                                           "gHotSpotVMTypeEntrySizeOffset", NULL };
    struct rows rows;

    if (open_rows(handle, "gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride", columns,
                  &rows))
        return 0;
    for (; text(&rows, 0); rows.row += rows.stride)
        if (!strcmp(text(&rows, 0), type))
            return (u32)number(&rows, 1);
    return 0;
}

/* The value of a constant of HotSpot, or 0. */
static u32
constant(void *handle, const char *name)
{
    static const char *const columns[4] = { "gHotSpotVMIntConstantEntryNameOffset",
                                            "gHotSpotVMIntConstantEntryValueOffset",
                                            NULL };
    struct rows rows;

    if (open_rows(handle, "gHotSpotVMIntConstants",
                  "gHotSpotVMIntConstantEntryArrayStride", columns, &rows))
        return 0;
    for (; text(&rows, 0); rows.row += rows.stride)
        if (!strcmp(text(&rows, 0), name))
            return (u32)number(&rows, 1);
    return 0;
}

static int
is_complete(const struct hotspot_layout *code)
{
    return code->block_bytes && (code->heaps_at || code->heap_at) &&
           (!code->heaps_at || (code->array_length != HOTSPOT_NONE &&
                                code->array_data != HOTSPOT_NONE)) &&
           (code->blob_code_begin != HOTSPOT_NONE ||
            code->blob_code_offset != HOTSPOT_NONE);
}

/*
 * Bytecodes that HotSpot has rewritten contain the index of an entry, which has the
 * index of the constant. Find out where these entries are: in newer versions in an
 * array for each use, in older ones in one for all, after the cache. 1 if all is known.
 */
static int
find_entries(void *handle, struct tables *t)
{
    static const char *const types[] = {
        [HOTSPOT_FIELDS] = "ResolvedFieldEntry",
        [HOTSPOT_CALLS] = "ResolvedMethodEntry",
        [HOTSPOT_DYNAMIC] = "ResolvedIndyEntry",
    };
    struct hotspot_method_layout *m = &t->method;

    for (u32 i = 0; i < HOTSPOT_USES; i++) {
        struct hotspot_entries *e = &m->entries[i];

        if (e->array == HOTSPOT_NONE) {
            e->first = size_of(handle, "ConstantPoolCache");
            e->index = t->entry_index;
            e->bytes = size_of(handle, "ConstantPoolCacheEntry");
        } else {
            e->bytes = size_of(handle, types[i]);
        }
        if (!e->first || e->first == HOTSPOT_NONE || e->index == HOTSPOT_NONE ||
            !e->bytes)
            return 0;
    }
    return m->pool_tags != HOTSPOT_NONE && m->pool_cache != HOTSPOT_NONE &&
           m->cache_references != HOTSPOT_NONE && m->small_first != HOTSPOT_NONE;
}

/* Set what is needed to name interpreted methods, if all of it was found. */
static void
set_methods(void *handle, struct tables *t)
{
    struct hotspot_method_layout *m = &t->method;

    m->const_bytes = size_of(handle, "ConstMethod");
    m->pool_bytes = size_of(handle, "ConstantPool");
    m->const_lines = constant(handle, "ConstMethod::_has_linenumber_table");
    if (!m->const_lines)
        m->const_lines =
            constant(handle, "ConstMethodFlags::_misc_has_linenumber_table");
    if (!t->version_at || !m->const_bytes || !m->pool_bytes)
        return;
    memcpy(&m->version, (const void *)(uintptr_t)t->version_at, sizeof(m->version));
    /* In JDK 8, other opcodes and constants are used. */
    m->bytecodes = t->code.heaps_at && find_entries(handle, t);
    if (m->method_const != HOTSPOT_NONE && m->const_constants != HOTSPOT_NONE &&
        m->const_flags != HOTSPOT_NONE && m->const_code_size != HOTSPOT_NONE &&
        m->const_name != HOTSPOT_NONE && m->const_signature != HOTSPOT_NONE &&
        m->pool_holder != HOTSPOT_NONE && m->class_name != HOTSPOT_NONE &&
        m->symbol_length != HOTSPOT_NONE && m->symbol_body != HOTSPOT_NONE &&
        made_open())
        hotspot_set_methods(m);
}

static int
read_tables(void *handle, struct tables *t)
{
    memset(t, 0xff, sizeof(*t));
    t->code.heaps_at = t->code.heap_at = t->code.interpreter_at = t->version_at = 0;
    t->thread.list_at = t->thread.count_at = 0;
    if (read_fields(handle, t))
        return -ENOENT;
    t->code.block_bytes = size_of(handle, "HeapBlock");
    return is_complete(&t->code) ? 0 : -ENOENT;
}

int
hotspot_layout_read(void *handle)
{
    static u32 tried, known;
    struct tables t;

    if (__atomic_exchange_n(&tried, 1, __ATOMIC_ACQ_REL))
        return __atomic_load_n(&known, __ATOMIC_ACQUIRE) ? 0 : -ENOENT;
    if (read_tables(handle, &t))
        return -ENOENT;
    /* In JDK 8, an interpreter's frame does not contain the class mirror. */
    t.code.frame_bcp = t.code.heaps_at ? 8 : 7;
    t.code.frame_method = 3;
    java_thread_set(&t.thread);
    hotspot_set(&t.code);
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    return 0;
}

void
hotspot_layout_read_methods(void *handle)
{
    struct tables t;

    if (read_tables(handle, &t) == 0)
        set_methods(handle, &t);
}
