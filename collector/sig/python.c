/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/python.h"

#include "collector/sig/clock.h"
#include "collector/sig/mem.h"
#include "collector/sig/walk_state.h"

enum {
    STATES = 4,        /* states that a thread may have, in several interpreters */
    SEARCHED = 4096,   /* maximum number of thread states that are searched */
    FEW = 64,          /* frames whose keys have room on the handler's stack */
    ACTIVE = 1 << 4,   /* bit of a thread state's status */
    LOWEST = 4096,     /* no object has a lower address */
    INDEXES = 1 << CODE_INDEX_BITS,
    NEAR = 8,  /* frames of the last reading among which one is searched */
    AHEAD = 6, /* frames that are fetched before they are read */
    LINE = 64, /* bytes of a line of the processor's cache */
};

struct python python;

void
python_set(const struct python_layout *l)
{
    const u32 word[] = { l->frame_code, l->frame_back, l->frame_globals,
                         l->frame_instr };
    u32 end = l->frame_entry + 1;

    for (u32 i = 0; i < ER_COUNT(word); i++)
        if (word[i] + sizeof(u64) > end)
            end = word[i] + (u32)sizeof(u64);
    if (l->code_copies && l->frame_copy + sizeof(u32) > end)
        end = l->frame_copy + (u32)sizeof(u32);
    python.layout = *l;
    python.frame_bytes = end;
}

u64
python_load(const struct python_context *k, u64 address)
{
    u64 value;

    return address >= LOWEST && mem_load(k->m, address, &value) ? value : 0;
}

static u32
load_int(const struct python_context *k, u64 address)
{
    return (u32)python_load(k, address);
}

/*
 * 1 if the state is this thread's, and in the interpreter's list. Freed states are in
 * no list.
 */
static int
is_mine(const struct python_context *k, u64 state, u64 interp, u64 self)
{
    const struct python_layout *l = k->l;
    u64 prev;

    if (!state || python_load(k, state + l->state_thread) != self)
        return 0;
    prev = python_load(k, state + l->state_prev);
    return python_load(k, prev ? prev + l->state_next : interp + l->interp_threads) ==
           state;
}

/* Find the thread's state in one interpreter. Returns its address, or 0. */
static u64
search(const struct python_context *k, u64 interp, u64 self, u32 *left)
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
is_active(const struct python_context *k, u64 state)
{
    if (k->l->runtime_current)
        return python_load(k, python.runtime + k->l->runtime_current) == state;
    return (load_int(k, state + k->l->state_status) & ACTIVE) != 0;
}

/*
 * Find the thread's states in all interpreters: the active one first, the others in the
 * order of the interpreters. Returns their number.
 */
static u32
search_all(const struct python_context *k, u64 interp, u64 self, u64 *states)
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
 * Find the states of this thread. Returns their number. If it has none, that stays true
 * until the list begins with another state, since new states are inserted there.
 */
