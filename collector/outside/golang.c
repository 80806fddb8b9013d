/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/golang.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAGIC_1_18 = 0xfffffff0, /* named after Go's first version with this table form */
    MAGIC_1_20 = 0xfffffff1,
    HEADER_BYTES = 8 + 8 * 8,
    FRAMES = 1024, /* a stack with more is not mended */
    ADDRESS_BITS = 47,
    JOINTS = 4, /* number of outermost frames that are searched for in the chain */
};

static const struct known {
    const char *name;
    enum golang_kind kind;
} known[] = {
    { "runtime.goexit", GOLANG_ROOT },
    { "runtime.mcall", GOLANG_ROOT },
    { "runtime.mstart", GOLANG_ROOT },
    { "runtime.rt0_go", GOLANG_ROOT },
    { "_rt0_amd64_linux", GOLANG_ROOT },
    { "_rt0_amd64", GOLANG_ROOT },
    { "runtime.systemstack", GOLANG_SWITCH },
    { "runtime.morestack", GOLANG_SWITCH },
    { "runtime.schedule", GOLANG_SCHEDULE },
};

struct text {
    const unsigned char *at;
    u64 size;
};

static u64
number(const struct text *t, u64 at, u32 bytes)
{
    u64 value = 0;

    if (at <= t->size && bytes <= t->size - at)
        memcpy(&value, t->at + at, bytes);
    return value;
}

static enum golang_kind
kind_of_name(const struct text *t, u64 at)
{
    for (size_t i = 0; i < ER_COUNT(known); i++) {
        size_t len = strlen(known[i].name) + 1;

        if (at <= t->size && len <= t->size - at &&
            !memcmp(t->at + at, known[i].name, len))
            return known[i].kind;
    }
    return GOLANG_NONE;
}

/*
 * Read the table's header, whose members have 8 bytes each: functions, files, text,
 * names, ..., rows.
 */
static void
read_table(struct golang *g, const struct text *t, u64 text, u64 bias)
{
    u32 magic = (u32)number(t, 0, 4);
    u64 functions = number(t, 8, 8), start = number(t, 24, 8);
    u64 names = number(t, 32, 8), rows = number(t, 64, 8);

    if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || number(t, 7, 1) != 8)
        return;
    start = (start ? start : text) + bias;
    g->lo = start + number(t, rows, 4);
    g->hi = functions < t->size ? start + number(t, rows + functions * 8, 4) : 0;
    for (u64 i = 0; i < functions && rows + (i + 2) * 8 < t->size; i++) {
        u64 row = rows + i * 8;
        u64 function = rows + number(t, row + 4, 4);
        enum golang_kind kind =
            kind_of_name(t, names + number(t, function + 4, 4));

        if (kind && g->count < GOLANG_PLACES)
            g->place[g->count++] = (struct golang_place){
                start + number(t, row, 4), start + number(t, row + 8, 4), kind
            };
    }
}

void
golang_read(struct golang *g, int fd, u64 offset, u64 size, u64 text, u64 bias)
{
    struct text t = { .size = size };
    unsigned char *copy;

    if (size < HEADER_BYTES || size > 1u << 30)
        return;
    copy = malloc(size);
    if (copy && pread(fd, copy, size, (off_t)offset) == (ssize_t)size) {
        t.at = copy;
        read_table(g, &t, text, bias);
    }
    free(copy);
}

void
golang_clear(struct golang *g)
{
    g->count = 0;
    g->lo = g->hi = 0;
}

static enum golang_kind
kind_at(const struct golang *g, u64 pc)
{
    for (u32 i = 0; i < g->count; i++)
        if (pc >= g->place[i].lo && pc < g->place[i].hi)
            return g->place[i].kind;
    return GOLANG_NONE;
}

/* A stack, from the leaf on, as keys of its nodes. */
struct stack {
    u64 key[FRAMES];
    u32 count;
    int truncated; /* its outermost callers are missing */
    int is_cut;    /* it has more than FRAMES frames, and is not mended */
};

static u64
pc_of(u64 key)
{
    u64 pc = key & NODE_PC_MASK;

    return (u32)(key >> 48) & NODE_EXACT ? pc : pc - 1;
}

static void
unfold(u32 node, struct stack *s)
{
    s->count = 0;
    s->truncated = s->is_cut = 0;
    while (node) {
        const struct node *n = node_at(node);

        if (!n || s->count == FRAMES) {
            s->is_cut = 1;
            return;
        }
        if ((u32)(n->pc_flags >> 48) & NODE_TRUNCATED)
            s->truncated = 1;
        else
            s->key[s->count++] = n->pc_flags;
        node = n->parent;
    }
}

static u32
fold(struct golang *g, const struct stack *s)
{
    u32 node = 0, hash = NODE_ROOT_HASH;
    u64 mask = node_mask_now();

    for (u32 i = s->count + (s->truncated ? 1 : 0); i-- > 0;) {
        u64 key = i == s->count ? node_key(0, NODE_TRUNCATED) : s->key[i];
        u32 next;

        hash = node_hash(hash, key);
        next = node_cached(node, key, hash, mask);
        if (!next)
            next = node_intern(&g->batch, node, key, hash);
        if (!next)
            return 0;
        node = next;
    }
    return node;
}

static u64
chain_at(struct golang_chain chain, u64 i)
{
    u64 pc;

    memcpy(&pc, chain.at + 8 * i, sizeof(pc));
    return pc;
}

/* The index of a return address in the chain, + 1; 0 = it is not in the chain. */
static u64
find(struct golang_chain chain, u64 key)
{
    for (u64 i = 0; i < chain.count; i++)
        if (chain_at(chain, i) == (key & NODE_PC_MASK))
            return i + 1;
    return 0;
}

