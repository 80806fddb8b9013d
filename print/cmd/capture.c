/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/capture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "print/cmd/run.h"
#include "print/base/progress.h"

/* A capture that is under way. */
struct catch {
    struct captured *to;
    FILE *f;
    char *text;
    size_t size;
    size_t counted; /* bytes whose line ends are in `lines` */
    u32 lines;
};

static u32
lines_so_far(struct catch *c)
{
    fflush(c->f);
    for (; c->counted < c->size; c->counted++)
        c->lines += c->text[c->counted] == '\n';
    return c->lines;
}

/* The text of a row's cell in the column with that key, NULL = none. */
static const char *
cell_text(const struct table *t, const struct table_row *r, const char *key)
{
    for (u32 i = 0; i < t->ncolumns; i++)
        if (!strcmp(t->columns[i].key, key) && t->columns[i].type == COL_TEXT &&
            r->cells[i].state == CELL_SET)
            return r->cells[i].text;
    return NULL;
}

static void
on_row(void *context, const struct table *t, u32 number)
{
    struct catch *c = context;
    struct captured *to = c->to;
    const struct table_row *r = &t->rows[number];
    bool is_prose = t->layout == LAYOUT_PROSE;
    const char *command = is_prose ? cell_text(t, r, "command") : NULL;

    to->row = mem_grow(to->row, to->nrows, sizeof(*to->row));
    to->row[to->nrows++] = (struct captured_row){
        .line = lines_so_far(c),
        .function = r->function,
        .command = command ? mem_strdup(command) : NULL,
        .flags = r->flags,
        .is_prose = is_prose,
    };
}

static void
split(struct captured *c, char *text)
{
    char *next;

    for (char *line = text; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        c->line = mem_grow(c->line, c->nlines, sizeof(*c->line));
        c->line[c->nlines++] = mem_strdup(line);
    }
}

/*
 * The first line that was written to the file, without our program's name at its
 * beginning.
 */
static char *
first_line(int fd, const char *program)
{
    char text[512];
    ssize_t n = fd < 0 ? 0 : pread(fd, text, sizeof(text) - 1, 0);
    size_t skip = strlen(program);
    const char *from = text;

    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (!strncmp(text, program, skip) && !strncmp(text + skip, ": ", 2))
        from += skip + 2;
    return mem_strdup(from);
}

static void
run(struct shell *sh, const char *command, struct catch *c,
    const struct export_form *form)
{
    struct shell before = *sh;

    sh->out = c->f;
    sh->form = form;
    sh->screen = NULL;
    c->to->failed = run_line(sh, command) != 0;
    /* A command may change the settings; but where output goes is restored. */
    sh->out = before.out;
    sh->form = before.form;
    sh->screen = before.screen;
    sh->stop = before.stop;
    sh->failed = before.failed;
}

void
capture_run(struct shell *sh, const char *command, u32 width, bool utf8,
            struct captured *out)
{
    struct catch c = { .to = out };
    struct export_form form = { .bars = true, .utf8 = utf8, .width = width,
                                .on_row = on_row, .context = &c };
    int messages = memfd_create("messages", MFD_CLOEXEC);
    int errors = dup(STDERR_FILENO);

    *out = (struct captured){ .failed = true };
    c.f = open_memstream(&c.text, &c.size);
    if (c.f) {
        fflush(stderr);
        if (messages >= 0)
            dup2(messages, STDERR_FILENO);
        progress_pause(true);
        run(sh, command, &c, &form);
        progress_pause(false);
        fflush(stderr);
        dup2(errors, STDERR_FILENO);
        fclose(c.f);
        split(out, c.text);
    }
    out->message = first_line(messages, sh->program);
    free(c.text);
    close(messages);
    close(errors);
}

void
capture_free(struct captured *c)
{
    for (u32 i = 0; i < c->nlines; i++)
        free(c->line[i]);
    for (u32 i = 0; i < c->nrows; i++)
        free(c->row[i].command);
    free(c->line);
    free(c->row);
    free(c->message);
}

const struct captured_row *
capture_row(const struct captured *c, u32 line)
{
    u32 lo = 0, hi = c->nrows;

    while (lo < hi) {
        u32 middle = (lo + hi) / 2;

        if (c->row[middle].line <= line)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (!lo || line >= c->nlines || !*c->line[line])
        return NULL;
    return c->row[lo - 1].line == line || c->row[lo - 1].is_prose ? &c->row[lo - 1]
                                                                  : NULL;
}
