/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_code.h"

#include <errno.h>
#include <string.h>

#include "collector/preload/made.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_rule.h"
#include "collector/vm/java_method.h"
#include "collector/vm/scratch.h"

enum {
    INLINED = 8192, /* the most inlined calls in one method */
    DEPTH = 256,    /* deeper inlined calls are taken for the call at this depth */
};

/*
 * The thread in which the VM reports the code that it made before we registered, by its
 * thread pointer; 0 = none does.
 */
static void *replaying;

/* A report of a function that is being built. */
struct report {
    struct java_methods methods;
    struct made_function f;
    struct made_line *lines;
    struct made_inlined *inlined;
    const void **callers; /* for each element of `inlined`: the inlined method's id */
    u32 room;             /* elements for which `inlined` and `callers` have memory */
};

void
java_code_replay(int begin)
{
    __atomic_store_n(&replaying, begin ? __builtin_thread_pointer() : NULL,
                     __ATOMIC_RELEASE);
}

/* Since when there is a function that the VM reports now (made.h). */
static u64
since_when(void)
{
    void *thread = __atomic_load_n(&replaying, __ATOMIC_ACQUIRE);

    return thread && thread == __builtin_thread_pointer() ? MADE_ALWAYS : 0;
}

/*
 * The number of an inlined call, its index in `inlined` + 1; 0 if there is no room.
 * Calls of the same method (id) from the same line of the same caller have one number.
 */
static u32
add_inlined(struct report *r, const struct made_inlined *call, const void *id)
{
    for (u32 i = r->f.ninlined; i > 0; i--) {
        const struct made_inlined *old = &r->inlined[i - 1];

        if (r->callers[i - 1] == id && old->parent == call->parent &&
            old->line == call->line && old->source == call->source)
            return i;
    }
    if (r->f.ninlined == r->room)
        return 0;
    r->inlined[r->f.ninlined] = *call;
    r->callers[r->f.ninlined] = id;
    return ++r->f.ninlined;
}

/*
 * The line of the first bytecode in the method's table, which stands for its
 * declaration.
 */
static u32
first_line(const struct java_method *method)
{
    return method->nlines ? java_method_line(method, method->lines[0].start) : 0;
}

/*
 * Fill in *line: source and line of the innermost method at an address, and the inlined
 * call that led to it; inlined calls that are not known yet are added.
 */
static void
place(struct report *r, const struct jvmti_pc_stack *stack, struct made_line *line)
{
    const struct java_method *caller = NULL;
    u32 call_line = 0, call_source = 0, parent = 0;

    for (int i = stack->frames - 1; i >= 0 && stack->frames - i <= DEPTH; i--) {
        const struct java_method *method =
            java_method_find(&r->methods, stack->methods[i]);

        if (caller || i != stack->frames - 1) {
            u32 number = add_inlined(r,
                                     &(struct made_inlined){
                                         .name = method ? method->name : "<Unknown>",
                                         .parent = parent,
                                         .source = call_source,
                                         .line = call_line,
                                         .declared = method ? method->source : 0,
                                         .first = method ? first_line(method) : 0,
                                     },
                                     stack->methods[i]);

            if (!number)
                break;
            parent = number;
        }
        caller = method;
        call_source = method ? method->source : 0;
        call_line = method ? java_method_line(method, stack->indices[i]) : 0;
    }
    line->inlined = parent;
    line->source = call_source;
    line->line = call_line;
}

static void
add_line(struct report *r, const struct made_line *line)
{
    const struct made_line *last = &r->lines[r->f.nlines - 1];

    if (r->f.nlines && last->source == line->source && last->line == line->line &&
        last->inlined == line->inlined)
        return;
    r->lines[r->f.nlines++] = *line;
}

/*
 * JVM TI describes code by addresses: each entry is valid for the code after the
 * previous entry's address, up to its own. Returns the offset where an entry's code
 * begins.
 */
static u32
begin_of(u64 before, u64 code)
{
    return before < code ? 0 : (u32)(before - code) + 1;
}

/*
 * The most inlined calls that this report can have. Room is taken for no more than
 * these, since a table of INLINED entries would have to be cleared each time.
 */
static u32
count_inlined(const struct jvmti_inline_record *info)
{
    u64 n = 0;

    for (int i = 0; i < info->npcs && n < INLINED; i++)
        n += info->pcs[i].frames > 1 ? (u64)info->pcs[i].frames - 1 : 0;
    return n < INLINED ? (u32)n : INLINED;
}

