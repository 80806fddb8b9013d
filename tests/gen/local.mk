# SPDX-License-Identifier: Apache-2.0
# Generators of experiments whose truth is known: a library for unit tests, and
# programs. Nothing of it is installed.

noinst_LIBRARIES += libgen.a
libgen_a_SOURCES = tests/gen/archive.c tests/gen/gen.c tests/gen/scene.c

noinst_PROGRAMS += gen_counters gen_experiment gen_heap gen_mpi gen_regions gen_trace
gen_experiment_SOURCES = tests/gen/main.c
gen_experiment_LDADD = libgen.a liberarchive.a libobjfile.a libshare.a \
	$(ELF_LIBS) -ldl -lpthread
gen_counters_SOURCES = tests/gen/counters.c tests/gen/forest.c
gen_counters_LDADD = $(gen_experiment_LDADD)
gen_heap_SOURCES = tests/gen/heap.c
gen_heap_LDADD = $(gen_experiment_LDADD)
gen_regions_SOURCES = tests/gen/regions.c
gen_regions_LDADD = $(gen_experiment_LDADD)
gen_trace_SOURCES = tests/gen/forest.c tests/gen/io.c tests/gen/mixed.c \
	tests/gen/sync.c \
	tests/gen/trace.c
gen_trace_LDADD = $(gen_experiment_LDADD)
gen_mpi_SOURCES = tests/gen/forest.c tests/gen/mpi.c tests/gen/mpichain.c \
	tests/gen/mpiops.c tests/gen/mpiworld.c
gen_mpi_LDADD = $(gen_experiment_LDADD)

# Random scripts, run within.
noinst_PROGRAMS += try_scripts
try_scripts_SOURCES = tests/gen/grammar.c tests/gen/grammar.h tests/gen/scripts.c
try_scripts_LDADD = $(print_libs) $(ELF_LIBS) -ldl -lpthread

# Files cut short.
noinst_PROGRAMS += try_cuts
try_cuts_SOURCES = tests/gen/cuts.c
try_cuts_LDADD = $(print_libs) $(ELF_LIBS) -ldl -lpthread
