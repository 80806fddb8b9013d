/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads profiles of speedscope. In a file of er_export, each profile is a metric. In
 * other files, a profile's unit says what its values are, and its name is a thread's.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/json.h"
#include "import/kinds.h"
#include "import/names.h"
#include "print/base/array.h"

enum {
    KINDS = 64,      /* profiles in a file of er_export that are read */
    DEPTH = 1 << 16, /* open frames in a profile of events */
};

struct speedscope {
    struct import *im;
    struct json json;
    u32 *place; /* by frame: a place of names.h */
    u32 nframes;
    u32 *open;  /* nodes of the open frames, the root first */
    u32 *open_frame;
    u32 nopen, open_room, open_frame_room;
    struct import_kind kind[KINDS]; /* by profile; used for er_export's files only */
    struct import_kind now; /* kind of the current profile, with a scale of 1 */
    struct import_hit hit;
    double scale; /* factor from the file's values to what is counted */
    bool own;     /* er_export wrote the file */
    u64 rounded;  /* how many values were not whole numbers */
    u64 wrong;    /* how many values were below zero */
};

static int
read_frames(struct speedscope *s, u32 frames)
{
    const struct json *j = &s->json;
    u32 count = json_count(j, frames);

    s->place = calloc((size_t)count + 1, sizeof(*s->place));
    if (!s->place)
        return -ENOMEM;
    for (u32 i = json_first(j, frames); i; i = json_next(j, frames, i)) {
        const char *name = json_string(j, json_member(j, i, "name"));
        const char *file = json_string(j, json_member(j, i, "file"));
        u32 line = json_index(j, json_member(j, i, "line"), 0);
        struct names_func func = { .name = names_text(s->im, name, strlen(name)),
                                   .file = names_text(s->im, file, strlen(file)) };
        struct names_place place = { .line = line };

        /*
         * In files of other programs, the line may be the function's or where it ran:
         * take it for the latter.
         */
        func.line = s->own ? line : 0;
        place.func = func.name ? names_func(s->im, &func) : 0;
        if (place.func)
            s->place[s->nframes] = names_place(s->im, &place);
        s->nframes++;
    }
    return s->im->failed ? -ENOMEM : 0;
}

static u32
place_of(const struct speedscope *s, u32 value)
{
    u32 frame = json_index(&s->json, value, UINT32_MAX);

    return frame < s->nframes ? s->place[frame] : 0;
}

static void
add_value(struct speedscope *s, u32 node, double value)
{
    double count = nearbyint(value * s->scale);

    s->wrong += value < 0;
    if (!(count > 0) || count > 1e18)
        return;
    s->rounded += fabs(count - value * s->scale) > 1e-3;
    s->hit.node = node;
    kinds_add(s->im, &s->now, &s->hit, (u64)count);
}

static void
read_samples(struct speedscope *s, u32 samples, u32 weights)
{
    const struct json *j = &s->json;
    u32 weight = weights ? json_first(j, weights) : 0;

    for (u32 i = json_first(j, samples); i && !s->im->failed;
         i = json_next(j, samples, i)) {
        u32 node = 0;

        for (u32 k = json_first(j, i); k; k = json_next(j, i, k)) {
            u32 place = place_of(s, k);

            if (place)
                node = names_node(s->im, s->hit.process, node, place);
        }
        add_value(s, node, weight ? json_number(j, weight) : weights ? 0 : 1);
        weight = weight ? json_next(j, weights, weight) : 0;
    }
}

/* Opens a frame; false: no memory, or too many frames are open. */
static bool
push(struct speedscope *s, u32 place)
{
    u32 parent = s->nopen ? s->open[s->nopen - 1] : 0;

    if (s->nopen == DEPTH)
        return false;
    if (array_room(&s->open, &s->open_room, s->nopen + 1, sizeof(*s->open)) < 0 ||
        array_room(&s->open_frame, &s->open_frame_room, s->nopen + 1,
                   sizeof(*s->open_frame)) < 0) {
        s->im->failed = true;
        return false;
    }
    s->open_frame[s->nopen] = place;
    s->open[s->nopen++] = place ? names_node(s->im, s->hit.process, parent, place)
                                : parent;
    return true;
}

static int
read_events(struct speedscope *s, u32 events)
{
    const struct json *j = &s->json;
    double before = 0;
    bool first = true;

    s->nopen = 0;
    for (u32 i = json_first(j, events); i && !s->im->failed;
         i = json_next(j, events, i)) {
        double at = json_number(j, json_member(j, i, "at"));
        u32 place = place_of(s, json_member(j, i, "frame"));
        const char *type = json_string(j, json_member(j, i, "type"));

        if (!first && s->nopen)
            add_value(s, s->open[s->nopen - 1], at - before);
        first = false;
        before = at;
        if (*type == 'O' && !push(s, place))
            return s->im->failed ? -ENOMEM
                                 : import_fail(s->im, "more than %d frames are open",
                                               DEPTH);
        if (*type != 'C')
            continue;
        if (!s->nopen || s->open_frame[s->nopen - 1] != place)
            return import_fail(s->im, "a frame ends that is not the last one open");
        s->nopen--;
    }
    return 0;
}

