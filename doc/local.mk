# SPDX-License-Identifier: Apache-2.0
# Manual pages: dist_man_MANS += doc/man/NAME.1

# doc/gen: small programs that print a table from a .def file. Each is a line in
# noinst_PROGRAMS with its _SOURCES, and a rule that runs it.

dist_man_MANS += doc/man/er_print.1
noinst_PROGRAMS += gen_commands
gen_commands_SOURCES = doc/gen/commands.c
noinst_PROGRAMS += gen_tokens
gen_tokens_SOURCES = doc/gen/tokens.c
noinst_PROGRAMS += gen_ratios
gen_ratios_SOURCES = doc/gen/ratios.c
noinst_PROGRAMS += gen_absent
gen_absent_SOURCES = doc/gen/absent.c

dist_man_MANS += doc/man/ertools-experiment.5
noinst_PROGRAMS += gen_format
gen_format_SOURCES = doc/gen/format.c
gen_format_LDADD = libshare.a

dist_man_MANS += doc/man/collect.1 doc/man/er_cp.1 doc/man/er_mv.1 doc/man/er_rm.1 \
	doc/man/er_label.1 doc/man/er_src.1 doc/man/er_export.1 doc/man/er_html.1 \
	doc/man/er_import.1 doc/man/er_kernel.1
noinst_PROGRAMS += gen_options
gen_options_SOURCES = doc/gen/options.c
noinst_PROGRAMS += gen_formats
gen_formats_SOURCES = doc/gen/formats.c

dist_man_MANS += doc/man/er_archive.1
noinst_PROGRAMS += gen_objects
gen_objects_SOURCES = doc/gen/objects.c

# Completion of command lines; shells find it by the program's name.
noinst_PROGRAMS += gen_completion
gen_completion_SOURCES = doc/gen/completion.c
completed = collect er_print er_archive er_cp er_mv er_rm er_label er_src \
	er_export er_html er_import er_kernel
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = $(addprefix completions/bash/,$(completed))
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = $(addprefix completions/zsh/_,$(completed))
completions_made = $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA)
CLEANFILES += $(completions_made)
$(completions_made): gen_completion$(EXEEXT)
	@mkdir -p $(@D)
	$(AM_V_GEN)./gen_completion $(notdir $(@D)) $(patsubst _%,%,$(@F)) >$@.new \
		&& mv $@.new $@