static u32
find_states(const struct python_context *k, u64 *states)
{
    struct thread *t = k->t;
    u64 self = (u64)(uintptr_t)__builtin_thread_pointer(), head, id;
    u32 left = SEARCHED;
    u64 interp;

    if (python.data_stays)
        mem_trust(k->m, python.data_lo, python.data_hi);
    interp = python_load(k, python.runtime + k->l->runtime_head);
    if (!interp)
        return 0;
    /*
     * Do not probe in the segment of _PyRuntime, where most of what is read lies: it is
     * mapped and unmapped as a whole.
     */
    if (!python.data_stays)
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
first_frame(const struct python_context *k, u64 state)
{
    u64 frame = python_load(k, state + k->l->state_frame);

    return k->l->cframe_frame ? python_load(k, frame + k->l->cframe_frame - 1) : frame;
}

/* Keys of frames, the innermost first. */
struct keys {
    u64 *key;
    u32 n;
    u32 room;  /* how many fit into key[] */
    u32 group; /* index at which the present call of the evaluation function begins */
    const struct python_stack *last; /* NULL = there is nothing to compare with */
    struct python_stack *now;        /* NULL = nothing is to be kept */
    u32 at;                          /* index in last of the most likely next frame */
};

/*
 * Mark the outermost frame of the present call of the evaluation function, which has no
 * more frames.
 */
static void
end_group(struct keys *keys)
{
    if (keys->n > keys->group)
        keys->key[keys->n - 1] |= (u64)NODE_ENTRY << 48;
    keys->group = keys->n;
}

/*
 * Fetch frames that are likely to come while the first ones are read, since frames lie
 * apart in memory.
 */
static void
prefetch(const struct keys *keys, u32 i)
{
    const struct python_stack *last = keys->last;

    if (last && i < last->n) {
        __builtin_prefetch((const void *)(uintptr_t)last->kept[i].frame);
        __builtin_prefetch((const void *)(uintptr_t)(last->kept[i].frame + LINE));
    }
}

/* Find this frame in the last reading. NULL = it is not among the NEAR next ones. */
static const struct python_kept *
find_last(struct keys *keys, u64 frame)
{
    const struct python_stack *last = keys->last;
    u32 end;

    if (!last)
        return NULL;
    end = last->n - keys->at < NEAR ? last->n : keys->at + NEAR;
    for (u32 i = keys->at; i < end; i++) {
        if (last->kept[i].frame == frame) {
            keys->at = i + 1;
            prefetch(keys, i + AHEAD);
            return &last->kept[i];
        }
    }
    return NULL;
}

/* The words of a frame that are used; they are read together. */
struct frame_words {
    u64 code;
    u64 back;
    u64 globals;
    u64 instr;
    u32 entry;
    u32 copy; /* index of a copy of the instructions, 0 = the code object's own */
};

static u64
word_at(u64 address)
{
    u64 word;

    __builtin_memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
    return word;
}

static int
read_frame(const struct python_context *k, u64 at, struct frame_words *out)
{
    const struct python_layout *l = k->l;

    if (at < LOWEST || !mem_ok(k->m, at, python.frame_bytes))
        return 0;
    out->code = word_at(at + l->frame_code) & ~(u64)l->tag;
    out->back = word_at(at + l->frame_back);
    out->globals = word_at(at + l->frame_globals);
    out->instr = word_at(at + l->frame_instr);
    out->entry = l->entry == PYTHON_EACH
                     ? 1
                     : *(const unsigned char *)(uintptr_t)(at + l->frame_entry);
    out->copy = l->code_copies ? (u32)word_at(at + l->frame_copy) : 0;
    return 1;
}

/* Where the instructions begin that a frame executes. */
static u64
instructions_of(const struct python_context *k, const struct frame_words *f)
{
    const struct python_layout *l = k->l;
    u64 copies;

    if (!f->copy)
        return f->code + l->code_code;
    copies = python_load(k, f->code + l->code_copies); /* their number is first */
    return copies ? python_load(k, copies + 8 + 8 * (u64)f->copy) : 0;
}

/* The index of the instruction that a frame is at. */
static u32
index_of(const struct python_context *k, const struct frame_words *f)
{
    const struct python_layout *l = k->l;
    u64 index;

    if (l->instr != PYTHON_POINTER) {
        int last = (int)(u32)f->instr;

        return last < 0 ? 0 : (u32)last / (l->instr == PYTHON_BYTES ? 2 : 1);
    }
    index = (f->instr - instructions_of(k, f)) / 2;
    return index < INDEXES ? (u32)index : 0;
}

/*
 * Set *out as python_code() does, or to what the last reading has found for the same
 * frame.
 */
static int
code_of(const struct python_context *k, const struct python_kept *same,
        const struct frame_words *f, struct python_code *out)
{
    if (same && same->code == f->code && same->hint == python_hint(f->globals) &&
        code_is_believed(same->until, k->ticks)) {
        *out = (struct python_code){ same->id, same->first, same->until };
        return 1;
    }
    return python_code(k, f->code, f->globals, out);
}

static void
add_key(struct keys *keys, u64 at, const struct frame_words *f,
        const struct python_code *code, u32 index)
{
    if (keys->now && keys->n < PYTHON_KEPT) {
        struct python_kept *kept = &keys->now->kept[keys->n];

        kept->frame = at;
        kept->code = f->code;
        kept->hint = python_hint(f->globals);
        kept->id = code->id;
        kept->first = code->first;
        kept->until = code->until;
    }
    keys->key[keys->n++] = node_key(code_place(code->id, index), NODE_CODE);
}

/* Add the frame at *frame, and set *frame to its caller. 0 = there is no frame. */
static int
add_frame(const struct python_context *k, struct keys *keys, u64 *frame)
{
    const struct python_layout *l = k->l;
    struct python_code what;
    struct frame_words f;
    u64 at = *frame;
    u32 index;

    if (!read_frame(k, at, &f))
        return 0;
    *frame = f.back;
    if (l->entry == PYTHON_OWNER && f.entry >= l->owner) {
        end_group(keys);
        return 1;
    }
    if (!code_of(k, find_last(keys, at), &f, &what))
        return 0;
    index = index_of(k, &f);
    /* Skip a frame under construction, or one of the interpreter's own. */
    if (index >= what.first)
        add_key(keys, at, &f, &what, index);
    if (l->entry != PYTHON_OWNER && f.entry)
        end_group(keys);
    return 1;
}

/* Collect all frames of the thread. 1 if there were more than there is room for. */
static int
collect(const struct python_context *k, const u64 *states, u32 n, struct keys *keys)
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

/*
 * How many outermost frames are the same as in the last reading, so their nodes are
 * known.
 */
static u32
count_same(const struct keys *keys)
{
    const struct python_stack *last = keys->last;
    u32 same = 0;

    while (last && same < last->n && same < keys->n &&
           last->kept[last->n - 1 - same].key == keys->key[keys->n - 1 - same])
        same++;
    return same;
}

/*
 * Begin the path with the nodes of the outer frames that are as before, and keep these
 * frames. Returns their number.
 */
static u32
path_same(struct path *path, const struct keys *keys)
{
    u32 same = count_same(keys);
    const struct python_kept *from;

    for (u32 i = 0; keys->now && i < same; i++) {
        struct python_kept *to = &keys->now->kept[keys->n - 1 - i];

        from = &keys->last->kept[keys->last->n - 1 - i];
        to->key = from->key;
        to->node = from->node;
        to->hash = from->hash;
    }
    if (same) {
        from = &keys->last->kept[keys->last->n - same];
        path->node = from->node;
        path->hash = from->hash;
        path->depth = same;
    }
    return same;
}

static void
keep(const struct keys *keys, u32 i, const struct path *path)
{
    struct python_kept *kept;

    if (!keys->now)
        return;
    kept = &keys->now->kept[i];
    kept->key = keys->key[i];
    kept->node = path->node;
    kept->hash = path->hash;
}

static u32
join(struct walk *w, struct keys *keys, int cut, u32 native)
{
    struct path path;
    u64 mask = node_mask_now(), key;
    u32 n = keys->n;

    if (cut || n > PYTHON_KEPT)
        keys->now = NULL;
    if (cut)
        keys->last = NULL;
    if (!n)
        return native;
    n -= path_same(&path, keys);
    if (n == keys->n && path_start(w, &path, cut ? WALK_TRUNCATED : WALK_ROOT))
        return native;
    while (n-- > 0) {
        if (path_add(w, &path, keys->key[n], mask))
            return native;
        keep(keys, n, &path);
    }
    if (keys->now)
        keys->now->n = keys->n;
    key = node_key(path.node, NODE_MIXED);
    path.node = path.hash = native;
    return path_add(w, &path, key, mask) ? native : path.node;
}

/*
 * Let keys use what the thread has kept from the last reading. Call only if this
 * reading has not interrupted another one, which may be changing that.
 */
static void
begin_keys(struct thread *t, struct keys *keys)
{
    struct python_stack *last = &t->python_stack[t->python_turn];

    keys->key = t->python_keys;
    keys->room = PYTHON_FRAMES;
    keys->now = &t->python_stack[t->python_turn ^ 1];
    keys->now->n = 0;
    keys->now->file = node_file;
    if (last->n && last->file == node_file)
        keys->last = last;
    for (u32 i = 0; i < AHEAD; i++)
        prefetch(keys, i);
}

/*
 * Prepare loads. The thread's own stack can be read from its stack pointer on, and some
 * of what is read lies there. sp may be on another stack, as in a handler or a
 * coroutine.
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
    struct python_context k = { &m, &python.layout, t, 0 };
    u64 few[FEW], states[STATES];
    struct keys keys = { few, 0, FEW, 0, NULL, NULL, 0 };
    u32 n, node, cpu;
    int cut;

    init_mem(&m, t->walk, sp);
    n = find_states(&k, states);
    if (!n)
        return native;
    k.ticks = clock_ticks(&cpu);
    /*
     * A reading that has interrupted another one may use only its own array on the
     * stack.
     */
    if (!t->python_busy)
        begin_keys(t, &keys);
    t->python_busy++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cut = collect(&k, states, n, &keys);
    node = join(t->walk, &keys, cut, native);
    if (keys.now)
        t->python_turn ^= 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->python_busy--;
    return node;
}

u32
sig_python_add(struct thread *t, u32 native)
{
    return sig_python_at(t, native, (u64)(uintptr_t)__builtin_frame_address(0));
}
