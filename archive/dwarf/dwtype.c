/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwtype.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "archive/dwarf/dwfile.h"
#include "share/callread.h"

enum {
    HOPS_MAX = 32,   /* typedefs and qualifiers in a row; ends cycles */
    NESTING_MAX = 4, /* structs and arrays within each other */
    ARRAY_MAX = 16,  /* elements of an array */
    LIST_MAX = 300,  /* bytes: a list of an enumeration's names is shorter */
};

static void put_type(struct dwtype_row *row, struct dwunit *u,
                     const struct dwvalue *type, u32 nesting);

static __attribute__((format(printf, 2, 3))) void
put(struct dwtype_row *row, const char *format, ...)
{
    size_t room = sizeof(row->at) - row->used;
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(row->at + row->used, room, format, list);
    va_end(list);
    if (n < 0 || (size_t)n >= room)
        row->bad = true;
    else
        row->used += (size_t)n;
}

static void
read_attribute(struct dwtype_die *d, u32 name, const struct dwvalue *v)
{
    struct {
        u32 name;
        struct dwvalue *to;
    } values[] = {
        { DW_AT_name, &d->name },         { DW_AT_type, &d->type },
        { DW_AT_low_pc, &d->low },        { DW_AT_high_pc, &d->high },
        { DW_AT_ranges, &d->ranges },     { DW_AT_abstract_origin, &d->origin },
        { DW_AT_upper_bound, &d->bound }, { DW_AT_specification, &d->specification },
        { DW_AT_count, &d->count },
    };
    struct {
        u32 name;
        u64 *to;
    } numbers[] = {
        { DW_AT_byte_size, &d->size },
        { DW_AT_encoding, &d->encoding },
        { DW_AT_data_member_location, &d->location },
        { DW_AT_calling_convention, &d->convention },
    };
    struct {
        u32 name;
        bool *to;
    } flags[] = {
        { DW_AT_declaration, &d->is_declaration }, { DW_AT_external, &d->is_external },
        { DW_AT_noreturn, &d->is_noreturn },       { DW_AT_bit_size, &d->is_bits },
        { DW_AT_GNU_vector, &d->is_vector },       { DW_AT_alignment, &d->is_aligned },
        { DW_AT_artificial, &d->is_artificial },
        { DW_AT_defaulted, &d->is_defaulted },
    };

    for (u32 i = 0; i < ER_COUNT(values); i++)
        if (values[i].name == name)
            *values[i].to = *v;
    for (u32 i = 0; i < ER_COUNT(numbers); i++)
        if (numbers[i].name == name)
            *numbers[i].to = v->number;
    for (u32 i = 0; i < ER_COUNT(flags); i++)
        if (flags[i].name == name)
            *flags[i].to = true;
    if (name == DW_AT_const_value)
        d->value = (int64_t)v->number;
}

bool
dwtype_read(struct dwunit *u, u64 die, struct dwtype_die *out)
{
    struct cursor c = dwfile_cursor(u, die);
    const struct dwabbrev *a = dwfile_abbrev(u, &c);
    struct dwvalue v;

    *out = (struct dwtype_die){ .unit = u };
    if (!a)
        return false;
    out->tag = a->tag;
    out->children = a->children;
    for (u32 i = 0; i < a->count; i++) {
        const struct dwattr *attr = &u->abbrevs->attrs[a->first + i];

        dwform_read(u, &c, attr, &v);
        read_attribute(out, attr->name, &v);
    }
    out->behind = (u64)(c.at - u->file->info.at);
    return !c.bad;
}

static bool
refer(struct dwunit *u, const struct dwvalue *v, struct dwtype_die *out)
{
    u64 die;

    u = v->form ? dwfile_reference(u, v, &die) : NULL;
    return u && dwtype_read(u, die, out);
}

/* Iterates over the children of a DIE, but not over their children. */
struct children {
    struct cursor c;
    struct dwunit *unit;
};

static struct children
children_of(const struct dwtype_die *d)
{
    struct children x = { dwfile_cursor(d->unit, d->behind), d->unit };

    if (!d->children)
        x.c.at = x.c.end;
    return x;
}

