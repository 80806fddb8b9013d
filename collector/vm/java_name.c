/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_name.h"

#include <errno.h>

#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/thread.h"
#include "collector/preload/trace_slow.h"
#include "collector/vm/java_method.h"
#include "collector/vm/java_thread.h"
#include "collector/vm/jvmti.h"

/*
 * A tag contains the number of a class, and in the upper half that of an object used as
 * a lock.
 */
enum { OBJECT_SHIFT = 32 };

static void *names; /* our JVM TI environment for tags, or NULL */
static u32 classes, objects; /* the last numbers used */

int
java_name_open(void *machine)
{
    struct jvmti_capabilities c = { .words = { 1u << JVMTI_CAN_TAG_OBJECTS } };
    int (*get_env)(void *, void **, int);
    void *env = NULL;

    memcpy(&get_env, &(*(const jvmti_table *)machine)[JNI_GET_ENV], sizeof(get_env));
    if (get_env(machine, &env, JVMTI_VERSION) || !env)
        return -ENOENT;
    if (JVMTI_CALL(env, JVMTI_ADD_CAPABILITIES,
                   (void *, const struct jvmti_capabilities *), &c)) {
        ((int (*)(void *))jvmti_function(env, JVMTI_DISPOSE_ENVIRONMENT))(env);
        return -ENOENT;
    }
    __atomic_store_n(&names, env, __ATOMIC_RELEASE);
    return 0;
}

void *
java_name_close(void)
{
    /* The tags go with the environment: begin again. */
    __atomic_store_n(&classes, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&objects, 0, __ATOMIC_RELAXED);
    return __atomic_exchange_n(&names, NULL, __ATOMIC_ACQ_REL);
}

int
java_name_put(struct trace_scope *s, u32 kind, u64 id, const char *name, u32 len)
{
    u64 ticks = trace_before(), mask = guard_enter();
    struct rec_named r = { .time = ticks >> SHIFT_overview, .kind = kind, .id = id,
                           .name = { name, len < ER_STR_MAX ? len : ER_STR_MAX } };
    struct chunk_writer *w = &s->t->overview;
    unsigned char *p;

    /* A descendant maps this file only here, when it is needed. */
    if (!__atomic_load_n(&space_files[FILE_overview].mapped, __ATOMIC_ACQUIRE))
        expt_map_late(FILE_overview);
    p = trace_begin(w, FILE_overview, s->t->id, ticks, ER_RECORD_MAX + ER_STR_MAX);
    if (p)
        writer_commit(w, rec_put_named(&w->codec, p, &r));
    guard_leave(mask);
    return p ? 0 : -ENOSPC;
}

/* The tag of an object or class; 0 = it has none yet. */
static u64
tag_of(void *object)
{
    int64_t tag = 0;

    JVMTI_CALL(names, JVMTI_GET_TAG, (void *, void *, int64_t *), object, &tag);
    return (u64)tag;
}

static void
set_tag(void *object, u64 tag)
{
    JVMTI_CALL(names, JVMTI_SET_TAG, (void *, void *, int64_t), object, (int64_t)tag);
}

/* The name of a class, as it is written in Java. Returns its length, 0 = not known. */
static u32
class_name(void *class, char *text, u32 size)
{
    struct fmt f = fmt_start(text, size);
    char *signature = NULL;

    if (JVMTI_CALL(names, JVMTI_GET_CLASS_SIGNATURE, (void *, void *, char **, char **),
                   class, &signature, NULL) || !signature)
        return 0;
    java_method_put_type(&f, signature);
    jvmti_free(names, signature);
    return (u32)(f.at - text);
}

u32
java_name_class(struct trace_scope *s, void *class)
{
    char text[ER_STR_MAX];
    u64 tag;
    u32 id, len;

    if (!__atomic_load_n(&names, __ATOMIC_ACQUIRE) || !class)
        return 0;
    tag = tag_of(class);
    if (ER_LIKELY((u32)tag))
        return (u32)tag;
    len = class_name(class, text, sizeof(text));
    if (!len)
        return 0;
    id = __atomic_add_fetch(&classes, 1, __ATOMIC_RELAXED);
    if (java_name_put(s, NAMED_CLASS, id, text, len))
        return 0;
    set_tag(class, tag | id);
    return id;
}

