/* SPDX-License-Identifier: Apache-2.0 */
/* SQL that differs in its constants alone becomes one text. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/lookup/callvalue.h"

static void
folds(const char *sql, const char *wanted)
{
    char *got = callfold_sql(sql, (u32)strlen(sql));

    cr_assert_str_eq(got, wanted, "%s: %s", sql, got);
    free(got);
}

Test(callfold, constants_are_marks)
{
    folds("SELECT a1 FROM t2 WHERE x = 17 AND y='it''s'",
          "SELECT a1 FROM t2 WHERE x = ? AND y=?");
    folds("select 1.5e-3, 0x1F, -2", "select ?, ..., -?");
    folds("UPDATE t SET b = X'0aff', c = E'a\\'b' WHERE d IS NULL;",
          "UPDATE t SET b = ?, c = ? WHERE d IS NULL");
    folds("SELECT $1, $$te'xt$$, $a$b$$c$a$ FROM \"T 1\"",
          "SELECT $1, ?, ... FROM \"T 1\"");
}

Test(callfold, lists_of_any_length_are_one)
{
    folds("INSERT INTO t VALUES (1,'a',2.5), (2,'b',3)",
          "INSERT INTO t VALUES (?, ...), (?, ...)");
    folds("SELECT * FROM t WHERE a IN (1, 2, 3, 4)",
          "SELECT * FROM t WHERE a IN (?, ...)");
    folds("SELECT * FROM t WHERE a IN (1)", "SELECT * FROM t WHERE a IN (?)");
}

Test(callfold, blanks_and_comments_are_one_blank)
{
    folds("SELECT\n\t 1 -- one\n  FROM /* a 'b */ t", "SELECT ? FROM t");
    folds("SELECT '", "SELECT ?");
    folds("", "");
    folds("'", "?");
    folds("1,1,1,1", "?, ...");
}

Test(callfold, other_text_is_none)
{
    cr_assert(callfold_is_sql(" select 1", 9));
    cr_assert(callfold_is_sql("(SELECT 1)", 10));
    cr_assert_not(callfold_is_sql("selected", 8));
    cr_assert_not(callfold_is_sql("", 0));
}