static bool
next_child(struct children *x, struct dwtype_die *out)
{
    u64 die = (u64)(x->c.at - x->unit->file->info.at);
    u32 depth = 0;

    if (!cursor_left(&x->c) || !dwtype_read(x->unit, die, out))
        return false;
    x->c = dwfile_cursor(x->unit, out->behind);
    depth = out->children;
    while (depth && cursor_left(&x->c) && !x->c.bad) {
        const struct dwabbrev *a = dwfile_abbrev(x->unit, &x->c);

        if (!a) {
            depth--;
            continue;
        }
        dwform_skip(x->unit, &x->c, a);
        depth += a->children;
    }
    return true;
}

/*
 * Gets the type to which typedefs and qualifiers lead. False: it is void, or cannot be
 * read.
 */
static bool
plain_type(struct dwunit *u, const struct dwvalue *type, struct dwtype_die *out,
           bool *is_const)
{
    struct dwvalue v = *type;

    *is_const = false;
    for (u32 hops = 0; hops < HOPS_MAX && refer(u, &v, out); hops++) {
        switch (out->tag) {
        case DW_TAG_const_type:
            *is_const = true;
            break;
        case DW_TAG_typedef:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            break;
        default:
            return true;
        }
        if (!out->type.form)
            return false;
        v = out->type;
        u = out->unit;
    }
    return false;
}

/* Appends a base type. log: the binary logarithm of its size in bytes; 6 = none. */
static void
put_base(struct dwtype_row *row, const struct dwtype_die *d)
{
    static const char *const with_sign[] = { "i8", "short", "int", "long" };
    static const char *const without[] = { "u8", "u16", "u32", "u64" };
    static const char *const complex[] = { "cfloat", "cdouble", "cldouble" };
    const char *name = dwform_string(d->unit, &d->name), *word = NULL;
    u32 log = d->size ? (u32)__builtin_ctzll(d->size) : 0;

    if (d->size != 1ull << log || log > 5)
        log = 6;
    switch (d->encoding) {
    case DW_ATE_boolean:
        word = log == 0 ? "bool" : log < 4 ? without[log] : NULL;
        break;
    case DW_ATE_signed_char:
        word = log ? NULL : name && !strcmp(name, "char") ? "char" : "i8";
        break;
    case DW_ATE_signed:
        word = log < 4 ? with_sign[log] : NULL;
        break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        word = log < 4 ? without[log] : NULL;
        break;
    case DW_ATE_float:
        /* Other types of 16 bytes, such as _Float128, are passed in another way. */
        if (log == 4)
            word = name && strcmp(name, "long double") == 0 ? "ldouble" : NULL;
        else
            word = log == 2 ? "float" : log == 3 ? "double" : NULL;
        break;
    case DW_ATE_complex_float:
        word = log < 3 || log > 5 ? NULL : complex[log - 3];
        if (log == 5 && (!name || !strstr(name, "long double")))
            word = NULL;
        break;
    }
    if (word)
        put(row, "%s", word);
    else
        row->bad = true;
}

/* Does the name suggest that the value is a secret, which must not be recorded? */
static bool
is_secret(const char *name)
{
    static const char *const parts[] = { "passw", "passphrase", "secret", "token",
                                         "credential", "pwd" };

    for (u32 i = 0; name && i < ER_COUNT(parts); i++)
        if (strcasestr(name, parts[i]))
            return true;
    return false;
}

/*
 * Appends a pointer. It is text (str) only if it points to const chars, or to chars and
 * is a result; other chars may be a buffer. Chars named like a secret are "secret".
 */
static void
put_pointer(struct dwtype_row *row, const struct dwtype_die *d, const char *name,
            bool result)
{
    struct dwtype_die to;
    bool is_const;
    bool text = d->tag == DW_TAG_pointer_type &&
                plain_type(d->unit, &d->type, &to, &is_const) &&
                to.tag == DW_TAG_base_type && to.encoding == DW_ATE_signed_char &&
                to.size == 1;

    if (text && is_secret(name))
        put(row, "secret");
    else
        put(row, text && (is_const || result) ? "str" : "ptr");
}

static void
put_enum(struct dwtype_row *row, const struct dwtype_die *d)
{
    static const char *const by_size[] = { "u8", "u16", "u32", "u64" };
    struct children all = children_of(d);
    size_t before = row->used;
    struct dwtype_die one;
    int64_t next = 0;

    put(row, "enum(");
    while (d->size == 4 && next_child(&all, &one)) {
        const char *name = dwform_string(one.unit, &one.name);

        if (one.tag != DW_TAG_enumerator || !name)
            continue;
        put(row, row->used == before + 5 ? "%s" : ",%s", name);
        if (one.value != next)
            put(row, "=%lld", (long long)one.value);
        next = one.value + 1;
    }
    if (d->size == 4 && row->used > before + 5 && row->used < before + LIST_MAX) {
        put(row, ")");
        return;
    }
    row->used = before;
    row->bad |= !d->size || d->size > 8 || (d->size & (d->size - 1)) != 0;
    if (!row->bad)
        put(row, "%s", by_size[__builtin_ctzll(d->size)]);
}

