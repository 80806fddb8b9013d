/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/frametext.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "print/model/symbols/stacks.h"
#include "print/model/symbols/functions.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/object.h"

/* Write a text without its line ends. */
static void
put_line(const char *text, FILE *f)
{
    for (; *text; text++)
        putc(*text == '\n' ? ' ' : *text, f);
}

static void
put_source(struct session *session, const struct stack_frame *frame, FILE *f)
{
    const char *path = file_path(session, frame->file);
    const char *slash = strrchr(path, '/');

    fputs(" (", f);
    put_line(slash && slash[1] ? slash + 1 : path, f);
    if (frame->line)
        fprintf(f, ":%u", frame->line);
    putc(')', f);
}

/*
 * If the source is not known, add the object's name, except to a name in angle
 * brackets, which contains it.
 */
void
frametext_put(struct session *session, const struct stack_frame *frame, FILE *f)
{
    const char *name = function_title(session, frame->func);
    struct object_info object;

    put_line(name, f);
    if (frame->file) {
        put_source(session, frame, f);
    } else if (frame->object && !session->soname && *name != '<') {
        object_get(session, frame->object, &object);
        fputs(" [", f);
        put_line(object.name, f);
        putc(']', f);
    }
}

bool
frametext_is_wrapper(struct session *session, u32 function)
{
    static const char *const begins[] = {
        "std::", "__gthr", "__gnu_cxx::", "operator new",
        "__rust_", "__rdl_", "alloc::", "<alloc::",
    };
    const char *name = function_name_styled(session, function, NAME_SHORT);

    for (u32 i = 0; i < ER_COUNT(begins); i++)
        if (!strncmp(name, begins[i], strlen(begins[i])))
            return true;
    return false;
}

bool
frametext_is_system(struct session *session, u32 object)
{
    static const char *const names[] = {
        "libc.so",   "libc-",   "ld-linux", "libpthread", "libstdc++", "libgcc_s",
        "libm.so",   "libmpi", "libopen-", "libpmpi",    "libgfortran", "[vdso]",
    };
    struct object_info info;

    object_get(session, object, &info);
    if (info.collector)
        return true;
    for (u32 i = 0; i < ER_COUNT(names); i++)
        if (!strncmp(info.name, names[i], strlen(names[i])))
            return true;
    return false;
}

/* Would a program's author not look there: a library's function, or what calls main? */
static bool
is_outside(struct session *session, u32 function)
{
    return frametext_is_wrapper(session, function) ||
           frametext_is_system(session,
                               session->functions->function[function].object) ||
           !strcmp(function_name_styled(session, function, NAME_SHORT), "_start");
}

/*
 * Does the function's name say that it allocates memory: malloc() etc., or a function
 * of the program's own such as xmalloc()?
 */
static bool
is_allocator(struct session *session, u32 function)
{
    static const char *const parts[] = {
        "malloc", "calloc", "realloc", "memalign", "memdup", "strdup", "strndup",
    };
    const char *name = function_name_styled(session, function, NAME_SHORT);
    size_t len = strcspn(name, "(<");

    if (frametext_is_wrapper(session, function))
        return true;
    for (u32 i = 0; i < ER_COUNT(parts); i++) {
        const char *at = strcasestr(name, parts[i]);

        if (at && at < name + len)
            return true;
    }
    while (len && strchr("0123456789_", name[len - 1]))
        len--;
    return (len >= 5 && !strncasecmp(name + len - 5, "alloc", 5)) ||
           (len >= 8 && !strncasecmp(name + len - 8, "allocate", 8));
}

/*
 * Get the innermost frame for whose function other() is false; if there is none, the
 * outermost frame. What such functions call in system libraries, as std::call_once()
 * calls pthread_once(), is passed over, unless the stack has nothing else. 0, -ENOENT
 * (the stack has no frames), or -ENOMEM.
 */
static int
find_place(struct session *session, u32 node,
           bool (*other)(struct session *session, u32 function),
           struct stack_frame *out)
{
    const struct stacks *stacks = session->stacks;
    struct sites *sites = &session->stacks->sites;
    struct stack_frame last, inner = { 0 }, innermost = { 0 };
    bool any = false, system = false, found = false;

    for (u32 at = node; at && at < stacks->count; at = stacks->node[at].parent) {
        u32 site = stacks->node[at].site, depth;
        const struct site_frame *frames;

        if (sites_lines(session, sites, site, &frames, &depth) < 0)
            return -ENOMEM;
        while (depth--) {
            last = (struct stack_frame){ frames[depth].func, sites->site[site].object,
                                         frames[depth].file, frames[depth].line };
            any = true;
            if (other(session, last.func)) {
                system = false;
                continue;
            }
            if (!system)
                inner = last;
            system = frametext_is_system(session, last.object);
            if (!system) {
                *out = inner;
                return 0;
            }
            if (!found)
                innermost = inner;
            found = true;
        }
    }
    if (any)
        *out = found ? innermost : last;
    return any ? 0 : -ENOENT;
}

/* Is the object Python's interpreter, or an extension module of Python? */
static bool
is_of_python(const struct session *session, u32 object)
{
    const struct object *o = &session->objects->object[object];

    return o->interpreter || strstr(o->name, ".cpython-") ||
           strstr(o->name, ".abi3.so");
}

static bool
is_native(struct session *session, u32 function)
{
    return !interp_is_object(session, session->functions->function[function].object);
}

/*
 * Like find_place(). But if the frame found is in Python's interpreter or an extension
 * module, get the innermost interpreted frame instead, if there is one.
 */
static int
find_in_program(struct session *session, u32 node,
                bool (*other)(struct session *session, u32 function),
                struct stack_frame *out)
{
    struct stack_frame frame;
    int ret = find_place(session, node, other, out);

    if (ret == 0 && is_of_python(session, out->object) &&
        find_place(session, node, is_native, &frame) == 0 &&
        !is_native(session, frame.func))
        *out = frame;
    return ret;
}

int
frametext_place(struct session *session, u32 node, struct stack_frame *out)
{
    int ret = find_in_program(session, node, is_outside, out);

    if (ret == 0 && is_outside(session, out->func))
        ret = find_in_program(session, node, frametext_is_wrapper, out);
    return ret;
}

int
frametext_owner(struct session *session, u32 node, struct stack_frame *out)
{
    return find_in_program(session, node, is_allocator, out);
}
