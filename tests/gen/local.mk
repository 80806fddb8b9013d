# SPDX-License-Identifier: Apache-2.0
# A generator of experiments whose truth is known: a library for unit tests, and a
# program. Neither is installed.

noinst_LTLIBRARIES += libgen.la
libgen_la_SOURCES = tests/gen/archive.c tests/gen/gen.c tests/gen/scene.c

noinst_PROGRAMS += gen_experiment gen_heap
gen_experiment_SOURCES = tests/gen/main.c
gen_experiment_LDADD = libgen.la liberarchive.la libobjfile.la libshare.la \
	-ldl -lpthread
gen_heap_SOURCES = tests/gen/heap.c
gen_heap_LDADD = $(gen_experiment_LDADD)
