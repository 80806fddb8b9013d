/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/python.h"

#include "collector/sig/clock.h"
#include "collector/sig/mem.h"
#include "collector/sig/walk_state.h"

enum {
    STATES = 4,        /* of one thread, in interpreters within interpreters */
    SEARCHED = 4096,   /* thread states that are looked at */
    FEW = 64,          /* frames for which the stack serves */
    ACTIVE = 1 << 4,   /* in a thread state's status */
    LOWEST = 4096,     /* nothing is below */
    INDEXES = 1 << CODE_INDEX_BITS,
};

struct python python;

u64
python_load(const struct python_look *k, u64 address)
{
    u64 value;

    return address >= LOWEST && mem_load(k->m, address, &value) ? value : 0;
}

static u32
load_int(const struct python_look *k, u64 address)
{
    return (u32)python_load(k, address);
}

/* Is it this thread's, and in an interpreter's list? Freed states are in no list. */
static int
is_mine(const struct python_look *k, u64 state, u64 interp, u64 self)
{
    const struct python_layout *l = k->l;
    u64 prev;

    if (!state || python_load(k, state + l->state_thread) != self)
        return 0;
    prev = python_load(k, state + l->state_prev);
    return python_load(k, prev ? prev + l->state_next : interp + l->interp_threads) ==
           state;
}

/* The thread's state in an interpreter, or 0. */
static u64
search(const struct python_look *k, u64 interp, u64 self, u32 *left)
{
    u64 state = python_load(k, interp + k->l->interp_threads);

    for (; state && *left > 0; --*left) {
        if (python_load(k, state + k->l->state_thread) == self)
            return state;
        state = python_load(k, state + k->l->state_next);
    }
    return 0;
}

static int
is_active(const struct python_look *k, u64 state)
{
    if (k->l->runtime_current)
        return python_load(k, python.runtime + k->l->runtime_current) == state;
    return (load_int(k, state + k->l->state_status) & ACTIVE) != 0;
}

/* In all interpreters: the active one first, then the newest. */
static u32
search_all(const struct python_look *k, u64 interp, u64 self, u64 *states)
{
    u32 n = 0, left = SEARCHED;

    for (; interp && left > 0 && n < STATES; left -= left > 0) {
        u64 state = search(k, interp, self, &left);

        if (state) {
            states[n++] = state;
            if (n > 1 && is_active(k, state)) {
                for (u32 i = n - 1; i > 0; i--)
                    states[i] = states[i - 1];
                states[0] = state;
            }
        }
        interp = python_load(k, interp + k->l->interp_next);
    }
    return n;
}

/*
 * The states of this thread. If it has none, that stays true until the list has another
 * head, since new states are inserted there.
 */
static u32
find_states(const struct python_look *k, u64 *states)
{
    struct thread *t = k->t;
    u64 self = (u64)(uintptr_t)__builtin_thread_pointer(), head, id;
    u64 interp = python_load(k, python.runtime + k->l->runtime_head);
    u32 left = SEARCHED;

    if (!interp)
        return 0;
    /* It is mapped and unmapped as a whole; most of what is read is in it. */
    mem_trust(k->m, python.data_lo, python.data_hi);
    if (python_load(k, interp + k->l->interp_next))
        return search_all(k, interp, self, states);
    if (!is_mine(k, t->python_state, interp, self)) {
        head = python_load(k, interp + k->l->interp_threads);
        id = head ? python_load(k, head + k->l->state_id) : 0;
        if (head == t->python_none && id == t->python_none_id)
            return 0;
        t->python_state = search(k, interp, self, &left);
        t->python_none = t->python_state ? 0 : head;
        t->python_none_id = id;
    }
    states[0] = t->python_state;
    return states[0] != 0;
}

static u64
first_frame(const struct python_look *k, u64 state)
{
    u64 frame = python_load(k, state + k->l->state_frame);

    return k->l->cframe_frame ? python_load(k, frame + k->l->cframe_frame - 1) : frame;
}