static void
put_array(struct dwtype_row *row, const struct dwtype_die *d, u32 nesting)
{
    struct children all = children_of(d);
    struct dwtype_die range;
    u64 count = 1, n;

    row->bad |= d->is_vector || nesting == NESTING_MAX;
    while (next_child(&all, &range)) {
        if (range.tag != DW_TAG_subrange_type)
            continue;
        n = range.count.form ? range.count.number : range.bound.number + 1;
        row->bad |= (!range.count.form && !range.bound.form) || n == 0 ||
                    n > ARRAY_MAX;
        count *= row->bad ? 1 : n;
    }
    row->bad |= count > ARRAY_MAX;
    for (u64 i = 0; i < count && !row->bad; i++) {
        put(row, i ? "," : "");
        put_type(row, d->unit, &d->type, nesting + 1);
    }
}

static bool
is_class(const struct dwtype_die *d)
{
    return d->tag == DW_TAG_structure_type || d->tag == DW_TAG_class_type;
}

/*
 * Does C++ pass objects of a class by address? DW_AT_calling_convention tells. Without
 * it, assume so if the class has virtual functions or its own destructor; see also
 * is_special().
 */
static bool
is_by_reference(const struct dwtype_die *d)
{
    struct children all = children_of(d);
    struct dwtype_die one;

    if (!is_class(d) || d->convention)
        return is_class(d) && d->convention == DW_CC_pass_by_reference;
    while (next_child(&all, &one)) {
        const char *name = dwform_string(one.unit, &one.name);

        if (one.tag == DW_TAG_subprogram && name && *name == '~' &&
            !one.is_artificial && !one.is_defaulted)
            return true;
        if (one.tag == DW_TAG_member && one.is_artificial && name &&
            !strncmp(name, "_vptr", 5))
            return true;
    }
    return false;
}

/*
 * Is a member a constructor or destructor, in a class without DW_AT_calling_convention?
 * Then it is not known how objects are passed.
 */
static bool
is_special(const struct dwtype_die *d, const struct dwtype_die *member)
{
    const char *class = dwform_string(d->unit, &d->name);
    const char *name = dwform_string(member->unit, &member->name);
    size_t len = class ? strcspn(class, "<") : 0;

    return !d->convention && member->tag == DW_TAG_subprogram && name && class &&
           (*name == '~' || (!strncmp(name, class, len) &&
                             (!name[len] || name[len] == '<')));
}

/*
 * The size of the types that the row has from offset `from` on; computed as calltype.h
 * does. 0: they are malformed.
 */
static u32
size_of(const struct dwtype_row *row, size_t from)
{
    struct call_reader r = { .row = row->at + from, .len = (u32)(row->used - from) };
    struct call_shape shape = { 0 };

    callread_type(&r, &shape, 0);
    return r.wrong ? 0 : shape.size;
}

/*
 * Appends a struct. Only the types of members are written, and their offsets must
 * follow from these. So there is no row for a struct with bit fields, with packed or
 * specially aligned members, or with base classes; nor for one of which it is not known
 * how C++ passes it.
 */
static void
put_struct(struct dwtype_row *row, const struct dwtype_die *d, u32 nesting)
{
    size_t before = row->used;
    struct children all = children_of(d);
    struct dwtype_die one;
    u32 members = 0;

    row->bad |= d->is_declaration || d->is_aligned || nesting == NESTING_MAX ||
                is_by_reference(d);
    put(row, "struct{");
    while (!row->bad && next_child(&all, &one)) {
        row->bad |= one.tag == DW_TAG_inheritance || one.is_bits || one.is_aligned ||
                    is_special(d, &one);
        if (one.tag != DW_TAG_member || one.is_external || one.is_declaration)
            continue;
        put(row, members++ ? "," : "");
        put_type(row, one.unit, &one.type, nesting + 1);
    }
    put(row, "}");
    row->bad |= members == 0 || size_of(row, before) != d->size;
}