static int
add_stacks(struct report *r, const struct jvmti_inline_record *info)
{
    u64 code = r->f.addr, before = 0;

    r->lines = scratch_alloc(r->methods.scratch,
                             ((u64)info->npcs + 1) * sizeof(*r->lines));
    r->room = count_inlined(info);
    r->inlined = scratch_alloc(r->methods.scratch, r->room * sizeof(*r->inlined));
    r->callers = scratch_alloc(r->methods.scratch, r->room * sizeof(*r->callers));
    if (!r->lines || !r->inlined || !r->callers)
        return -ENOMEM;
    for (int i = 0; i < info->npcs; i++) {
        const struct jvmti_pc_stack *stack = &info->pcs[i];
        struct made_line line = { .offset = begin_of(before, code) };
        u64 at = (u64)(uintptr_t)stack->pc;

        if (at < code || at < before || at - code > r->f.size || stack->frames <= 0)
            continue;
        place(r, stack, &line);
        add_line(r, &line);
        before = at;
    }
    return 0;
}

/* As add_stacks(), if the VM gives lines without inlined calls. 0 or -ENOMEM. */
static int
add_map(struct report *r, const struct java_method *method,
        const struct jvmti_address *map, int nmap)
{
    u64 code = r->f.addr, before = 0;

    r->lines = scratch_alloc(r->methods.scratch, ((u64)nmap + 1) * sizeof(*r->lines));
    if (!r->lines)
        return -ENOMEM;
    for (int i = 0; i < nmap; i++) {
        u64 at = (u64)(uintptr_t)map[i].start;

        if (at < code || at < before || at - code > r->f.size)
            continue;
        add_line(r, &(struct made_line){
                        .offset = begin_of(before, code),
                        .source = method->source,
                        .line = java_method_line(method, map[i].index),
                    });
        before = at;
    }
    return 0;
}

static const struct jvmti_inline_record *
find_inlining(const struct jvmti_compile_record *info)
{
    while (info && info->kind != JVMTI_INLINE_INFO)
        info = info->next;
    return (const void *)info;
}

/*
 * The size of the method's code including the pieces after it, to which the code jumps.
 */
static u64
whole_size(u64 code, u64 size)
{
    struct hotspot_blob blob;

    if (hotspot_find(code, &blob) || blob.code_end < code + size ||
        blob.code_end - code > size * 4 + 4096)
        return size;
    return blob.code_end - code;
}

static void
report_compiled(struct report *r, void *id, int nmap, const struct jvmti_address *map,
                const struct jvmti_compile_record *info)
{
    const struct java_method *method = java_method_find(&r->methods, id);
    const struct jvmti_inline_record *inlining = find_inlining(info);

    if (!method)
        return;
    r->f.name = method->name;
    r->f.line = first_line(method);
    if (inlining && inlining->npcs > 0)
        add_stacks(r, inlining);
    else if (map && nmap > 0)
        add_map(r, method, map, nmap);
    r->f.lines = r->lines;
    r->f.inlined = r->inlined;
    r->f.sources = r->methods.sources;
    r->f.nsources = r->methods.nsources;
    made_load(&r->f);
}

void
java_code_compiled(void *env, void *method, int size, const void *code, int nmap,
                   const struct jvmti_address *map,
                   const struct jvmti_compile_record *info)
{
    struct report r = {
        .f = { .addr = (u64)(uintptr_t)code,
               .origin = MADE_BY_JAVA,
               .since = since_when(),
               .code = code },
    };
    struct scratch *scratch;

    if (size <= 0 || !made_is_wanted())
        return;
    scratch = scratch_open();
    if (!scratch)
        return;
    r.f.size = whole_size(r.f.addr, (u64)size);
    hotspot_rule_begin(r.f.addr, r.f.addr + r.f.size);
    if (!java_methods_open(&r.methods, env, scratch))
        report_compiled(&r, method, nmap, map, info);
    scratch_close(scratch);
}

void
java_code_unloaded(void *env, void *method, const void *code)
{
    (void)env;
    (void)method;
    hotspot_rule_end((u64)(uintptr_t)code);
    if (made_is_wanted())
        made_unload((u64)(uintptr_t)code, 1, 0);
}

void
java_code_generated(void *env, const char *name, const void *code, int size)
{
    (void)env;
    if (size <= 0 || !name || !made_is_wanted())
        return;
    made_stub(name, (u64)(uintptr_t)code);
    made_load(&(struct made_function){ .addr = (u64)(uintptr_t)code,
                                       .size = (u64)size,
                                       .name = name,
                                       .origin = MADE_BY_JAVA,
                                       .since = since_when(),
                                       .code = code });
}
