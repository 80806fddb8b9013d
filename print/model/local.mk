# SPDX-License-Identifier: Apache-2.0
print_model_sources = \
	print/model/absent.c print/model/absent.h print/absent.def \
	print/model/align.c print/model/align.h \
	print/model/filterask.c \
	print/model/heapleft.c print/model/heapleft.h \
	print/model/heappart.h \
	print/model/lone.c print/model/lone.h print/model/filterfiles.c \
	print/model/filterfiles.h print/model/fstype.c print/model/fstype.h \
	print/model/unrecorded.c print/model/unrecorded.h \
	print/model/account.c print/model/aggregate.c print/model/archive.c \
	print/model/around.c print/model/blocks.c print/model/calltree.c \
	print/model/demangle.c print/model/disasm.c print/model/files.c \
	print/model/filterbind.c print/model/filterlex.c print/model/filtermath.c \
	print/model/filterparse.c print/model/filters.c print/model/filterstack.c \
	print/model/filtertoken.c print/model/find.c print/model/frames.c \
	print/model/functions.c print/model/heap.c print/model/heapread.c \
	print/model/heapscan.c print/model/heapselect.c print/model/machine.c \
	print/model/marks.c print/model/metric.c print/model/object.c \
	print/model/order.c print/model/plan.c print/model/ranges.c \
	print/model/session.c print/model/sites.c print/model/sheet.c print/model/slices.c \
	print/model/source.c print/model/sourcetext.c print/model/stacks.c \
	print/model/tally.c print/model/view.c

# Waits for locks, and I/O.
print_model_sources += \
	print/model/bins.c print/model/deadlocks.c print/model/io.c \
	print/model/ioscan.c print/model/lockcycle.c print/model/lockorder.c \
	print/model/locks.c \
	print/model/tracescan.c print/model/variable.c

# Data objects.
print_model_sources += print/model/datafind.c print/model/dataobjs.c \
	print/model/datatitle.c print/model/filterdata.c print/model/filtersets.c \
	print/model/frametext.c \
	print/model/memory.c

# Index objects.
print_model_sources += print/model/meet.c \
	print/model/index.c print/model/indexkeys.c print/model/noise.c \
	print/model/hide.c

# MPI.
print_model_sources += \
	print/model/clockfit.c print/model/comms.c print/model/mpi.c \
	print/model/mpiclocks.c print/model/mpievents.c print/model/mpigather.c \
	print/model/mpiio.c print/model/mpimatch.c print/model/mpipending.c \
	print/model/mpiqueue.c print/model/mpiscan.c print/model/mpiwait.c \
	print/model/ranks.c print/model/rankstell.c
