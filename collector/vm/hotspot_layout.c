/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/hotspot_layout.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "collector/hook/real.h"
#include "collector/sig/hotspot.h"

enum how {
    OFFSET,  /* a u32 of the layout: where a field is in its structure */
    ADDRESS, /* a u64: where a static variable is */
};

/*
 * What is wanted of gHotSpotVMStructs. NEED: every version of the machine has it, or an
 * alternative is checked below.
 */
static const struct {
    const char *type;
    const char *field;
    u32 member;
    enum how how;
    int need;
} wanted[] = {
#define AT(member) offsetof(struct hotspot_layout, member)
    { "CodeCache", "_heaps", AT(heaps_at), ADDRESS, 0 },
    { "CodeCache", "_heap", AT(heap_at), ADDRESS, 0 },
    { "AbstractInterpreter", "_code", AT(interpreter_at), ADDRESS, 1 },
    { "StubRoutines", "_call_stub_return_address", AT(call_stub_return_at), ADDRESS,
      0 },
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

/* A table: its rows, and where the parts of a row are. The columns, or 0. */
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
take(const struct rows *rows, struct hotspot_layout *layout)
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

/* 1 if number i of what is wanted was found. */
static int
is_there(const struct hotspot_layout *layout, size_t i)
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
read_fields(void *handle, struct hotspot_layout *layout)
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
        take(&rows, layout);
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

int
hotspot_layout_read(void *handle)
{
    struct hotspot_layout layout;

    memset(&layout, 0xff, sizeof(layout));
    layout.heaps_at = layout.heap_at = layout.interpreter_at = 0;
    layout.call_stub_return_at = 0;
    if (read_fields(handle, &layout))
        return -ENOENT;
    layout.block_bytes = size_of(handle, "HeapBlock");
    if (!layout.block_bytes || (!layout.heaps_at && !layout.heap_at) ||
        (layout.heaps_at &&
         (layout.array_length == HOTSPOT_NONE || layout.array_data == HOTSPOT_NONE)) ||
        (layout.blob_code_begin == HOTSPOT_NONE &&
         layout.blob_code_offset == HOTSPOT_NONE))
        return -ENOENT;
    /* JDK 8 has no mirror of the class in an interpreter's frame. */
    layout.frame_bcp = layout.heaps_at ? 8 : 7;
    hotspot_set(&layout);
    return 0;
}
