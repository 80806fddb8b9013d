# SPDX-License-Identifier: Apache-2.0

print_cmd_sources = \
	print/cmd/browse.c print/cmd/capture.c print/cmd/capture.h \
	print/cmd/curses.c print/cmd/curses.h \
	print/cmd/code.h print/cmd/comparecalls.c print/cmd/comparenames.c \
	print/cmd/comparecols.c \
	print/cmd/comparison.c print/cmd/comparetree.c print/cmd/comparesource.c \
	print/cmd/comparesource.h print/cmd/comparepanels.c \
	print/cmd/comparecode.c print/cmd/comparecode.h \
	print/cmd/treedraw.c print/cmd/treedraw.h print/cmd/comparison.h \
	print/cmd/data_layout.c print/cmd/data_objects.c print/cmd/data_single.c \
	print/cmd/dataview.c print/cmd/dataview.h \
	print/cmd/en_desc.c print/cmd/label_list.c print/cmd/placefacts.c \
	print/cmd/placefacts.h \
	print/cmd/lsummary.c print/cmd/psummary.c print/cmd/ifreq.c \
	print/cmd/procstats.c print/cmd/commentary.c print/cmd/commentary.h \
	print/cmd/scc.c print/cmd/dcc.c print/cmd/cc.c print/cmd/cmetric_list.c \
	print/cmd/indx_metric_list.c print/cmd/metriclist.c print/cmd/metriclist.h \
	print/cmd/add_exp.c print/cmd/addpath.c print/cmd/allocs.c \
	print/cmd/appendfile.c print/cmd/callers-callees.c print/cmd/calls.c \
	print/cmd/callstat.c \
	print/cmd/calls.h print/cmd/calltree.c print/cmd/command.c \
	print/cmd/command.h print/cmd/cpu_select.c print/cmd/csingle.c \
	print/cmd/describe.c print/cmd/disasm.c print/cmd/dmetrics.c \
	print/cmd/drop_exp.c print/cmd/dsort.c print/cmd/dthresh.c \
	print/cmd/experiment_list.c print/cmd/processes.c print/cmd/facts.c \
	print/cmd/facts.h print/cmd/filters.c print/cmd/fsingle.c \
	print/cmd/fsummary.c print/cmd/functions.c print/cmd/header.c \
	print/cmd/heap.c print/cmd/heapjava.c print/cmd/heapjava.h \
	print/cmd/heapstacks.c print/cmd/heapstacks.h \
	print/cmd/heapstat.c print/cmd/help.c \
	print/cmd/history.c print/cmd/history.h print/cmd/interactive.c \
	print/cmd/interactive.h print/cmd/leaks.c print/cmd/limit.c print/cmd/lines.c \
	print/cmd/lwp_select.c print/cmd/sample_select.c print/cmd/select.c \
	print/cmd/select.h print/cmd/thread_select.c print/cmd/list.c \
	print/cmd/list.h print/cmd/mcols.c print/cmd/mcols.h \
	print/cmd/metric_list.c print/cmd/metrics.c print/cmd/mspec.c \
	print/cmd/mspec.h print/cmd/name.c print/cmd/objects.c print/cmd/open_exp.c \
	print/cmd/outfile.c print/cmd/overview.c \
	print/cmd/pager.c print/cmd/pager.h print/cmd/pathmap.c print/cmd/pcs.c \
	print/cmd/printmode.c print/cmd/quit.c print/cmd/rcfile.c print/cmd/rcfile.h \
	print/cmd/run.c print/cmd/run.h print/cmd/sample_detail.c \
	print/cmd/sample_list.c \
	print/cmd/screen.c print/cmd/screen.h print/cmd/script.c print/cmd/setpath.c \
	print/cmd/shell.c print/cmd/shell_experiments.c print/cmd/shell.h \
	print/cmd/sort.c print/cmd/source.c \
	print/cmd/stacks.c print/cmd/statistics.c print/cmd/sthresh.c \
	print/cmd/summary.c print/cmd/numbername.c print/cmd/numbername.h print/cmd/omp.c \
	print/cmd/thread_list.c \
	print/cmd/totals.c print/cmd/totals.h print/cmd/usage.c \
	print/cmd/usage.h print/cmd/version.c print/cmd/words.c print/cmd/words.h \
	print/commands.def

# Waits for locks, and I/O.
print_cmd_sources += \
	print/cmd/ddetail.c print/cmd/deadcols.c print/cmd/deadcols.h \
	print/cmd/deadlocks.c print/cmd/dsummary.c print/cmd/ioactivity.c \
	print/cmd/iocallstack.c print/cmd/iocols.c \
	print/cmd/iocols.h print/cmd/iodetail.c print/cmd/iostat.c print/cmd/lockname.c \
	print/cmd/lockname.h print/cmd/locks.c print/cmd/stackcell.c \
	print/cmd/stackcell.h \
	print/cmd/suppress.c print/cmd/suppress.h print/cmd/suppressions.c

# MPI.
print_cmd_sources += \
	print/cmd/mpi.c print/cmd/mpibalance.c print/cmd/mpicols.c \
	print/cmd/mpicols.h print/cmd/mpidelay.c print/cmd/mpidetail.c \
	print/cmd/mpihung.c print/cmd/mpihung.h \
	print/cmd/lockwaits.c print/cmd/lockwaits.h \
	print/cmd/mpimatrix.c print/cmd/mpimessages.c print/cmd/mpimessages.h \
	print/cmd/mpiname.c \
	print/cmd/mpiname.h \
	print/cmd/mpipathtext.c \
	print/cmd/mpipathtext.h print/cmd/mpiwait.c

# Index objects, stack fragments.
print_cmd_sources += \
	print/cmd/cappend.c print/cmd/cprepend.c print/cmd/crmfirst.c \
	print/cmd/allocations.c print/cmd/crmlast.c print/cmd/cpu_list.c \
	print/cmd/indexes.c \
	print/cmd/indexes.h print/cmd/indxobj.c print/cmd/indxobj_define.c \
	print/cmd/indxobj_list.c print/cmd/memobj.c print/cmd/mobj_define.c \
	print/cmd/mobj_list.c print/cmd/compare.c print/cmd/compare.h \
	print/cmd/timeline.c

# How objects are shown.
print_cmd_sources += \
	print/cmd/object_api.c print/cmd/object_hide.c print/cmd/object_list.c \
	print/cmd/object_select.c print/cmd/object_show.c print/cmd/objects_default.c \
	print/cmd/objmode.c print/cmd/objmode.h print/cmd/viewmode.c

print_cmd_sources += print/cmd/flame.c print/cmd/flame.h print/cmd/flamesvg.c

# Regions that programs name.
print_cmd_sources += print/cmd/costly.c print/cmd/costly.h print/cmd/regions.c \
	print/cmd/regionlist.c print/cmd/regionlist.h \
	print/cmd/regionline.c print/cmd/regionline.h
