/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what er_cp, er_mv, er_rm and er_label do in a directory that others have
 * filled (tree.h); the first byte chooses. tests/fuzz/run builds it.
 */
#include <stdint.h>

#include "manage/carry.h"
#include "manage/eligible.h"
#include "manage/gather.h"
#include "manage/labelset.h"
#include "manage/tree.h"
#include "tests/fuzz/tree.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    tree_start();
    stdout = fopen("/dev/null", "w");
    return 0;
}

static int
copy(const struct place *from, int parent, const char *name)
{
    return tree_copy(from, parent, name);
}

static int
move(const struct place *from, int parent, const char *name)
{
    return tree_rename(from->parent, from->name, parent, name);
}

static void
remove_it(const char *path)
{
    struct place p;

    if (!place_open(&p, path) && eligible(&p, true) && p.kind == PLACE_EXPERIMENT)
        tree_remove(&p);
    place_close(&p);
}

static void
label(const char *path)
{
    struct labelset set;
    struct place p;
    int dir = -1;

    if (!place_open(&p, path) && eligible(&p, true) && p.kind == PLACE_EXPERIMENT)
        dir = place_directory(&p);
    if (dir >= 0 && labelset_read(&set, dir, p.shown) == 0) {
        set.end = UINT64_MAX;
        labelset_add(&set, p.shown, "a", 10, 20);
        labelset_open(&set, p.shown, "b", 5);
        labelset_shut(&set, p.shown, "b", 50);
        labelset_doc(&set, p.shown, "a", "what <a> means");
        labelset_print(&set, p.shown);
        labelset_write(&set, dir);
        labelset_free(&set);
    }
    if (dir >= 0)
        close(dir);
    place_close(&p);
}

/* Where it is to go is the user's word: no link, and a directory if for several. */
static void
make_targets(void)
{
    (void)unlink("new.er");
    (void)unlink("all.er");
    (void)unlink("d");
    (void)mkdir("d", 0700);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct carry cp = { copy, false, true }, mv = { move, true, true };
    char *one[] = { (char[]){ "a.er" }, (char[]){ "new.er" } };
    char *group[] = { (char[]){ "g.erg" }, (char[]){ "b.er" }, (char[]){ "d" } };
    char *parts[] = { (char[]){ "a.er" }, (char[]){ "b.er" }, (char[]){ "all.er" } };

    if (size < 2)
        return 0;
    tree_make(data + 1, size - 1);
    make_targets();
    switch (data[0] % 8) {
    case 0: carry_all(&cp, 2, one); break;
    case 1: carry_all(&mv, 2, one); break;
    case 2: carry_all(&cp, 3, group); break;
    case 3: carry_all(&mv, 3, group); break;
    case 4: gather_all(3, parts, true); break;
    case 5: remove_it("a.er"); break;
    case 6: gather_all(3, parts, false); break;
    default: label("a.er"); break;
    }
    tree_end();
    return 0;
}
