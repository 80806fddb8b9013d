# SPDX-License-Identifier: Apache-2.0

print_cmd_sources = \
	print/cmd/appendfile.c print/cmd/browse.c print/cmd/capture.c \
	print/cmd/capture.h print/cmd/cmetric_list.c print/cmd/code.h \
	print/cmd/command.c print/cmd/command.h print/cmd/commentary.c \
	print/cmd/commentary.h print/cmd/comparison.c print/cmd/comparison.h \
	print/cmd/curses.c print/cmd/curses.h print/cmd/dcc.c \
	print/cmd/dmetrics.c print/cmd/dsort.c print/cmd/facts.c \
	print/cmd/facts.h print/cmd/header.c print/cmd/help.c \
	print/cmd/history.c print/cmd/history.h print/cmd/interactive.c \
	print/cmd/interactive.h print/cmd/limit.c print/cmd/list.c \
	print/cmd/list.h print/cmd/mcols.c print/cmd/mcols.h \
	print/cmd/metric_list.c print/cmd/metriclist.c print/cmd/metriclist.h \
	print/cmd/metrics.c print/cmd/mspec.c print/cmd/mspec.h \
	print/cmd/name.c print/cmd/numbername.c print/cmd/numbername.h \
	print/cmd/outfile.c print/cmd/overview.c print/cmd/pager.c \
	print/cmd/pager.h print/cmd/placefacts.c print/cmd/placefacts.h \
	print/cmd/printmode.c print/cmd/procstats.c print/cmd/quit.c \
	print/cmd/rcfile.c print/cmd/rcfile.h print/cmd/run.c print/cmd/run.h \
	print/cmd/scc.c print/cmd/screen.c print/cmd/screen.h \
	print/cmd/script.c print/cmd/select.c print/cmd/select.h \
	print/cmd/shell.c print/cmd/shell.h print/cmd/sort.c \
	print/cmd/statistics.c print/cmd/summary.c print/cmd/totals.c \
	print/cmd/totals.h print/cmd/usage.c print/cmd/usage.h \
	print/cmd/version.c print/cmd/words.c print/cmd/words.h \
	print/commands.def print/cmd/choice/add_exp.c \
	print/cmd/choice/cpu_select.c print/cmd/choice/drop_exp.c \
	print/cmd/choice/experiment_list.c print/cmd/choice/filters.c \
	print/cmd/choice/indx_metric_list.c print/cmd/choice/label_list.c \
	print/cmd/choice/lwp_select.c print/cmd/choice/open_exp.c \
	print/cmd/choice/processes.c print/cmd/choice/sample_detail.c \
	print/cmd/choice/sample_list.c print/cmd/choice/sample_select.c \
	print/cmd/choice/shell_experiments.c print/cmd/choice/thread_list.c \
	print/cmd/choice/thread_select.c print/cmd/io/ifreq.c \
	print/cmd/memory/allocs.c print/cmd/memory/data_layout.c \
	print/cmd/memory/data_objects.c print/cmd/memory/data_single.c \
	print/cmd/memory/dataview.c print/cmd/memory/dataview.h \
	print/cmd/memory/heapfunctions.c print/cmd/memory/heapfunctions.h \
	print/cmd/memory/heap.c print/cmd/memory/heapjava.c \
	print/cmd/memory/heapjava.h print/cmd/memory/heapstacks.c \
	print/cmd/memory/heapstacks.h print/cmd/memory/heapstat.c \
	print/cmd/memory/leaks.c print/cmd/object/addpath.c \
	print/cmd/object/describe.c print/cmd/object/en_desc.c \
	print/cmd/object/objects.c print/cmd/object/pathmap.c \
	print/cmd/object/setpath.c print/cmd/region/omp.c \
	print/cmd/sync/dthresh.c print/cmd/sync/sthresh.c \
	print/cmd/view/callers-callees.c print/cmd/view/calls.c \
	print/cmd/view/calls.h print/cmd/view/callstat.c \
	print/cmd/view/calltree.c print/cmd/view/cc.c \
	print/cmd/view/comparecalls.c print/cmd/view/comparecode.c \
	print/cmd/view/comparecode.h print/cmd/view/comparecols.c \
	print/cmd/view/comparenames.c print/cmd/view/comparepanels.c \
	print/cmd/view/comparesource.c print/cmd/view/comparesource.h \
	print/cmd/view/comparetree.c print/cmd/view/csingle.c \
	print/cmd/view/disasm.c print/cmd/view/fsingle.c \
	print/cmd/view/fsummary.c print/cmd/view/functions.c \
	print/cmd/view/lines.c print/cmd/view/lsummary.c print/cmd/view/pcs.c \
	print/cmd/view/psummary.c print/cmd/view/source.c \
	print/cmd/view/stacks.c print/cmd/view/treedraw.c \
	print/cmd/view/treedraw.h