static int
is_go(const struct golang *g, u64 pc)
{
    return pc >= g->lo && pc < g->hi;
}

/*
 * The kind of a frame's pc, while the stack is searched from the leaf on. *scheduling:
 * a GOLANG_SCHEDULE was seen on the way; then a switch counts as a root, as its caller
 * does not wait.
 */
static enum golang_kind
kind_on_way(const struct golang *g, u64 pc, int *scheduling)
{
    enum golang_kind kind = kind_at(g, pc);

    *scheduling |= kind == GOLANG_SCHEDULE;
    return kind == GOLANG_SWITCH && *scheduling ? GOLANG_ROOT : kind;
}

/* Append the chain from index `from` on, up to a root or an invalid address. */
static void
append(const struct golang *g, struct stack *s, struct golang_chain chain, u64 from,
       int omits)
{
    int scheduling = 0;

    for (u32 i = 0; i < s->count; i++)
        (void)kind_on_way(g, pc_of(s->key[i]), &scheduling);
    s->truncated = 1;
    for (u64 i = from; i < chain.count && s->count < FRAMES; i++) {
        u64 pc = chain_at(chain, i);

        if (!pc || pc >> ADDRESS_BITS)
            return;
        if (i == from && omits && s->count)
            s->key[s->count - 1] |= node_key(0, NODE_OMITTED);
        s->key[s->count++] = node_key(pc, 0);
        if (kind_on_way(g, pc - 1, &scheduling) == GOLANG_ROOT) {
            s->truncated = 0;
            return;
        }
    }
}

/*
 * The index of the first root or switch among the leaf's callers; s->count if there is
 * none.
 */
static u32
first_place(const struct golang *g, const struct stack *s, enum golang_kind *kind)
{
    int scheduling = 0;

    for (u32 i = 0; i < s->count; i++) {
        *kind = kind_on_way(g, pc_of(s->key[i]), &scheduling);
        /*
         * Skip the leaf: if it is in a switch function, it is still, or again, on its
         * caller's stack.
         */
        if (i && (*kind == GOLANG_ROOT || *kind == GOLANG_SWITCH))
            return i;
    }
    *kind = GOLANG_NONE;
    return s->count;
}

/* Are all frames of the chain from `from` on Go functions, up to a root? */
static int
goes_to_root(const struct golang *g, struct golang_chain chain, u64 from)
{
    for (u64 i = from; i < chain.count; i++) {
        u64 pc = chain_at(chain, i) - 1;

        if (!is_go(g, pc))
            return 0;
        if (kind_at(g, pc) == GOLANG_ROOT)
            return 1;
    }
    return 0;
}

/* How far an unwound stack and the kernel's frame-pointer chain agree. */
struct agreement {
    u32 frames; /* number of frames of the stack, from the leaf on */
    u64 next;   /* index of the chain's first address after these, or chain.count */
};

/*
 * Find how far a stack and a chain agree: up to the first address of the chain that is
 * not on the stack. The stack may have more: the chain lacks the callers of functions
 * that set up no frame pointer.
 */
static struct agreement
compare(const struct stack *s, struct golang_chain chain)
{
    struct agreement a = { 1, chain.count ? find(chain, s->key[0]) : 0 };

    if (!a.next)
        a.next = chain.count;
    for (; a.next < chain.count; a.next++) {
        u64 pc = chain_at(chain, a.next);
        u32 i = a.frames;

        while (i < s->count && (s->key[i] & NODE_PC_MASK) != pc)
            i++;
        if (i == s->count)
            break;
        a.frames = i + 1;
    }
    return a;
}

/*
 * Mend the stack where the walk went wrong: without call frame information it can take
 * another word for a return address, or end too early. If the chain leads through Go
 * functions to a root by another way, use the chain from where they differ. 1 if the
 * stack was changed.
 */
static int
follow_chain(const struct golang *g, struct stack *s, struct golang_chain chain)
{
    struct agreement a = compare(s, chain);
    int omits;

    if (!is_go(g, pc_of(s->key[0])) || a.frames == s->count ||
        !goes_to_root(g, chain, a.next))
        return 0;
    s->count = a.frames;
    omits = kind_at(g, pc_of(s->key[a.frames - 1])) == GOLANG_SWITCH;
    append(g, s, chain, a.next, omits);
    return 1;
}

u32
golang_mend(struct golang *g, u32 node, struct golang_chain chain)
{
    enum golang_kind kind;
    struct stack s;
    u64 joint = 0;
    u32 i;

    if (!g->count || !node)
        return node;
    unfold(node, &s);
    if (s.is_cut || !s.count)
        return node;
    i = first_place(g, &s, &kind);
    if (kind != GOLANG_NONE) {
        s.count = i + 1;
        s.truncated = kind != GOLANG_ROOT;
    } else {
        u64 outermost = pc_of(s.key[s.count - 1]);

        /*
         * A Go function that is outermost, but is not a root, shows that callers are
         * missing.
         */
        s.truncated |= is_go(g, outermost) && kind_at(g, outermost) != GOLANG_ROOT;
    }
    if (follow_chain(g, &s, chain))
        return fold(g, &s);
    /*
     * Only a return address shows where the two join, so the leaf, which is always in
     * the chain, is not searched for.
     */
    for (i = s.count; s.truncated && !joint && i > 1 && i + JOINTS > s.count; i--)
        joint = find(chain, s.key[i - 1]);
    if (joint)
        append(g, &s, chain, joint, kind == GOLANG_SWITCH);
    return fold(g, &s);
}
