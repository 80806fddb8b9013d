# SPDX-License-Identifier: Apache-2.0

noinst_LIBRARIES += libimport.a
libimport_a_SOURCES = \
	import/callgraph.c import/callgraph.h import/callgrind.c import/chunkfile.c \
	import/chunkfile.h import/copies.c import/copies.h import/experiment.c \
	import/folded.c import/formats.def import/gprofng.c import/gprofng.h \
	import/gprofng_data.c import/gprofng_log.c import/heaptrack.c import/image.c \
	import/image.h import/import.c import/import.h import/json.c import/json.h \
	import/kernel.c import/kernel.h import/kinds.c import/kinds.h import/lnt.c \
	import/lnt.h import/lnt_counts.c import/lnt_pickle.c import/nameobject.c \
	import/names.c import/names.h import/nametables.h \
	import/perf.c import/perf.h import/perf_head.c import/perf_order.c \
	import/perf_packed.c \
	import/pickle.c import/pickle.h import/perf_sample.c import/perf_stack.c \
	import/perf_task.c \
	import/pprof.c import/protobuf.h import/slurp.c import/slurp.h \
	import/speedscope.c import/tags.c import/tags.h import/unpack.c \
	import/unpack.h import/write.c import/write.h

# The collector's unwinder walks copied stacks.
import_libs = libimport.a liblaunch.a libsig.a libmanage.a liberarchive.a \
	$(print_libs) $(ELF_LIBS) -ldl -lpthread

bin_PROGRAMS += er_import
er_import_SOURCES = import/main.c
er_import_LDADD = $(import_libs)
