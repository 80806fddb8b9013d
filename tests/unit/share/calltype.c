/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of functions whose calls are recorded: what they say, and where values are. */
#include <criterion/criterion.h>
#include <string.h>

#include "share/calltype.h"

static struct call_type t;
static u32 at;

static const char *
parse(const char *row)
{
    return calltype_parse(row, (u32)strlen(row), &t, &at);
}

static void
place(u32 i, enum call_kind kind, u32 argument, enum call_area area, u32 offset)
{
    cr_assert_lt(i, t.values);
    cr_assert_eq(t.value[i].kind, kind, "kind of %u", i);
    cr_assert_eq(t.value[i].argument, argument, "argument of %u", i);
    cr_assert_eq(t.value[i].area, area, "area of %u", i);
    cr_assert_eq(t.value[i].offset, offset, "offset of %u: %u", i, t.value[i].offset);
}

Test(calltype, a_name_alone_has_no_type)
{
    cr_assert_null(parse("PQexec"));
    cr_assert_not(t.known);
    cr_assert_eq(t.name.len, 6);
    cr_assert_eq(t.words, CALL_UNKNOWN_WORDS);
}

Test(calltype, a_row_says_names_types_and_what_is_bad)
{
    const char *row = " PQexec ( conn:ptr, query: sql:300 ) -> ptr bad(0) ";

    cr_assert_null(parse(row));
    cr_assert(t.known && t.arguments == 2 && t.before == 2 && t.values == 3);
    cr_assert(!strncmp(row + t.argument[1].at, "query", 5) && t.argument[1].len == 5);
    place(0, CALL_POINTER, 1, CALL_IN_GENERAL, 0);
    place(1, CALL_SQL, 2, CALL_IN_GENERAL, 8);
    place(2, CALL_POINTER, 0, CALL_IN_GENERAL, 0);
    cr_assert_eq(t.value[1].limit, 300);
    cr_assert(calltype_failed(&t, 0) && !calltype_failed(&t, 1));
}

Test(calltype, registers_run_out_by_class)
{
    cr_assert_null(parse("f(int,double,int,float,int,int,int,int,u64,short)"));
    place(1, CALL_DOUBLE, 2, CALL_IN_SSE, 0);
    place(3, CALL_FLOAT, 4, CALL_IN_SSE, 16);
    place(7, CALL_SIGNED, 8, CALL_IN_GENERAL, 40);
    place(8, CALL_UNSIGNED, 9, CALL_ON_STACK, 0);
    place(9, CALL_SIGNED, 10, CALL_ON_STACK, 8);
    cr_assert_eq(t.words, 2);
}

Test(calltype, structs_go_by_words_or_by_memory)
{
    cr_assert_null(
        parse("f(struct{int,float},struct{double,char},struct{i64,i64,u8})"));
    place(0, CALL_SIGNED, 1, CALL_IN_GENERAL, 0);
    place(1, CALL_FLOAT, 1, CALL_IN_GENERAL, 4);
    place(2, CALL_DOUBLE, 2, CALL_IN_SSE, 0);
    place(3, CALL_CHAR, 2, CALL_IN_GENERAL, 8);
    place(4, CALL_SIGNED, 3, CALL_ON_STACK, 0);
    place(6, CALL_UNSIGNED, 3, CALL_ON_STACK, 16);
    cr_assert_eq(t.words, 3);
    /* One that does not fit in the registers left is in none. */
    cr_assert_null(parse("f(ptr,ptr,ptr,ptr,ptr,struct{i64,i64},ptr)"));
    place(5, CALL_SIGNED, 6, CALL_ON_STACK, 0);
    place(7, CALL_POINTER, 7, CALL_IN_GENERAL, 40);
}

Test(calltype, results_have_places_of_their_own)
{
    cr_assert_null(parse("f(int)->struct{double,i64}"));
    place(1, CALL_DOUBLE, 0, CALL_IN_SSE, 0);
    place(2, CALL_SIGNED, 0, CALL_IN_GENERAL, 0);
    cr_assert_null(parse("f(int)->struct{i64,i64,i64}"));
    place(0, CALL_SIGNED, 1, CALL_IN_GENERAL, 8);
    place(3, CALL_SIGNED, 0, CALL_IN_GENERAL, 0);
    cr_assert_eq(t.value[3].at, 16);
    cr_assert_eq(t.value[1].flags, CALL_AFTER | CALL_POINTED | CALL_FIRST);
    cr_assert_eq(t.value[3].flags, CALL_AFTER | CALL_POINTED);
    cr_assert_null(parse("f(ldouble)->ldouble"));
    place(0, CALL_LDOUBLE, 1, CALL_ON_STACK, 0);
    place(1, CALL_LDOUBLE, 0, CALL_IN_X87, 0);
    cr_assert_eq(t.x87, 1);
    cr_assert_null(parse("f(cfloat)->cldouble"));
    place(1, CALL_FLOAT, 1, CALL_IN_SSE, 4);
    cr_assert_eq(t.x87, 2);
    cr_assert_null(parse("f()->struct{ldouble,ldouble}"));
    cr_assert_eq(t.x87, 0);
}