# Waits for locks, and I/O.
print_cmd_sources += \
	print/cmd/lockname.c print/cmd/lockname.h print/cmd/stackcell.c \
	print/cmd/stackcell.h print/cmd/suppress.c print/cmd/suppress.h \
	print/cmd/io/ioactivity.c print/cmd/io/iocallstack.c \
	print/cmd/io/iocols.c print/cmd/io/iocols.h print/cmd/io/iodetail.c \
	print/cmd/io/iostat.c print/cmd/memory/suppressions.c \
	print/cmd/sync/ddetail.c print/cmd/sync/deadcols.c \
	print/cmd/sync/deadcols.h print/cmd/sync/deadlocks.c \
	print/cmd/sync/dsummary.c print/cmd/sync/locks.c

# MPI.
print_cmd_sources += \
	print/cmd/mpicols.c print/cmd/mpicols.h print/cmd/mpiname.c \
	print/cmd/mpiname.h print/cmd/mpi/mpi.c print/cmd/mpi/mpibalance.c \
	print/cmd/mpi/mpidelay.c print/cmd/mpi/mpidetail.c \
	print/cmd/mpi/mpihung.c print/cmd/mpi/mpihung.h \
	print/cmd/mpi/mpimatrix.c print/cmd/mpi/mpimessages.c \
	print/cmd/mpi/mpimessages.h print/cmd/mpi/mpipathtext.c \
	print/cmd/mpi/mpipathtext.h print/cmd/mpi/mpiwait.c \
	print/cmd/sync/lockwaits.c print/cmd/sync/lockwaits.h

# Index objects, stack fragments.
print_cmd_sources += \
	print/cmd/compare.c print/cmd/compare.h print/cmd/indexes.c \
	print/cmd/indexes.h print/cmd/choice/cpu_list.c \
	print/cmd/choice/indxobj.c print/cmd/choice/indxobj_define.c \
	print/cmd/choice/indxobj_list.c print/cmd/memory/allocations.c \
	print/cmd/memory/memobj.c print/cmd/memory/mobj_define.c \
	print/cmd/memory/mobj_list.c print/cmd/region/timeline.c \
	print/cmd/view/cappend.c print/cmd/view/cprepend.c \
	print/cmd/view/crmfirst.c print/cmd/view/crmlast.c

# How objects are shown.
print_cmd_sources += \
	print/cmd/viewmode.c print/cmd/object/object_api.c \
	print/cmd/object/object_hide.c print/cmd/object/object_list.c \
	print/cmd/object/object_select.c print/cmd/object/object_show.c \
	print/cmd/object/objects_default.c print/cmd/object/objmode.c \
	print/cmd/object/objmode.h

print_cmd_sources += \
	print/cmd/view/flame.c print/cmd/view/flame.h \
	print/cmd/view/flamesvg.c

print_cmd_sources += print/cmd/view/branches.c

# Regions that programs name.
print_cmd_sources += \
	print/cmd/costly.c print/cmd/costly.h print/cmd/region/regionline.c \
	print/cmd/region/regionline.h print/cmd/region/regionlist.c \
	print/cmd/region/regionlist.h print/cmd/region/regionnone.c \
	print/cmd/region/regionnone.h print/cmd/region/regions.c
