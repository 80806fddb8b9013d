/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment that is being recorded: a directory, whose files are created, reserved
 * and open. Normal context of ordinary processes. Files are created relative to the
 * directory's descriptor, since its path may have come to mean another one.
 */
#ifndef ERTOOLS_SHARE_EXPERIMENT_H
#define ERTOOLS_SHARE_EXPERIMENT_H

#include "share/chunk.h"
#include "share/ctl.h"
#include "share/record.h"
#include "share/types.h"

/* Files beside those of files.def. */
#define EXPERIMENT_LOG "log.xml"
#define EXPERIMENT_MAP "map.xml"
#define EXPERIMENT_NOTES "notes"
#define EXPERIMENT_CONTROL ".control"
#define EXPERIMENT_CALLS ".calls" /* rows of functions: share/calltype.h */
#define EXPERIMENT_SPARE ".spare-" /* begins names of spare files, for descendants */
#define EXPERIMENT_SUFFIX ".er"

struct expdir {
    int dir; /* the directory; -1 = no experiment */
    int log; /* log.xml, O_APPEND */
    int map; /* map.xml, O_APPEND, readable */
    int file[FILE_COUNT]; /* -1 = not made; experiment_is_optional() */
    struct ctl *ctl; /* mapped shared */
};

/*
 * Make the directory `name` (0700) below the directory `parent`, and in it empty files
 * (0600), with the first segment of each data file reserved; optional data files are
 * not made. `name` must not exist. The caller frees *e by experiment_close(). Returns
 * 0; -EEXIST if name exists; or another -errno. On errors, nothing is left behind.
 */
int experiment_create(struct expdir *e, int parent, const char *name);

/*
 * A source of files that exist already, which a descendant can use instead of new ones.
 * Each file is moved into the directory dir, under its name there.
 */
struct experiment_supply {
    /* Supply a file of zeros: its descriptor, and in *reserved its size; or -errno. */
    int (*file)(enum er_file file, int dir, u64 *reserved);
    /* Supply the control page, mapped and filled with zeros; or NULL. */
    struct ctl *(*control)(int dir);
};

/*
 * Like experiment_create(), for a descendant, which usually ends soon: its data files
 * begin with some KiB instead of a segment, and no space is reserved for text. supply:
 * files that were made before; NULL = there are none.
 */
int experiment_create_small(struct expdir *e, int parent, const char *name,
                            const struct experiment_supply *supply);

/*
 * Make a data file longer by whole segments, until it has at least `want` bytes; an
 * optional file is made first. Returns 0 or -errno (-ENOSPC, -EDQUOT, -EFBIG: no room;
 * -EIO: the file was truncated); segments that were added before remain. The caller
 * must ignore SIGXFSZ.
 */
int experiment_grow(struct expdir *e, enum er_file file, u64 want);

/*
 * 1 for a file that not every experiment has, such as those of tracing families and
 * counters: it is made only when experiment_grow() is called for it.
 */
int experiment_is_optional(enum er_file file);

/*
 * For the end of recording. experiment_trim_file(): cut a data file to the bytes that
 * were given out, if that saves more than a page, and if its descriptor is not -1.
 * experiment_trim_data(): do so with all of them, and free unused space of log.xml and
 * map.xml. experiment_trim_rest(): free that space, and remove the control page's name
 * and the file of calls. experiment_trim(): all of this.
 */
void experiment_trim(struct expdir *e);
void experiment_trim_data(struct expdir *e); /* does not remove the control page */
void experiment_trim_rest(struct expdir *e);
void experiment_trim_file(struct expdir *e, enum er_file file);

enum { EXPERIMENT_SIZES = 384 }; /* bytes of the text below, with its final zero */

/*
 * List how many bytes of each data file are in use, for the log's end: "NAME:BYTES
 * ...". Files that are empty, or of which that is not known, are left out.
 */
void experiment_sizes(const struct expdir *e, char text[EXPERIMENT_SIZES]);

/* Unmap a control page that belongs to no experiment any more. */
void experiment_unmap(struct ctl *ctl);

/* Close all descriptors and unmap; the files stay. */
void experiment_close(struct expdir *e);

/* Remove the directory and the files that experiment_create() made, and close them. */
void experiment_discard(struct expdir *e, int parent, const char *name);

#endif
