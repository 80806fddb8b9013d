/* SPDX-License-Identifier: Apache-2.0 */
/* er_src: shows source and instructions of a load object, without an experiment. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/described.h"
#include "config.h"
#include "print/cmd/code.h"
#include "print/cmd/rcfile.h"
#include "print/cmd/run.h"
#include "print/export/value.h"
#include "print/load/record/shrunk.h"
#include "print/model/symbols/bareobject.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* some option */
    EXIT_USAGE = 2,  /* nothing was done */
    EXIT_NONE = 3,   /* the object could not be read */
    EXIT_LOST = 4,   /* output could not be written */
};

struct view {
    struct shell sh;
    u32 object;
    const char *path;
};

typedef int src_fn(struct view *v, int argc, char **argv);

static src_fn run_func, run_source, run_disasm;

static const struct src_option {
    const char *name, *args, *help;
    src_fn *run; /* NULL: a command of er_print */
} options[] = {
#define SRC_OPTION(name, args, help) { #name, args, help, run_##name },
#define SRC_COMMAND(name, args, help) { #name, args, help, NULL },
#include "print/src.def"
#undef SRC_OPTION
#undef SRC_COMMAND
};

static void
usage(FILE *f)
{
    fputs("usage: er_src [-OPTION [ARGUMENT...]]... OBJECT\n"
          "       er_src -V | --help\n", f);
}

static void
print_help(void)
{
    usage(stdout);
    puts("Shows source and instructions of an executable or a shared object. Without\n"
         "an option that shows something: -source all.\n");
    for (size_t i = 0; i < ER_COUNT(options); i++)
        printf("  -%-10s %-12s %s\n", options[i].name, options[i].args,
               options[i].help);
    printf("  -%-10s %-12s %s\n", "V", "", "print the version");
}

/*
 * Find an option by its name, which may be shortened, in upper or lower case. NULL
 * after a message, if there is none.
 */
static const struct src_option *
find(const char *name)
{
    const struct src_option *found = NULL;
    size_t len = strlen(name);
    bool several = false;

    if (!strcasecmp(name, "src"))
        name = "source", len = strlen(name);
    for (size_t i = 0; i < ER_COUNT(options); i++) {
        if (strncasecmp(options[i].name, name, len))
            continue;
        if (strlen(options[i].name) == len)
            return &options[i];
        several |= found != NULL;
        found = &options[i];
    }
    if (found && !several && len)
        return found;
    fprintf(stderr, several ? "er_src: -%s is short for several options\n"
                            : "er_src: -%s is no option; er_src --help lists them\n",
            name);
    return NULL;
}

static bool
is_tag(const char *word)
{
    const char *digits = word + (*word == '-');

    return *digits && digits[strspn(digits, "0123456789")] == '\0';
}

/*
 * How many words after an option are its arguments; -1 after a message, if there are
 * too few.
 */
static int
count_arguments(const struct src_option *o, char **word)
{
    int n = 0;

    for (const char *args = o->args; *args; args += strcspn(args, " "),
                    args += *args == ' ') {
        if (*args == '[' && (!word[n] || !is_tag(word[n])))
            break;
        if (*args != '[' && !word[n]) {
            fprintf(stderr, "er_src: -%s needs %s\n", o->name, o->args);
            return -1;
        }
        n++;
    }
    return n;
}

static int
run_func(struct view *v, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 address = table_column(t, "address", "Address", "", COL_ADDRESS, 0);
    u32 size = table_column(t, "size", "Size", "byte", COL_COUNT, 0);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 file = table_column(t, "file", "Source file", "", COL_TEXT, 0);
    u32 line = table_column(t, "line", "Line", "", COL_COUNT, COL_SPARSE);
    struct session *s = v->sh.session;
    u32 *ids, count, n;

    (void)argc;
    if (bareobject_functions(s, v->object, &ids, &count) < 0) {
        table_free(t);
        return shell_fail(&v->sh, "no memory is left");
    }
    table_title(t, "Functions, by address");
    table_fact(t, "object", "Load object", v->path);
    n = shell_limit(&v->sh, t, count);
    for (u32 i = 0; i < n; i++) {
        struct function_info f;

        function_get(s, ids[i], &f);
        table_row(t, 0);
        table_number(t, address, f.addr);
        table_number(t, size, f.size);
        table_text(t, name, function_name(s, ids[i]));
        if (f.file)
            table_text(t, file, file_path(s, f.file));
        table_number(t, line, f.line);
    }
    free(ids);
    return shell_show(&v->sh, t);
}

/*
 * Show the files in which functions with code are declared, in the order of the code.
 */
