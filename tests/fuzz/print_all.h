/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks er_print's every question about an experiment, and looks at no answer. For tests
 * with hostile input: nothing may crash, hang or run away. Ordinary process context.
 */
#ifndef ERTOOLS_TESTS_FUZZ_PRINT_ALL_H
#define ERTOOLS_TESTS_FUZZ_PRINT_ALL_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/cmd/run.h"
#include "print/model/symbols/function.h"

/* A shell that says nothing; nor does the program from now on. */
static inline void
print_all_start(struct shell *sh)
{
    static FILE *nowhere;

    if (!nowhere) {
        nowhere = fopen("/dev/null", "w");
        if (!nowhere)
            abort();
        stdout = stderr = nowhere;
    }
    if (shell_start(sh))
        abort();
}

static inline void
print_all_end(struct shell *sh)
{
    shell_end(sh);
}

/* A command about a function: the first of them, one of the middle, the last. */
static inline void
print_all_functions(struct shell *sh, const char *command)
{
    u32 count = sh->session->nexperiments ? function_count(sh->session) : 0;

    for (u32 i = 0; i < 3 && count; i++) {
        char *name = strdup(command);
        char *function = strdup(function_name(sh->session, (count - 1) / 2 * i));
        char *v[] = { name, function, NULL };

        run_words(sh, 2, v);
        free(function);
        free(name);
    }
}

/* A command that needs no word but, perhaps, a function's name. */
static inline void
print_all_command(struct shell *sh, const struct command *c)
{
    if (command_needs_name(c)) {
        print_all_functions(sh, c->name);
    } else {
        char *name = strdup(c->name), *v[] = { name, NULL };

        run_words(sh, 1, v);
        free(name);
    }
}

/* Each command that needs an experiment; a new row of commands.def is in by itself. */
static inline void
print_all_ask(struct shell *sh)
{
    for (u32 i = 0; i < ncommands; i++) {
        const struct command *c = &commands[i];

        if (!c->alias_of && !(c->flags & CMD_BARE) &&
            (command_needs_name(c) || !command_min_args(c)))
            print_all_command(sh, c);
    }
}

/* An experiment's life in er_print: opened, asked, closed. */
static inline void
print_all(const char *path)
{
    struct shell sh;

    print_all_start(&sh);
    if (!shell_add(&sh, path))
        print_all_ask(&sh);
    print_all_end(&sh);
}

/* Put `size` bytes into the file, which becomes so long. */
static inline void
print_all_put(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

#endif
