/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool interface of Java (JVM TI), by the numbers of its specification: functions
 * by their slot, events by their number, capabilities by their bit. Only what the
 * collector uses, so that no JDK is needed to build it.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JVMTI_H
#define ERTOOLS_COLLECTOR_VM_JVMTI_H

#include "share/types.h"

enum {
    JVMTI_VERSION = 0x30010100, /* version 1.1: what we use has not changed since */
    JVMTI_DISABLE = 0,
    JVMTI_ENABLE = 1,
};

/* A VM or an environment: it begins with a pointer to a table of functions. */
typedef void *const *jvmti_table;

/* Slots in JNI's table of a VM, from 0 on. */
enum { JNI_DETACH = 5, JNI_GET_ENV = 6, JNI_ATTACH_AS_DAEMON = 7 };

/* Slots in JNI's table of an environment. */
enum {
    JNI_FIND_CLASS = 6,
    JNI_EXCEPTION_CLEAR = 17,
    JNI_DELETE_LOCAL_REF = 23,
    JNI_GET_OBJECT_CLASS = 31,
    JNI_GET_FIELD_ID = 94,
    JNI_GET_LONG_FIELD = 101,
};

/* Functions, by the numbers that the specification gives them: slots from 1 on. */
enum jvmti_slot {
    JVMTI_SET_EVENT_NOTIFICATION_MODE = 2,
    JVMTI_GET_ALL_THREADS = 4,
    JVMTI_GET_THREAD_INFO = 9,
    JVMTI_DEALLOCATE = 47,
    JVMTI_GET_CLASS_SIGNATURE = 48,
    JVMTI_GET_SOURCE_FILE_NAME = 50,
    JVMTI_GET_METHOD_NAME = 64,
    JVMTI_GET_METHOD_DECLARING_CLASS = 65,
    JVMTI_GET_LINE_NUMBER_TABLE = 70,
    JVMTI_GET_TAG = 106,
    JVMTI_SET_TAG = 107,
    JVMTI_SET_EVENT_CALLBACKS = 122,
    JVMTI_GENERATE_EVENTS = 123,
    JVMTI_DISPOSE_ENVIRONMENT = 127,
    JVMTI_GET_PHASE = 133,
    JVMTI_ADD_CAPABILITIES = 142,
    JVMTI_SET_HEAP_SAMPLING_INTERVAL = 156, /* from JDK 11 on */
};

enum jvmti_event {
    JVMTI_EVENT_FIRST = 50,
    JVMTI_THREAD_START = 52,
    JVMTI_COMPILED_METHOD_LOAD = 68,
    JVMTI_COMPILED_METHOD_UNLOAD = 69,
    JVMTI_DYNAMIC_CODE_GENERATED = 70,
    JVMTI_MONITOR_WAIT = 73,
    JVMTI_MONITOR_WAITED = 74,
    JVMTI_MONITOR_CONTENDED_ENTER = 75,
    JVMTI_MONITOR_CONTENDED_ENTERED = 76,
    JVMTI_OBJECT_FREE = 83,
    JVMTI_SAMPLED_OBJECT_ALLOC = 86,
    JVMTI_EVENT_END = 87,
};

enum { JVMTI_PHASE_LIVE = 4 };

/* Numbers of bits in the capabilities, which have 128 bits. */
enum jvmti_capability {
    JVMTI_CAN_TAG_OBJECTS = 0,
    JVMTI_CAN_GET_SOURCE_FILE_NAME = 11,
    JVMTI_CAN_GET_LINE_NUMBERS = 12,
    JVMTI_CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS = 27,
    JVMTI_CAN_GENERATE_MONITOR_EVENTS = 28,
    JVMTI_CAN_GENERATE_OBJECT_FREE_EVENTS = 32,
    JVMTI_CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS = 43,
    JVMTI_CAN_SUPPORT_VIRTUAL_THREADS = 44,
};

struct jvmti_capabilities {
    u32 words[4];
};

struct jvmti_thread_info {
    char *name;
    int priority;
    unsigned char is_daemon;
    void *group;
    void *loader;
};

struct jvmti_line {
    int64_t start; /* bytecode index */
    int line;
};

/* The code from this address on belongs to this bytecode index. */
struct jvmti_address {
    const void *start;
    int64_t index;
};

/* Records that come with a compiled method. */
struct jvmti_compile_record {
    u32 kind; /* JVMTI_INLINE_INFO: struct jvmti_inline_record */
    int major;
    int minor;
    const struct jvmti_compile_record *next;
};

enum { JVMTI_INLINE_INFO = 2 };

/* The methods at an address, the innermost first. */
struct jvmti_pc_stack {
    const void *pc;
    int frames;
    void *const *methods;
    const int *indices; /* the bytecode index in each method */
};

struct jvmti_inline_record {
    struct jvmti_compile_record header;
    int npcs;
    const struct jvmti_pc_stack *pcs;
};

/* Call function `slot` of an environment; `types` are its parameters' types. */
#define JVMTI_CALL(env, slot, types, ...) \
    (((int(*) types)jvmti_function((env), (slot)))((env), __VA_ARGS__))

static inline void *
jvmti_function(void *env, enum jvmti_slot slot)
{
    return (*(const jvmti_table *)env)[slot - 1];
}

/* Function `slot` of a JNI environment. */
static inline void *
jni_function(void *env, u32 slot)
{
    return (*(const jvmti_table *)env)[slot];
}

static inline void
jvmti_free(void *env, void *memory)
{
    if (memory)
        JVMTI_CALL(env, JVMTI_DEALLOCATE, (void *, void *), memory);
}

#endif
