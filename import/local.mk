# SPDX-License-Identifier: Apache-2.0

include import/perf/local.mk
include import/gprofng/local.mk
include import/lnt/local.mk

noinst_LIBRARIES += libimport.a
libimport_a_SOURCES = \
	$(perf_import_sources) $(gprofng_import_sources) $(lnt_import_sources) \
	import/callgraph.c import/callgraph.h import/callgrind.c import/chunkfile.c \
	import/chunkfile.h import/copies.c import/copies.h import/experiment.c \
	import/folded.c import/formats.def import/heaptrack.c import/image.c \
	import/image.h import/import.c import/import.h import/json.c import/json.h \
	import/kernel.c import/kernel.h import/kinds.c import/kinds.h \
	import/nameobject.c import/names.c import/names.h import/nametables.c \
	import/nametables.h \
	import/pprof.c import/protobuf.h import/slurp.c import/slurp.h \
	import/speedscope.c import/unpack.c import/unpack.h import/write.c \
	import/write.h

# The collector's unwinder walks copied stacks.
import_libs = libimport.a liblaunch.a libsig.a libmanage.a liberarchive.a \
	$(print_libs) $(ELF_LIBS) -ldl -lpthread

bin_PROGRAMS += er_import
er_import_SOURCES = import/main.c
er_import_LDADD = $(import_libs)
