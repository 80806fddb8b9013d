/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes speedscope's file format: a table of frames, and a profile for each metric, in
 * which a stack is a sample with a weight. The main metric comes first.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "config.h"
#include "print/model/symbols/function.h"
#include "print/out/outtext.h"
#include "print/out/outtree.h"

/* A frame's number in the file, as text, since it is written very often. */
struct frame_text {
    char text[11];
    unsigned char len;
};

struct writer {
    struct out *out;
    struct outtree tree;
    struct frame_text *frame; /* by function */
};

static void
put_frames(struct writer *w)
{
    struct session *session = w->out->session;
    FILE *f = w->out->f;
    u32 count = 0;

    for (u32 i = 0; i < w->tree.name.count; i++) {
        struct function_info info;

        if (!w->tree.is_used[i])
            continue;
        function_get(session, i, &info);
        w->frame[i].len = (unsigned char)snprintf(w->frame[i].text,
                                                  sizeof(w->frame[i].text), "%u",
                                                  count);
        fputs(count++ ? ",\n{\"name\":" : "\n{\"name\":", f);
        out_string(w->tree.name.text[i], f);
        if (info.file) {
            fputs(",\"file\":", f);
            out_string(file_path(session, info.file), f);
        }
        if (info.file && info.line)
            fprintf(f, ",\"line\":%u", info.line);
        putc('}', f);
    }
}

static void
put_stack(struct writer *w, u32 depth, struct outtext *t)
{
    outtext_char(t, '[');
    for (u32 i = 0; i < depth; i++) {
        const struct frame_text *frame = &w->frame[w->tree.path[i]];

        if (i)
            outtext_char(t, ',');
        outtext_put(t, frame->text, frame->len);
    }
    outtext_char(t, ']');
}

static void
put_samples(struct writer *w, enum metric metric, struct outtext *t)
{
    const char *sep = "\n";

    for (u32 i = outtree_next(&w->tree, 0); i; i = outtree_next(&w->tree, i)) {
        if (outtree_value(&w->tree, i, metric) <= 0)
            continue;
        outtext_text(t, sep);
        put_stack(w, outtree_path(&w->tree, i), t);
        sep = ",\n";
    }
}

static void
put_weights(struct writer *w, enum metric metric, struct outtext *t)
{
    const char *sep = "\n";

    for (u32 i = outtree_next(&w->tree, 0); i; i = outtree_next(&w->tree, i)) {
        int64_t value = outtree_value(&w->tree, i, metric);

        if (value <= 0)
            continue;
        outtext_text(t, sep);
        outtext_number(t, (u64)value);
        sep = ",\n";
    }
}

static void
put_profile(struct writer *w, enum metric metric)
{
    int64_t total = 0, negative = 0;
    FILE *f = w->out->f;
    struct outtext t;
    bool counts = metrics[metric].unit == METRIC_COUNTS;

    for (u32 i = 1; i < w->tree.tree.count; i++) {
        int64_t value = outtree_value(&w->tree, i, metric);

        *(value < 0 ? &negative : &total) += value;
    }
    fputs("{\"type\":\"sampled\",\"name\":", f);
    out_string(metrics[metric].title, f);
    fprintf(f, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRId64
            ",\"samples\":[", counts ? "none" : out_unit(metric), total);
    outtext_start(&t, f);
    put_samples(w, metric, &t);
    outtext_text(&t, "],\"weights\":[");
    put_weights(w, metric, &t);
    outtext_text(&t, "]}");
    outtext_flush(&t);
    out_warn_negative(w->out, metric, negative);
}

static void
put_file(struct writer *w)
{
    enum metric metric[METRIC_COUNT];
    u32 count = out_metrics(w->out, metric);
    FILE *f = w->out->f;

    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
          "\"exporter\":\"" PACKAGE_NAME " " PACKAGE_VERSION "\",\n\"name\":", f);
    out_string(out_program(w->out), f);
    fputs(",\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[", f);
    put_frames(w);
    fputs("]},\n\"profiles\":[", f);
    for (u32 i = 0; i < count; i++) {
        fputs(i ? ",\n" : "\n", f);
        put_profile(w, metric[i]);
    }
    fputs("]}\n", f);
}

int
out_speedscope(struct out *out)
{
    struct writer w = { .out = out };
    int ret = outtree_open(out, &w.tree);

    if (ret < 0)
        return ret;
    w.frame = calloc((size_t)w.tree.name.count + 1, sizeof(*w.frame));
    if (w.frame)
        put_file(&w);
    else
        ret = -ENOMEM;
    free(w.frame);
    outtree_close(&w.tree);
    return ret;
}
