/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/nodes.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static unsigned char rows[4 * ER_NODE_BYTES];
static struct schema schema;
static struct nodes nodes;

static void
put(u32 id, u32 parent, u32 instance, u64 pc, u32 flags)
{
    struct rec_node r = { parent, instance, pc, flags };

    rec_put_node(NULL, rows + id * ER_NODE_BYTES, &r);
}

static void
setup(void)
{
    schema_builtin(&schema);
    put(1, 0, 7, 0x7fffffffffff, NODE_EXACT);
    put(2, 1, 8, 1, 0);
    cr_assert_eq(nodes_open(&nodes, schema_find_file(&schema, "frameinfo"), rows,
                            sizeof(rows) - 1), 0);
}

static void
teardown(void)
{
    schema_free(&schema);
}

TestSuite(nodes, .init = setup, .fini = teardown);

Test(nodes, rows_as_written)
{
    struct node_row row;

    cr_assert_eq(nodes.count, 3); /* the last row is not whole */
    cr_assert_eq(nodes_get(&nodes, 1, &row), 0);
    cr_assert_eq(row.parent, 0);
    cr_assert_eq(row.instance, 7);
    cr_assert_eq(row.pc, 0x7fffffffffff);
    cr_assert_eq(row.flags, NODE_EXACT);
    cr_assert_eq(nodes_get(&nodes, 2, &row), 0);
    cr_assert_eq(row.parent, 1);
}

Test(nodes, what_is_not_there)
{
    struct node_row row;

    put(2, 0, 0, 0, 0);
    cr_assert_eq(nodes_get(&nodes, 0, &row), -ENOENT);
    cr_assert_eq(nodes_get(&nodes, 2, &row), -ENOENT);
    cr_assert_eq(nodes_get(&nodes, 3, &row), -ENOENT);
    cr_assert_eq(nodes_get(&nodes, UINT32_MAX, &row), -ENOENT);
}

Test(nodes, parents_are_other_nodes_of_the_file)
{
    struct node_row row;

    put(1, 1, 1, 1, 0);
    cr_assert_eq(nodes_get(&nodes, 1, &row), -EBADMSG);
    put(1, 2, 1, 1, 0);
    cr_assert_eq(nodes_get(&nodes, 1, &row), 0);
    cr_assert_eq(row.parent, 2);
    put(1, 1000, 1, 1, 0);
    cr_assert_eq(nodes_get(&nodes, 1, &row), -EBADMSG);
}

Test(nodes, need_their_description)
{
    struct schema other = { 0 };

    cr_assert_eq(nodes_open(&nodes, NULL, rows, sizeof(rows)), -EINVAL);
    schema_add_file(&other, "frameinfo", "rows", NULL);
    schema_add_record(&other, "node", "1");
    schema_add_field(&other, "parent", "varint", "");
    cr_assert_eq(nodes_open(&nodes, &other.file[0], rows, sizeof(rows)), -EINVAL);
    schema_free(&other);
}

Test(nodes, fields_are_found_by_name)
{
    struct schema newer = { 0 };
    struct node_row row;
    unsigned char data[40] = { 0 };

    schema_add_file(&newer, "frameinfo", "rows", NULL);
    schema_add_record(&newer, "node", "1");
    schema_add_field(&newer, "more", "u16", "");
    schema_add_field(&newer, "pc", "u64", "");
    schema_add_field(&newer, "instance", "u16", "");
    schema_add_field(&newer, "parent", "u64", "");
    data[20 + 2] = 0x34;
    data[20 + 10] = 9;
    cr_assert_eq(nodes_open(&nodes, &newer.file[0], data, sizeof(data)), 0);
    cr_assert_eq(nodes_get(&nodes, 1, &row), 0);
    cr_assert_eq(row.pc, 0x34);
    cr_assert_eq(row.instance, 9);
    cr_assert_eq(row.flags, 0);
    schema_free(&newer);
}
