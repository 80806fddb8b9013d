/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "print/cmd/view/flame.h"
#include "print/export/value.h"
#include "print/model/symbols/function.h"

enum {
    WIDTH = 1200,
    ROW = 18,
    HEAD = 34,
    LETTER = 7, /* how wide one is, about */
};

#define LEAST 0.3 /* narrower bars are left out */

/* Write text; characters that XML does not allow become U+FFFD. */
static void
put_text(const char *s, FILE *out)
{
    while (*s) {
        unsigned n = value_harmless(s);

        if (*s == '<')
            fputs("&lt;", out);
        else if (*s == '>')
            fputs("&gt;", out);
        else if (*s == '&')
            fputs("&amp;", out);
        else if (*s == '"')
            fputs("&quot;", out);
        else if (n)
            fwrite(s, 1, n, out);
        else
            fputs("\xef\xbf\xbd", out);
        s += n ? n : 1;
    }
}

/* Write as many whole characters as fit into `room`; "..." if some are left out. */
static void
put_label(const char *name, double room, FILE *out)
{
    size_t letters = (size_t)(room / LETTER), n = 0, bytes = 0;
    char part[512];

    if (letters < 3)
        return;
    while (name[bytes] && n < letters && bytes + 4 < sizeof(part)) {
        unsigned size = value_utf8(name + bytes);

        bytes += size ? size : 1;
        n++;
    }
    memcpy(part, name, bytes);
    part[bytes] = '\0';
    if (!name[bytes]) {
        put_text(part, out);
        return;
    }
    while (n > letters - 2 && bytes) {
        do
            bytes--;
        while (bytes && ((unsigned char)part[bytes] & 0xc0) == 0x80);
        n--;
    }
    part[bytes] = '\0';
    put_text(part, out);
    fputs("..", out);
}

/* The colour of a function: blue for the program's code, sand for libraries'. */
static const char *
colour_of(struct session *session, u32 func)
{
    static const char *const own[] = { "#bacee6", "#c6d8ee", "#b2c8e0", "#d0dff1" };
    static const char *const other[] = { "#e6d0b9", "#ecdac6", "#e0c8ae", "#f0e1d0" };
    struct function_info f;
    struct object_info o;
    u32 hash = 0;

    if (func == FUNC_TOTAL)
        return "#eeefef";
    if (func < FUNC_PSEUDO_COUNT)
        return "#dededa";
    function_get(session, func, &f);
    object_get(session, f.object, &o);
    for (const char *p = f.linkage; *p; p++)
        hash = hash * 31 + (unsigned char)*p;
    return strstr(o.name, ".so") || *o.name == '[' ? other[hash % 4] : own[hash % 4];
}

static void
put_bar(struct session *session, const struct flame *f, u32 node, FILE *out)
{
    const struct flame_box *b = &f->box[node];
    const char *name = function_title(session, f->tree.node[node].func);
    double x = b->start * f->scale * WIDTH;
    double width = node ? b->share * f->scale * WIDTH : WIDTH;
    u32 y = HEAD + f->tree.node[node].depth * ROW;
    char value[VALUE_MAX];

    fprintf(out, "<g><title>");
    put_text(name, out);
    fprintf(out, ", %s, %.2f %%</title>", flame_value(f, node, value), 100 * b->share);
    fprintf(out, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>",
            x, y, width > 1 ? width - 0.5 : width, ROW - 1,
            colour_of(session, f->tree.node[node].func));
    if (width > 3 * LETTER + 6) {
        fprintf(out, "<text x=\"%.2f\" y=\"%u\">", x + 4, y + ROW - 5);
        put_label(name, width - 6, out);
        fputs("</text>", out);
    }
    fputs("</g>\n", out);
}

void
flame_svg(struct session *session, const struct flame *f, FILE *out)
{
    char value[VALUE_MAX];
    u32 deepest = 0;

    for (u32 i = 0; i < f->tree.count; i++)
        if (f->box[i].share * WIDTH >= LEAST && f->tree.node[i].depth > deepest)
            deepest = f->tree.node[i].depth;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" "
            "width=\"%d\" height=\"%u\" font-family=\"sans-serif\" font-size=\"12\" "
            "fill=\"#1d1d1b\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<text x=\"4\" y=\"20\" font-size=\"14\">",
            WIDTH, HEAD + (deepest + 1) * ROW + 4, WIDTH,
            HEAD + (deepest + 1) * ROW + 4);
    put_text(metrics[f->metric].title, out);
    fprintf(out, ", %s: callers above what they call</text>\n",
            flame_value(f, 0, value));
    for (u32 i = 0; i < f->tree.count; i++)
        if (f->box[i].value > 0 && f->box[i].share * WIDTH >= LEAST)
            put_bar(session, f, i, out);
    fputs("</svg>\n", out);
}