/* The name of the kind of a profile's values. */
static const char *
kind_name(const struct speedscope *s, const char *name, const char *unit)
{
    if (s->own)
        return kinds_by_title(name);
    if (strstr(unit, "second"))
        return "time";
    return *unit && strcmp(unit, "none") ? unit : "samples";
}

static void
settle_kinds(struct speedscope *s, u32 profiles)
{
    const struct json *j = &s->json;
    u32 count = 0;

    for (u32 i = json_first(j, profiles); i && count < KINDS;
         i = json_next(j, profiles, i)) {
        struct import_kind *kind = &s->kind[count++];

        kind->unit = json_string(j, json_member(j, i, "unit"));
        kind->name = kind_name(s, json_string(j, json_member(j, i, "name")),
                               kind->unit);
    }
    if (s->own)
        kinds_settle(s->im, s->kind, count);
}

/* Decides what the profile's values are, and which thread they belong to. */
static int
begin_profile(struct speedscope *s, u32 profile, u32 number)
{
    const struct json *j = &s->json;
    const char *name = json_string(j, json_member(j, profile, "name"));
    struct import_kind kind = { .unit = json_string(j, json_member(j, profile,
                                                                   "unit")) };
    struct import *im = s->im;

    if (s->own) {
        kind = s->kind[number];
    } else {
        kind.name = kind_name(s, name, kind.unit);
        kinds_settle(im, &kind, 1);
    }
    s->now = kind;
    s->now.scale = 1;
    s->scale = (double)kind.scale;
    if (s->own && s->hit.thread)
        return 0;
    s->hit.thread = import_thread(im, s->hit.process, s->own ? 0 : number + 1, 1);
    if (!s->hit.thread)
        return -ENOMEM;
    if (!s->own)
        snprintf(im->process[0].thread[s->hit.thread - 1].name, 16, "%s", name);
    return 0;
}

static int
read_profiles(struct speedscope *s, u32 profiles)
{
    const struct json *j = &s->json;
    u32 number = 0;
    int ret = 0;

    settle_kinds(s, profiles);
    for (u32 i = json_first(j, profiles); i && ret == 0;
         i = json_next(j, profiles, i)) {
        u32 samples = json_member(j, i, "samples");
        u32 events = json_member(j, i, "events");

        if (s->own && number == KINDS)
            break;
        ret = begin_profile(s, i, number++);
        if (ret < 0)
            break;
        if (samples)
            read_samples(s, samples, json_member(j, i, "weights"));
        else if (events)
            ret = read_events(s, events);
    }
    return s->im->failed ? -ENOMEM : ret;
}

static int
read_all(struct speedscope *s)
{
    const struct json *j = &s->json;
    u32 frames = json_member(j, json_member(j, 0, "shared"), "frames");
    u32 profiles = json_member(j, 0, "profiles");
    const char *exporter = json_string(j, json_member(j, 0, "exporter"));
    const char *name = json_string(j, json_member(j, 0, "name"));
    int ret;

    if (!frames || !profiles)
        return -ENOEXEC;
    s->own = !strncmp(exporter, "ertools ", 8);
    s->im->tool = exporter;
    s->hit.time = 1;
    s->hit.process = import_process(s->im, 0, 0, 1);
    if (!s->hit.process)
        return -ENOMEM;
    s->im->process[s->hit.process - 1].name = *name ? name : s->im->file;
    ret = read_frames(s, frames);
    if (ret == 0)
        ret = read_profiles(s, profiles);
    if (s->rounded)
        import_add_note(s->im, "%llu values are rounded to whole numbers",
                        (unsigned long long)s->rounded);
    if (s->wrong)
        import_add_note(s->im, "%llu values are below zero, and left out",
                        (unsigned long long)s->wrong);
    return ret;
}

int
import_speedscope(struct import *im, struct bytes file)
{
    struct speedscope s = { .im = im };
    int ret;

    if (!file.size || !memchr("{ \t\r\n", file.at[0], 5))
        return -ENOEXEC;
    ret = json_parse(&s.json, im, file);
    if (ret < 0)
        return ret;
    ret = read_all(&s);
    if (ret == 0)
        ret = names_settle(im);
    json_free(&s.json);
    free(s.place);
    free(s.open);
    free(s.open_frame);
    return ret;
}
