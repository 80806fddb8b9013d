/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_method.h"

#include <errno.h>
#include <string.h>

#include "share/fmt.h"

enum {
    NAME_BYTES = 4096,
    LINES = 1 << 16, /* the most lines: no bytecode is longer */
};

int
java_methods_open(struct java_methods *methods, void *env, struct scratch *scratch)
{
    memset(methods, 0, sizeof(*methods));
    methods->env = env;
    methods->scratch = scratch;
    methods->table = scratch_alloc(scratch, JAVA_METHODS * sizeof(*methods->table));
    methods->sources = scratch_alloc(scratch, JAVA_METHODS * sizeof(*methods->sources));
    return methods->table && methods->sources ? 0 : -ENOMEM;
}

const char *
java_method_put_type(struct fmt *f, const char *p)
{
    static const char *const names[] = { ['B'] = "byte",   ['C'] = "char",
                                         ['D'] = "double", ['F'] = "float",
                                         ['I'] = "int",    ['J'] = "long",
                                         ['S'] = "short",  ['V'] = "void",
                                         ['Z'] = "boolean" };
    u32 dimensions = 0;

    for (; *p == '['; p++)
        dimensions++;
    if (*p == 'L') {
        for (p++; *p && *p != ';'; p++)
            fmt_char(f, *p == '/' ? '.' : *p);
    } else if ((unsigned char)*p < ER_COUNT(names) && names[(unsigned char)*p]) {
        fmt_str(f, names[(unsigned char)*p]);
    }
    for (; dimensions; dimensions--)
        fmt_str(f, "[]");
    return *p ? p + 1 : p;
}

/*
 * Write package.Class.method(types), from a class's signature and a method's
 * descriptor.
 */
static void
put_name(struct fmt *f, const char *class, const char *name, const char *descriptor)
{
    const char *p = descriptor;

    java_method_put_type(f, class);
    fmt_char(f, '.');
    fmt_str(f, name);
    fmt_char(f, '(');
    if (*p == '(')
        for (p++; *p && *p != ')';) {
            p = java_method_put_type(f, p);
            if (*p && *p != ')')
                fmt_char(f, ',');
        }
    fmt_char(f, ')');
}

/*
 * The number of a source file; equal paths have the same number. 0 = there is no room.
 */
static u32
add_source(struct java_methods *methods, const char *path, u64 len)
{
    for (u32 i = 0; i < methods->nsources; i++)
        if (strlen(methods->sources[i]) == len &&
            !memcmp(methods->sources[i], path, len))
            return i + 1;
    if (methods->nsources == JAVA_METHODS)
        return 0;
    methods->sources[methods->nsources] = scratch_text(methods->scratch, path, len);
    return methods->sources[methods->nsources] ? ++methods->nsources : 0;
}

/*
 * The number of the class's source file. The VM has only the file's name, so the
 * package's directory is put before it; but for classes that the VM makes itself, the
 * name already contains the package.
 */
static u32
find_source(struct java_methods *methods, void *class, const char *signature)
{
    const char *end = strrchr(signature, '/');
    char text[NAME_BYTES];
    struct fmt f;
    char *file = NULL;
    u32 source;

    if (JVMTI_CALL(methods->env, JVMTI_GET_SOURCE_FILE_NAME,
                   (void *, void *, char **), class, &file) || !file)
        return 0;
    f = fmt_start(text, sizeof(text));
    if (*signature == 'L' && end && !strchr(file, '/'))
        fmt_bytes(&f, signature + 1, (size_t)(end - signature));
    fmt_str(&f, file);
    source = add_source(methods, text, (u64)(f.at - text));
    jvmti_free(methods->env, file);
    return source;
}

static void
find_lines(struct java_methods *methods, struct java_method *method)
{
    struct jvmti_line *lines = NULL, *copy;
    int n = 0;

    if (JVMTI_CALL(methods->env, JVMTI_GET_LINE_NUMBER_TABLE,
                   (void *, void *, int *, struct jvmti_line **), method->id, &n,
                   &lines))
        return;
    if (n > 0 && n <= LINES) {
        copy = scratch_alloc(methods->scratch, (u64)n * sizeof(*lines));
        if (copy) {
            memcpy(copy, lines, (u64)n * sizeof(*lines));
            method->lines = copy;
            method->nlines = (u32)n;
        }
    }
    jvmti_free(methods->env, lines);
}

/* Fill in the names and lines of a method. 0, an error number of JVM TI, or -ENOMEM. */
static int
fill(struct java_methods *methods, struct java_method *method)
{
    char *name = NULL, *descriptor = NULL, *signature = NULL;
    void *env = methods->env, *class = NULL;
    char text[NAME_BYTES];
    struct fmt f;
    int err;

    err = JVMTI_CALL(env, JVMTI_GET_METHOD_NAME,
                     (void *, void *, char **, char **, char **), method->id, &name,
                     &descriptor, NULL);
    if (err)
        return err;
    err = JVMTI_CALL(env, JVMTI_GET_METHOD_DECLARING_CLASS, (void *, void *, void **),
                     method->id, &class);
    if (!err)
        err = JVMTI_CALL(env, JVMTI_GET_CLASS_SIGNATURE,
                         (void *, void *, char **, char **), class, &signature, NULL);
    if (!err) {
        f = fmt_start(text, sizeof(text));
        put_name(&f, signature, name, descriptor);
        method->name = scratch_text(methods->scratch, text, (u64)(f.at - text));
        method->source = find_source(methods, class, signature);
        find_lines(methods, method);
        err = method->name ? 0 : -ENOMEM;
    }
    jvmti_free(env, name);
    jvmti_free(env, descriptor);
    jvmti_free(env, signature);
    return err;
}

const struct java_method *
java_method_find(struct java_methods *methods, void *id)
{
    u64 at = ((u64)(uintptr_t)id >> 3) * 0x9e3779b97f4a7c15u >> 52;
    struct java_method *method;

    _Static_assert(JAVA_METHODS == 1 << 12, "the hash has as many bits");
    for (; methods->table[at]; at = (at + 1) % JAVA_METHODS)
        if (methods->table[at]->id == id)
            return methods->table[at]->name ? methods->table[at] : NULL;
    if (methods->used == JAVA_METHODS - 1)
        return NULL;
    method = scratch_alloc(methods->scratch, sizeof(*method));
    if (!method)
        return NULL;
    method->id = id;
    methods->table[at] = method;
    methods->used++;
    return fill(methods, method) ? NULL : method;
}

/* The index belongs to the entry with the highest start that is not above the index. */
u32
java_method_line(const struct java_method *method, int64_t index)
{
    const struct jvmti_line *best = NULL;

    for (u32 i = 0; i < method->nlines; i++) {
        const struct jvmti_line *line = &method->lines[i];

        if (line->start <= index && (!best || line->start > best->start))
            best = line;
    }
    return best && best->line > 0 ? (u32)best->line : 0;
}