static void
put_plain(struct dwtype_row *row, const struct dwtype_die *d, const char *name,
          bool result, u32 nesting)
{
    switch (d->tag) {
    case DW_TAG_base_type:
        put_base(row, d);
        break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        put_pointer(row, d, name, result);
        break;
    case DW_TAG_enumeration_type:
        put_enum(row, d);
        break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        put_struct(row, d, nesting);
        break;
    case DW_TAG_array_type:
        put_array(row, d, nesting);
        break;
    default:
        row->bad = true;
    }
}

static void
put_type(struct dwtype_row *row, struct dwunit *u, const struct dwvalue *type,
         u32 nesting)
{
    struct dwtype_die d;
    bool is_const;

    if (!plain_type(u, type, &d, &is_const))
        row->bad = true;
    else
        put_plain(row, &d, NULL, false, nesting);
}

static void
put_parameter(struct dwtype_row *row, const struct dwtype_die *concrete)
{
    struct dwtype_die parameter = *concrete, origin, d;
    const struct dwtype_die *p = &parameter;
    const char *name;
    bool is_const;

    for (u32 hops = 0; hops < HOPS_MAX && !p->type.form; hops++) {
        if (!refer(p->unit, &p->origin, &origin))
            break;
        parameter = origin;
    }
    name = dwform_string(p->unit, &p->name);
    if (!plain_type(p->unit, &p->type, &d, &is_const)) {
        row->bad = true;
        return;
    }
    if (name && name[0])
        put(row, "%s:", name);
    if (is_by_reference(&d))
        put(row, "ptr");
    else
        put_plain(row, &d, name, false, 0);
}

/*
 * Appends the result's type; *by_address: the caller passes the address of the result.
 */
static void
put_result(struct dwtype_row *row, const struct dwtype_die *f, bool *by_address)
{
    struct dwtype_die d, from = *f;
    bool is_const;

    *by_address = false;
    for (u32 hops = 0; !from.type.form && hops < HOPS_MAX; hops++) {
        struct dwtype_die next;

        if (!refer(from.unit, from.specification.form ? &from.specification
                                                      : &from.origin, &next))
            return;
        from = next;
    }
    if (!from.type.form)
        return;
    if (!plain_type(from.unit, &from.type, &d, &is_const)) {
        /*
         * The result may be a qualified void, whose qualifier refers to no type; no row
         * is made then.
         */
        row->bad = true;
        return;
    }
    *by_address = is_by_reference(&d);
    put(row, "->");
    if (*by_address)
        put(row, "ptr");
    else
        put_plain(row, &d, NULL, true, 0);
}

static u32
put_parameters(struct dwtype_row *row, const struct dwtype_die *f, u32 before)
{
    struct children all = children_of(f);
    struct dwtype_die one;

    while (!row->bad && next_child(&all, &one)) {
        bool more = one.tag == DW_TAG_unspecified_parameters;
        const char *name = dwform_string(one.unit, &one.name);

        if (!more && one.tag != DW_TAG_formal_parameter)
            continue;
        /*
         * Constructors and destructors may have hidden arguments. __in_chrg is never
         * passed; for a function with __vtt_parm, no row is made.
         */
        if (one.is_artificial && name && !strcmp(name, "__in_chrg"))
            continue;
        row->bad |= one.is_artificial && name && !strcmp(name, "__vtt_parm");
        put(row, before++ ? "," : "");
        if (more)
            put(row, "...");
        else
            put_parameter(row, &one);
    }
    return before;
}

bool
dwtype_function(const struct dwtype_die *f, const char *name, struct dwtype_row *out)
{
    struct dwtype_die whole = *f, next;
    struct dwtype_row result = { .used = 0 };
    struct call_type type;
    bool by_address;
    u32 at;

    *out = (struct dwtype_row){ .used = 0 };
    /*
     * The DIE of an out-of-line instance of an inline function refers to the DIE that
     * all instances share, which has the type: use that one.
     */
    for (u32 hops = 0; hops < HOPS_MAX && whole.origin.form; hops++) {
        if (!refer(whole.unit, &whole.origin, &next))
            return false;
        whole = next;
    }
    put_result(&result, &whole, &by_address);
    put(out, "%s(%s", name, by_address ? "to:ptr" : "");
    put_parameters(out, &whole, by_address);
    put(out, ")%s", result.at);
    return !out->bad && !result.bad &&
           !calltype_parse(out->at, (u32)out->used, &type, &at);
}