Test(calltype, what_is_pointed_to_comes_behind)
{
    cr_assert_null(parse("f(out(struct{int,str}),buf(n),n:size)->errno"));
    place(0, CALL_BUF, 2, CALL_IN_GENERAL, 8);
    place(1, CALL_UNSIGNED, 3, CALL_IN_GENERAL, 16);
    cr_assert_eq(t.before, 2);
    cr_assert_eq(t.value[0].length, 1);
    place(2, CALL_SIGNED, 1, CALL_IN_GENERAL, 0);
    place(3, CALL_STR, 1, CALL_IN_GENERAL, 0);
    cr_assert_eq(t.value[3].at, 8);
    place(4, CALL_SIGNED, 0, CALL_IN_GENERAL, 0);
    cr_assert(t.has_errno && calltype_failed(&t, -1) && !calltype_failed(&t, 0));
}

Test(calltype, verdicts_are_lists)
{
    const char *row = "sqlite3_step(ptr)->enum(OK=0,ROW=100,DONE) ok(0,100,101)";

    cr_assert_null(parse(row));
    cr_assert(!calltype_failed(&t, 101) && calltype_failed(&t, 5));
    cr_assert_str_eq(row + t.value[1].list, "OK=0,ROW=100,DONE) ok(0,100,101)");
    cr_assert_null(parse("f()->long bad(<-5,0x10,>100)"));
    cr_assert(calltype_failed(&t, -6) && !calltype_failed(&t, -5));
    cr_assert(calltype_failed(&t, 16) && calltype_failed(&t, 101));
}

Test(calltype, variadic_functions_have_room)
{
    cr_assert_null(parse("f(str,...)->int"));
    cr_assert(t.variadic && t.words == CALL_UNKNOWN_WORDS);
}

Test(calltype, what_is_wrong_is_said_with_its_place)
{
    static const struct {
        const char *row, *why;
        u32 at;
    } rows[] = {
        { "", "a function's name is missing", 0 },
        { "f(strr)", "there is no such type", 2 },
        { "f(int", "')' is missing", 5 },
        { "f(int,)", "a type is missing", 6 },
        { "f(int)x", "ok(...) or bad(...) may stand here", 6 },
        { "f(int)->", "a type is missing", 8 },
        { "f()bad(0)", "there is no result to judge", 6 },
        { "f(str:2000)", "a text is kept up to 1000 bytes", 10 },
        { "f(buf(2),str)", "no argument that is a number of bytes", 6 },
        { "f(void,int)", "void is no type of an argument", 6 },
        { "f(int)->int bad(0) x", "nothing may follow", 19 },
        { "f(struct{void})", "there is no such type", 9 },
        { "f(out(out(int)))", "no type that out() can have", 13 },
        { "f()->out(int)", "out() is for arguments", 13 },
        { "f[int]", "'(' and the types of the arguments may follow a name", 1 },
    };

    for (u32 i = 0; i < ER_COUNT(rows); i++) {
        const char *why = parse(rows[i].row);

        cr_assert(why && !strcmp(why, rows[i].why), "%s: %s", rows[i].row, why);
        cr_assert_eq(at, rows[i].at, "%s: %u", rows[i].row, at);
    }
}

Test(calltype, tables_have_comments)
{
    static const char table[] = "# all\n\n a(int) # one\n\tb\r\n#c\nd()";
    struct call_span row;
    const char *start;
    u64 pos = 0;
    u32 line = 0;

    cr_assert(calltype_next(table, sizeof(table) - 1, &pos, &line, &row, &start));
    cr_assert(row.len == 6 && !strncmp(start, "a(int)", 6) && line == 3);
    cr_assert(calltype_next(table, sizeof(table) - 1, &pos, &line, &row, &start));
    cr_assert(row.len == 1 && *start == 'b' && line == 4);
    cr_assert(calltype_next(table, sizeof(table) - 1, &pos, &line, &row, &start));
    cr_assert(row.len == 3 && line == 6);
    cr_assert_not(calltype_next(table, sizeof(table) - 1, &pos, &line, &row, &start));
}

Test(calltype, some_functions_are_refused)
{
    cr_assert_str_eq(calltype_refused("setjmp", 6), "it returns twice");
    cr_assert_str_eq(calltype_refused("_Unwind_Resume", 14), "it looks at its caller");
    cr_assert_null(calltype_refused("setjmps", 7));
}
