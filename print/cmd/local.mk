# SPDX-License-Identifier: Apache-2.0
print_cmd_sources = print/commands.def

print_cmd_sources += \
	print/cmd/actions.c \
	print/cmd/browse.c \
	print/cmd/capture.c \
	print/cmd/capture.h \
	print/cmd/code.h \
	print/cmd/command.c \
	print/cmd/command.h \
	print/cmd/commentary.c \
	print/cmd/commentary.h \
	print/cmd/compare.c \
	print/cmd/compare.h \
	print/cmd/comparison.c \
	print/cmd/comparison.h \
	print/cmd/costly.c \
	print/cmd/costly.h \
	print/cmd/curses.c \
	print/cmd/curses.h \
	print/cmd/facts.c \
	print/cmd/facts.h \
	print/cmd/header.c \
	print/cmd/help.c \
	print/cmd/history.c \
	print/cmd/history.h \
	print/cmd/indexes.c \
	print/cmd/indexes.h \
	print/cmd/indextype.h \
	print/cmd/interactive.c \
	print/cmd/interactive.h \
	print/cmd/list.c \
	print/cmd/list.h \
	print/cmd/mcols.c \
	print/cmd/mcols.h \
	print/cmd/metriclist.c \
	print/cmd/metriclist.h \
	print/cmd/metrics.c \
	print/cmd/modes.c \
	print/cmd/mpicols.c \
	print/cmd/mpicols.h \
	print/cmd/mspec.c \
	print/cmd/mspec.h \
	print/cmd/objmode.c \
	print/cmd/objmode.h \
	print/cmd/overview.c \
	print/cmd/pager.c \
	print/cmd/pager.h \
	print/cmd/placefacts.c \
	print/cmd/placefacts.h \
	print/cmd/procstats.c \
	print/cmd/rcfile.c \
	print/cmd/rcfile.h \
	print/cmd/run.c \
	print/cmd/run.h \
	print/cmd/screen.c \
	print/cmd/screen.h \
	print/cmd/select.c \
	print/cmd/select.h \
	print/cmd/shell.c \
	print/cmd/shell.h \
	print/cmd/stackcell.c \
	print/cmd/stackcell.h \
	print/cmd/statistics.c \
	print/cmd/summary.c \
	print/cmd/suppress.c \
	print/cmd/suppress.h \
	print/cmd/title.c \
	print/cmd/title.h \
	print/cmd/totals.c \
	print/cmd/totals.h \
	print/cmd/usage.c \
	print/cmd/usage.h \
	print/cmd/words.c \
	print/cmd/words.h

print_cmd_sources += \
	print/cmd/choice/experiments.c \
	print/cmd/choice/filters.c \
	print/cmd/choice/processes.c \
	print/cmd/choice/samples.c \
	print/cmd/choice/shell_experiments.c \
	print/cmd/choice/thread_list.c

print_cmd_sources += \
	print/cmd/io/ioactivity.c \
	print/cmd/io/iocols.c \
	print/cmd/io/iocols.h \
	print/cmd/io/iostat.c

print_cmd_sources += \
	print/cmd/memory/allocations.c \
	print/cmd/memory/allocs.c \
	print/cmd/memory/data_objects.c \
	print/cmd/memory/dataview.c \
	print/cmd/memory/dataview.h \
	print/cmd/memory/heap.c \
	print/cmd/memory/heapfunctions.c \
	print/cmd/memory/heapfunctions.h \
	print/cmd/memory/heapjava.c \
	print/cmd/memory/heapjava.h \
	print/cmd/memory/heapstacks.c \
	print/cmd/memory/heapstacks.h \
	print/cmd/memory/heapstat.c \
	print/cmd/memory/leaks.c \
	print/cmd/memory/suppressions.c

print_cmd_sources += \
	print/cmd/mpi/mpi.c \
	print/cmd/mpi/mpibalance.c \
	print/cmd/mpi/mpidelay.c \
	print/cmd/mpi/mpidetail.c \
	print/cmd/mpi/mpihung.c \
	print/cmd/mpi/mpihung.h \
	print/cmd/mpi/mpimatrix.c \
	print/cmd/mpi/mpimessages.c \
	print/cmd/mpi/mpimessages.h \
	print/cmd/mpi/mpipathtext.c \
	print/cmd/mpi/mpipathtext.h \
	print/cmd/mpi/mpiwait.c

print_cmd_sources += \
	print/cmd/object/objects.c

print_cmd_sources += \
	print/cmd/region/omp.c \
	print/cmd/region/regionline.c \
	print/cmd/region/regionline.h \
	print/cmd/region/regionlist.c \
	print/cmd/region/regionlist.h \
	print/cmd/region/regionnone.c \
	print/cmd/region/regionnone.h \
	print/cmd/region/regions.c \
	print/cmd/region/timeline.c

print_cmd_sources += \
	print/cmd/sync/deadcols.c \
	print/cmd/sync/deadcols.h \
	print/cmd/sync/deadlocks.c \
	print/cmd/sync/locks.c \
	print/cmd/sync/lockwaits.c \
	print/cmd/sync/lockwaits.h

print_cmd_sources += \
	print/cmd/view/branches.c \
	print/cmd/view/calls.c \
	print/cmd/view/calls.h \
	print/cmd/view/callstat.c \
	print/cmd/view/calltree.c \
	print/cmd/view/comparecalls.c \
	print/cmd/view/comparecode.c \
	print/cmd/view/comparecode.h \
	print/cmd/view/comparecols.c \
	print/cmd/view/comparenames.c \
	print/cmd/view/comparepanels.c \
	print/cmd/view/comparesource.c \
	print/cmd/view/comparesource.h \
	print/cmd/view/comparetree.c \
	print/cmd/view/disasm.c \
	print/cmd/view/flame.c \
	print/cmd/view/flame.h \
	print/cmd/view/flamesvg.c \
	print/cmd/view/fsummary.c \
	print/cmd/view/functions.c \
	print/cmd/view/lines.c \
	print/cmd/view/pcs.c \
	print/cmd/view/source.c \
	print/cmd/view/stacks.c \
	print/cmd/view/treedraw.c \
	print/cmd/view/treedraw.h