/* The index of the instruction that a frame of this code is at. */
static u32
index_of(const struct python_look *k, u64 frame, u64 code)
{
    const struct python_layout *l = k->l;
    u64 instr = python_load(k, frame + l->frame_instr), index;

    if (l->instr != PYTHON_POINTER) {
        int last = (int)(u32)instr;

        return last < 0 ? 0 : (u32)last / (l->instr == PYTHON_BYTES ? 2 : 1);
    }
    index = (instr - (code + l->code_code)) / 2;
    return index < INDEXES ? (u32)index : 0;
}

/* Keys of frames, the innermost first. */
struct keys {
    u64 *key;
    u32 n;
    u32 room;
    u32 group; /* where the present call of the evaluation function begins */
};

/* The frames so far are all of this call of the evaluation function. */
static void
end_group(struct keys *keys)
{
    if (keys->n > keys->group)
        keys->key[keys->n - 1] |= (u64)NODE_ENTRY << 48;
    keys->group = keys->n;
}

/* 0 where there is no frame. *frame goes on to its caller. */
static int
add_frame(const struct python_look *k, struct keys *keys, u64 *frame)
{
    const struct python_layout *l = k->l;
    u64 at = *frame, code = python_load(k, at + l->frame_code) & ~(u64)l->tag;
    struct python_code what;
    u32 entry = l->entry == PYTHON_EACH
                    ? 1
                    : load_int(k, at + l->frame_entry) & 0xff;
    u32 index;

    *frame = python_load(k, at + l->frame_back);
    if (l->entry == PYTHON_OWNER && entry >= l->owner) {
        end_group(keys);
        return 1;
    }
    if (!python_code(k, code, python_load(k, at + l->frame_globals), &what))
        return 0;
    index = index_of(k, at, code);
    /* Skip a frame under construction, or one of the interpreter's own. */
    if (index >= what.first)
        keys->key[keys->n++] = node_key(code_place(what.id, index), NODE_CODE);
    if (l->entry != PYTHON_OWNER && entry)
        end_group(keys);
    return 1;
}

/* All frames of the thread; 1 if there were more than there is room for. */
static int
collect(const struct python_look *k, const u64 *states, u32 n, struct keys *keys)
{
    for (u32 i = 0; i < n; i++) {
        u64 frame = first_frame(k, states[i]);

        while (frame) {
            if (keys->n == keys->room)
                return 1;
            if (!add_frame(k, keys, &frame))
                break;
        }
        end_group(keys);
    }
    return 0;
}

static u32
join(struct walk *w, const struct keys *keys, int cut, u32 native)
{
    struct path path;
    u64 mask = node_mask_now(), key;
    u32 n = keys->n;

    if (!n || path_start(w, &path, cut ? WALK_TRUNCATED : WALK_ROOT))
        return native;
    while (n-- > 0)
        if (path_add(w, &path, keys->key[n], mask))
            return native;
    key = node_key(path.node, NODE_MIXED);
    path.node = path.hash = native;
    return path_add(w, &path, key, mask) ? native : path.node;
}

/*
 * Of the thread's own stack, what is above its pointer is mapped: some of what is read
 * is in it. The pointer may be in another stack, as a handler's or a coroutine's.
 */
static void
init_mem(struct mem *m, const struct walk *w, u64 sp)
{
    int is_own = sp >= w->lo && sp < w->hi;

    mem_init(m, is_own ? sp : 0, is_own ? w->hi : 0);
}

u32
sig_python_at(struct thread *t, u32 native, u64 sp)
{
    struct mem m;
    struct python_look k = { &m, &python.layout, t, 0 };
    u64 few[FEW], states[STATES];
    struct keys keys = { few, 0, FEW, 0 };
    u32 n, node, cpu;
    int cut;

    init_mem(&m, t->walk, sp);
    n = find_states(&k, states);
    if (!n)
        return native;
    k.ticks = clock_ticks(&cpu);
    /* What interrupts this has the small place. */
    if (!t->python_busy) {
        keys.key = t->python_keys;
        keys.room = PYTHON_FRAMES;
    }
    t->python_busy++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cut = collect(&k, states, n, &keys);
    node = join(t->walk, &keys, cut, native);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->python_busy--;
    return node;
}

u32
sig_python_add(struct thread *t, u32 native)
{
    return sig_python_at(t, native, (u64)(uintptr_t)__builtin_frame_address(0));
}
