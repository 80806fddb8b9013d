/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/list.h"

#include <inttypes.h>
#include <string.h>

struct order
list_order(const struct shell *sh)
{
    struct order order = sh->sort;

    if (order.by == ORDER_METRIC && order.flavour == FLAVOUR_ATTRIBUTED)
        order.flavour = FLAVOUR_INCLUSIVE;
    return order;
}

struct order
list_call_order(const struct shell *sh)
{
    struct order order = sh->sort;

    if (order.by == ORDER_METRIC)
        order.flavour = FLAVOUR_ATTRIBUTED;
    return order;
}

struct table *
list_table(const char *command, const char *what, const struct order *order)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    char buf[80];

    table_title(t, "%s, by %s", what, mcols_order_name(order, buf, sizeof(buf)));
    return t;
}

const char *
list_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

const char *
list_place(const struct shell *sh, u32 object, u32 file, u32 line, char *buf,
           size_t size)
{
    struct object_info o;

    buf[0] = '\0';
    if (!file && object) {
        object_get(sh->session, object, &o);
        snprintf(buf, size, "<%s>", o.name);
    }
    if (file && line)
        snprintf(buf, size, "%s:%u", list_base_name(file_path(sh->session, file)),
                 line);
    else if (file)
        snprintf(buf, size, "%s", list_base_name(file_path(sh->session, file)));
    return buf;
}

void
list_pc(const struct shell *sh, const struct row *r, char *buf, size_t size)
{
    const char *name = function_title(sh->session, r->func);
    u64 offset;

    if (r->func < FUNC_PSEUDO_COUNT && !r->addr)
        snprintf(buf, size, "%s", name);
    else if (function_offset(sh->session, r->func, r->addr, &offset))
        snprintf(buf, size, "%s + 0x%" PRIx64, name, offset);
    else
        snprintf(buf, size, "%s at 0x%" PRIx64, name, r->addr);
}