static int
show_files(struct view *v, const char *command, const u32 *ids, u32 count)
{
    struct session *s = v->sh.session;
    unsigned char *seen = NULL;
    u32 shown = 0, room = 0;
    int failed = 0;

    for (u32 i = 0; i < count; i++) {
        struct function_info f;

        function_get(s, ids[i], &f);
        if (file_count(s) > room) {
            seen = mem_realloc(seen, file_count(s));
            memset(seen + room, 0, file_count(s) - room);
            room = file_count(s);
        }
        if (!f.file || f.file >= room || seen[f.file]++)
            continue;
        shown++;
        failed |= code_show_file(&v->sh, command, f.file);
    }
    free(seen);
    return shown ? failed
                 : shell_fail(&v->sh, "%s has no line information", v->path);
}

static int
show_all(struct view *v, const char *command, bool disasm)
{
    u32 *ids, count;
    int failed = 0;

    if (bareobject_functions(v->sh.session, v->object, &ids, &count) < 0)
        return shell_fail(&v->sh, "no memory is left");
    if (!disasm)
        failed = show_files(v, command, ids, count);
    for (u32 i = 0; disasm && i < count; i++)
        failed |= code_show_disasm(&v->sh, command, ids[i]);
    if (disasm && !count)
        failed = shell_fail(&v->sh, "%s has no functions", v->path);
    free(ids);
    return failed;
}

/* A tag below 1 chooses nothing. */
static int
show(struct view *v, int argc, char **argv, bool disasm)
{
    if (argc > 2 && strtol(argv[2], NULL, 10) < 1)
        argv[--argc] = NULL;
    if (!strcmp(argv[1], "all"))
        return show_all(v, argv[0], disasm);
    return run_words(&v->sh, argc, argv);
}

static int
run_source(struct view *v, int argc, char **argv)
{
    return show(v, argc, argv, false);
}

static int
run_disasm(struct view *v, int argc, char **argv)
{
    return show(v, argc, argv, true);
}

/* Run the options. Returns how many of them show something. */
static int
run_options(struct view *v, char **word, int *failed)
{
    int shows = 0;

    while (*word) {
        const struct src_option *o = **word == '-' ? find(*word + 1) : NULL;
        char name[16], *words[8] = { name, NULL };
        int n = o ? count_arguments(o, word + 1) : 0;

        if (o) {
            strcpy(name, o->name);
            memcpy(words + 1, word + 1, (size_t)n * sizeof(*words));
            *failed |= o->run ? o->run(v, n + 1, words)
                              : run_words(&v->sh, n + 1, words);
            shows += o->run != NULL;
        }
        word += n + 1;
    }
    return shows;
}

/* Find the only word that is no option and no argument of one; NULL after a message. */
static const char *
find_object(char **word)
{
    const char *object = NULL;

    while (*word) {
        const struct src_option *o = NULL;
        int n = 0;

        if (**word == '-') {
            o = find(*word + 1);
            n = o ? count_arguments(o, word + 1) : -1;
            if (n < 0)
                return NULL;
        } else if (object) {
            fprintf(stderr, "er_src: %s and %s: one object at a time\n", object, *word);
            return NULL;
        } else {
            object = *word;
        }
        word += n + 1;
    }
    if (!object)
        usage(stderr);
    return object;
}

static int
print(struct view *v, char **words)
{
    char error[OBJFILE_ERROR_MAX];
    struct objfile *file;
    int failed = 0;

    if (described_open(&file, v->path, error) < 0) {
        fputs("er_src: ", stderr);
        value_write_lines(error, false, stderr);
        putc('\n', stderr);
        return EXIT_NONE;
    }
    if (bareobject_add(v->sh.session, v->path, file, &v->object) < 0) {
        objfile_close(file);
        fputs("er_src: no memory is left\n", stderr);
        return EXIT_NONE;
    }
    v->sh.bare = true;
    v->sh.metrics.n = v->sh.dmetrics.n = 0;
    v->sh.own_metrics = true;
    v->sh.sort = (struct order){ .by = ORDER_ADDRESS };
    rcfile_read_all(&v->sh);
    v->sh.metrics.n = 0;
    if (!run_options(v, words, &failed))
        failed |= show_all(v, "source", false);
    return failed ? EXIT_FAILED : EXIT_DONE;
}

int
main(int argc, char **argv)
{
    struct view v = { .path = NULL };
    int status;

    if (argc > 1 && (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version"))) {
        printf("er_src (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return EXIT_DONE;
    }
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_help();
        return EXIT_DONE;
    }
    v.path = find_object(argv + 1);
    if (!v.path)
        return EXIT_USAGE;
    shrunk_start();
    if (shell_start(&v.sh)) {
        fputs("er_src: no memory is left\n", stderr);
        return EXIT_FAILED;
    }
    v.sh.program = "er_src";
    status = print(&v, argv + 1);
    if (shell_end(&v.sh)) {
        fputs("er_src: output could not be written\n", stderr);
        status = EXIT_LOST;
    }
    return status;
}