/* Make the text "name of the object's class #id"; returns its length. */
static u32
object_name(void *jni, void *object, u32 id, char *text, u32 size)
{
    void *(*class_of)(void *, void *);
    void (*forget)(void *, void *);
    struct fmt f = fmt_start(text, size - 16);
    void *class;

    *(void **)&class_of = jni_function(jni, JNI_GET_OBJECT_CLASS);
    *(void **)&forget = jni_function(jni, JNI_DELETE_LOCAL_REF);
    class = class_of(jni, object);
    f.at += class ? class_name(class, text, size - 16) : 0;
    if (class)
        forget(jni, class);
    f.end = text + size;
    fmt_str(&f, f.at > text ? " #" : "#");
    fmt_u64(&f, id);
    return (u32)(f.at - text);
}

u32
java_name_object(struct trace_scope *s, void *jni, void *object)
{
    char text[ER_STR_MAX];
    u64 tag;
    u32 id;

    if (!__atomic_load_n(&names, __ATOMIC_ACQUIRE) || !object)
        return 0;
    tag = tag_of(object);
    id = (u32)(tag >> OBJECT_SHIFT);
    if (id)
        return id;
    id = __atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED);
    if (java_name_put(s, NAMED_OBJECT, id, text,
                      object_name(jni, object, id, text, sizeof(text))))
        return 0;
    set_tag(object, tag | (u64)id << OBJECT_SHIFT);
    return id;
}

void *
java_name_environment(void)
{
    return names;
}

/*
 * Record a thread's name. The VM is asked for it first: between trace_enter() and
 * trace_leave(), a thread that is not recorded itself has all signals blocked, and the
 * VM needs some of them.
 */
static void
name_thread(void *env, void *thread, u32 id, struct jvmti_thread_info *info)
{
    struct trace_scope s;

    if (JVMTI_CALL(env, JVMTI_GET_THREAD_INFO,
                   (void *, void *, struct jvmti_thread_info *), thread, info))
        return;
    thread_speak(1);
    if (info->name && trace_enter(&s)) {
        (void)java_name_put(&s, NAMED_THREAD, id, info->name,
                            (u32)strnlen(info->name, ER_STR_MAX));
        trace_leave(&s);
    }
    thread_speak(0);
    jvmti_free(env, info->name);
}

void
java_name_thread(void *env, void *jni, void *thread)
{
    struct jvmti_thread_info info = { .name = NULL };

    (void)jni;
    if (trace_is_on() && trace_thread())
        name_thread(env, thread, trace_thread()->id, &info);
}

/*
 * JNI functions that are used to find a thread's structure, whose address is in the
 * field Thread.eetop.
 */
struct jni_calls {
    void *(*find_class)(void *, const char *);
    void (*clear)(void *);
    void (*forget)(void *, void *);
    void *(*field)(void *, void *, const char *, const char *);
    int64_t (*get_long)(void *, void *, void *);
};

static void
find_calls(void *jni, struct jni_calls *c)
{
    *(void **)&c->find_class = jni_function(jni, JNI_FIND_CLASS);
    *(void **)&c->clear = jni_function(jni, JNI_EXCEPTION_CLEAR);
    *(void **)&c->forget = jni_function(jni, JNI_DELETE_LOCAL_REF);
    *(void **)&c->field = jni_function(jni, JNI_GET_FIELD_ID);
    *(void **)&c->get_long = jni_function(jni, JNI_GET_LONG_FIELD);
}

/* The field id of Thread.eetop, or NULL. */
static void *
find_eetop(void *jni, const struct jni_calls *c)
{
    void *class = c->find_class(jni, "java/lang/Thread"), *field = NULL;

    if (class) {
        field = c->field(jni, class, "eetop", "J");
        c->forget(jni, class);
    }
    if (!field)
        c->clear(jni);
    return field;
}

void
java_name_all_threads(void *env, void *jni)
{
    void **threads = NULL, *eetop;
    struct jni_calls c;
    int n = 0;

    find_calls(jni, &c);
    eetop = find_eetop(jni, &c);
    if (!eetop || JVMTI_CALL(env, JVMTI_GET_ALL_THREADS, (void *, int *, void ***), &n,
                             &threads))
        return;
    for (int i = 0; i < n; i++) {
        u64 at = (u64)c.get_long(jni, threads[i], eetop);
        u32 tid = java_thread_id(at), id = tid ? thread_id_of(tid) : 0;
        struct jvmti_thread_info info = { .name = NULL };

        if (id && trace_is_on()) {
            name_thread(env, threads[i], id, &info);
            c.forget(jni, info.group);
            c.forget(jni, info.loader);
        }
        c.forget(jni, threads[i]);
    }
    jvmti_free(env, threads);
}
