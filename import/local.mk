# SPDX-License-Identifier: Apache-2.0

noinst_LIBRARIES += libimport.a
libimport_a_SOURCES = \
	import/chunkfile.c import/chunkfile.h import/experiment.c import/formats.def \
	import/folded.c import/import.c import/import.h import/kernel.c import/kernel.h \
	import/names.c import/names.h \
	import/perf.c import/perf.h import/perf_head.c import/perf_task.c \
	import/slurp.c import/slurp.h import/write.c import/write.h

import_libs = libimport.a libmanage.a liberarchive.a $(print_libs) -ldl -lpthread

bin_PROGRAMS += er_import
er_import_SOURCES = import/main.c
er_import_LDADD = $(import_libs)
