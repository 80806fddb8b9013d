# SPDX-License-Identifier: Apache-2.0
print_model_sources = print/absent.def

print_model_sources += \
	print/model/absent.c \
	print/model/absent.h \
	print/model/bins.c \
	print/model/bins.h \
	print/model/classes.c \
	print/model/classes.h \
	print/model/demangle.c \
	print/model/demangle.h \
	print/model/grid.c \
	print/model/grid.h \
	print/model/heapread.c \
	print/model/heapread.h \
	print/model/largest.c \
	print/model/largest.h \
	print/model/metric.c \
	print/model/metric.h \
	print/model/numbers.c \
	print/model/numbers.h \
	print/model/programs.c \
	print/model/programs.h \
	print/model/ranges.c \
	print/model/ranges.h \
	print/model/recorded.c \
	print/model/recorded.h \
	print/model/session.h \
	print/model/tracescan.c \
	print/model/tracescan.h \
	print/model/unrecorded.c \
	print/model/unrecorded.h

print_model_sources += \
	print/model/branch/branches.c \
	print/model/branch/branches.h \
	print/model/branch/flow.c \
	print/model/branch/flow.h \
	print/model/branch/loops.c \
	print/model/branch/loops.h

print_model_sources += \
	print/model/call/callbuild.c \
	print/model/call/callbuild.h \
	print/model/call/callsum.c \
	print/model/call/callsum.h

print_model_sources += \
	print/model/data/datafind.c \
	print/model/data/datafind.h \
	print/model/data/datatitle.c \
	print/model/data/datatitle.h \
	print/model/data/memory.c \
	print/model/data/memory.h

print_model_sources += \
	print/model/filter/binding.c \
	print/model/filter/binding.h \
	print/model/filter/cuts.c \
	print/model/filter/cuts.h \
	print/model/filter/filter.h \
	print/model/filter/filteraccept.c \
	print/model/filter/filterbind.c \
	print/model/filter/filterbind.h \
	print/model/filter/filterbound.h \
	print/model/filter/filtercalls.c \
	print/model/filter/filtercalls.h \
	print/model/filter/filterdata.c \
	print/model/filter/filterdata.h \
	print/model/filter/filterfiles.c \
	print/model/filter/filterfiles.h \
	print/model/filter/filterlex.c \
	print/model/filter/filterlex.h \
	print/model/filter/filtermath.c \
	print/model/filter/filtermath.h \
	print/model/filter/filterparse.c \
	print/model/filter/filterparse.h \
	print/model/filter/filters.c \
	print/model/filter/filters.h \
	print/model/filter/filtersets.c \
	print/model/filter/filtersets.h \
	print/model/filter/filterstack.c \
	print/model/filter/filterstack.h \
	print/model/filter/filtertoken.c \
	print/model/filter/filtertoken.h \
	print/model/filter/fstype.c \
	print/model/filter/fstype.h

print_model_sources += \
	print/model/findings/calls.c \
	print/model/findings/cost.c \
	print/model/findings/files.c \
	print/model/findings/finding.h \
	print/model/findings/findings.c \
	print/model/findings/findings.h \
	print/model/findings/heap.c \
	print/model/findings/java.c \
	print/model/findings/lockwhile.c \
	print/model/findings/lockwhile.h \
	print/model/findings/missing.c \
	print/model/findings/ranks.c \
	print/model/findings/regions.c \
	print/model/findings/runs.c \
	print/model/findings/phrase.c \
	print/model/findings/phrase.h \
	print/model/findings/sections.c \
	print/model/findings/sections.h \
	print/model/findings/times.c \
	print/model/findings/waits.c

print_model_sources += \
	print/model/heap/blocks.c \
	print/model/heap/blocks.h \
	print/model/heap/heap.c \
	print/model/heap/heap.h \
	print/model/heap/heapcurve.c \
	print/model/heap/heapcurve.h \
	print/model/heap/heapend.c \
	print/model/heap/heapend.h \
	print/model/heap/heapkept.c \
	print/model/heap/heapkept.h \
	print/model/heap/heapleft.c \
	print/model/heap/heapleft.h \
	print/model/heap/heapown.c \
	print/model/heap/heapown.h \
	print/model/heap/heappart.h \
	print/model/heap/heapresult.h \
	print/model/heap/heapscan.c \
	print/model/heap/heapscan.h \
	print/model/heap/heapselect.c \
	print/model/heap/heapselect.h \
	print/model/heap/heapsteps.c \
	print/model/heap/heapsteps.h \
	print/model/heap/heapsums.h \
	print/model/heap/heaptime.c \
	print/model/heap/heaptime.h

print_model_sources += \
	print/model/io/io.c \
	print/model/io/io.h \
	print/model/io/ioscan.c \
	print/model/io/ioscan.h \
	print/model/io/iosum.h

print_model_sources += \
	print/model/lookup/callfold.c \
	print/model/lookup/calls.c \
	print/model/lookup/calls.h \
	print/model/lookup/callvalue.c \
	print/model/lookup/callvalue.h \
	print/model/lookup/comms.c \
	print/model/lookup/comms.h \
	print/model/lookup/ompplaces.c \
	print/model/lookup/ompplaces.h \
	print/model/lookup/ranks.c \
	print/model/lookup/ranks.h \
	print/model/lookup/rankproblems.c \
	print/model/lookup/regionlanes.c \
	print/model/lookup/regionlanes.h \
	print/model/lookup/regions.c \
	print/model/lookup/regions.h

print_model_sources += \
	print/model/mpi/clockfit.c \
	print/model/mpi/clockfit.h \
	print/model/mpi/mpi.c \
	print/model/mpi/mpi.h \
	print/model/mpi/mpialign.c \
	print/model/mpi/mpialign.h \
	print/model/mpi/mpiblame.c \
	print/model/mpi/mpiblame.h \
	print/model/mpi/mpiblocked.h \
	print/model/mpi/mpibridge.c \
	print/model/mpi/mpibridge.h \
	print/model/mpi/mpicauses.c \
	print/model/mpi/mpicauses.h \
	print/model/mpi/mpiclocks.c \
	print/model/mpi/mpiclocks.h \
	print/model/mpi/mpicritical.c \
	print/model/mpi/mpicritical.h \
	print/model/mpi/mpidelay.c \
	print/model/mpi/mpidelay.h \
	print/model/mpi/mpidetail.c \
	print/model/mpi/mpidetail.h \
	print/model/mpi/mpievents.c \
	print/model/mpi/mpievents.h \
	print/model/mpi/mpigather.c \
	print/model/mpi/mpigather.h \
	print/model/mpi/mpigroups.c \
	print/model/mpi/mpigroups.h \
	print/model/mpi/mpihang.c \
	print/model/mpi/mpihang.h \
	print/model/mpi/mpiio.c \
	print/model/mpi/mpiio.h \
	print/model/mpi/mpilocks.c \
	print/model/mpi/mpilocks.h \
	print/model/mpi/mpimatch.c \
	print/model/mpi/mpimatch.h \
	print/model/mpi/mpimatched.h \
	print/model/mpi/mpimerge.c \
	print/model/mpi/mpimerge.h \
	print/model/mpi/mpimessages.c \
	print/model/mpi/mpimessages.h \
	print/model/mpi/mpipaths.c \
	print/model/mpi/mpipaths.h \
	print/model/mpi/mpipending.c \
	print/model/mpi/mpipending.h \
	print/model/mpi/mpiprogress.c \
	print/model/mpi/mpiprogress.h \
	print/model/mpi/mpiqueue.c \
	print/model/mpi/mpiqueue.h \
	print/model/mpi/mpireceives.c \
	print/model/mpi/mpireceives.h \
	print/model/mpi/mpirecords.c \
	print/model/mpi/mpirecords.h \
	print/model/mpi/mpisamples.c \
	print/model/mpi/mpisamples.h \
	print/model/mpi/mpiscan.c \
	print/model/mpi/mpiscan.h \
	print/model/mpi/mpistates.c \
	print/model/mpi/mpistates.h \
	print/model/mpi/mpisums.h \
	print/model/mpi/mpisyncs.c \
	print/model/mpi/mpisyncs.h \
	print/model/mpi/mpitrack.c \
	print/model/mpi/mpitrack.h \
	print/model/mpi/mpitracks.c \
	print/model/mpi/mpitracks.h \
	print/model/mpi/mpiwait.c \
	print/model/mpi/mpiwait.h \
	print/model/mpi/mpiwindowcall.h \
	print/model/mpi/mpiwindows.c \
	print/model/mpi/mpiwindows.h

print_model_sources += \
	print/model/omp/omp.c \
	print/model/omp/omp.h

print_model_sources += \
	print/model/pass/pieces.c \
	print/model/pass/pieces.h \
	print/model/pass/plan.c \
	print/model/pass/plan.h \
	print/model/pass/tally.c \
	print/model/pass/tally.h \
	print/model/pass/tallypass.c \
	print/model/pass/tallypass.h \
	print/model/pass/tracepass.c \
	print/model/pass/tracepass.h

print_model_sources += \
	print/model/region/costly.c \
	print/model/region/costly.h \
	print/model/region/costlywhy.c \
	print/model/region/regionadd.h \
	print/model/region/regionbuild.c \
	print/model/region/regionbuild.h \
	print/model/region/regionnotices.c \
	print/model/region/regionscan.c \
	print/model/region/regionscan.h \
	print/model/region/regionsteps.c \
	print/model/region/regionsteps.h \
	print/model/region/regionusage.c \
	print/model/region/regionusage.h

print_model_sources += \
	print/model/session/sessions.c \
	print/model/session/sessions.h

print_model_sources += \
	print/model/symbols/allstacks.c \
	print/model/symbols/allstacks.h \
	print/model/symbols/archive.c \
	print/model/symbols/archive.h \
	print/model/symbols/bareobject.c \
	print/model/symbols/bareobject.h \
	print/model/symbols/briefname.c \
	print/model/symbols/briefname.h \
	print/model/symbols/bytecode.c \
	print/model/symbols/bytecode.h \
	print/model/symbols/codelines.c \
	print/model/symbols/codelines.h \
	print/model/symbols/files.c \
	print/model/symbols/files.h \
	print/model/symbols/frames.c \
	print/model/symbols/frames.h \
	print/model/symbols/frametext.c \
	print/model/symbols/frametext.h \
	print/model/symbols/function.h \
	print/model/symbols/functions.c \
	print/model/symbols/functions.h \
	print/model/symbols/interp.c \
	print/model/symbols/interp.h \
	print/model/symbols/interpsites.c \
	print/model/symbols/interpsites.h \
	print/model/symbols/joins.c \
	print/model/symbols/joins.h \
	print/model/symbols/kernelobject.c \
	print/model/symbols/kernelobject.h \
	print/model/symbols/machine.c \
	print/model/symbols/machine.h \
	print/model/symbols/madeobject.c \
	print/model/symbols/madeobject.h \
	print/model/symbols/object.c \
	print/model/symbols/object.h \
	print/model/symbols/pymodule.c \
	print/model/symbols/pymodule.h \
	print/model/symbols/sites.c \
	print/model/symbols/sites.h \
	print/model/symbols/sourcetext.c \
	print/model/symbols/sourcetext.h \
	print/model/symbols/stacknodes.c \
	print/model/symbols/stacknodes.h \
	print/model/symbols/stacks.c \
	print/model/symbols/stacks.h \
	print/model/symbols/v8name.c \
	print/model/symbols/v8name.h \
	print/model/symbols/variable.c \
	print/model/symbols/variable.h

print_model_sources += \
	print/model/sync/deadlocks.c \
	print/model/sync/deadlocks.h \
	print/model/sync/lockcycle.c \
	print/model/sync/lockcycle.h \
	print/model/sync/lockname.c \
	print/model/sync/lockname.h \
	print/model/sync/lockorder.c \
	print/model/sync/lockorder.h \
	print/model/sync/locks.c \
	print/model/sync/locks.h \
	print/model/sync/lockwaits.c \
	print/model/sync/lockwaits.h

print_model_sources += \
	print/model/views/account.c \
	print/model/views/account.h \
	print/model/views/aggregate.c \
	print/model/views/aggregate.h \
	print/model/views/align.c \
	print/model/views/align.h \
	print/model/views/around.c \
	print/model/views/calltree.c \
	print/model/views/calltree.h \
	print/model/views/celllanes.c \
	print/model/views/celllanes.h \
	print/model/views/cells.c \
	print/model/views/cells.h \
	print/model/views/cellset.h \
	print/model/views/cellsort.c \
	print/model/views/cellsort.h \
	print/model/views/cellwidth.c \
	print/model/views/cellwidth.h \
	print/model/views/dataobjs.c \
	print/model/views/dataobjs.h \
	print/model/views/disasm.c \
	print/model/views/disasm.h \
	print/model/views/find.c \
	print/model/views/hide.c \
	print/model/views/hide.h \
	print/model/views/index.c \
	print/model/views/index.h \
	print/model/views/indexkeys.c \
	print/model/views/indexkeys.h \
	print/model/views/indexrow.h \
	print/model/views/linemarks.c \
	print/model/views/linemarks.h \
	print/model/views/noise.c \
	print/model/views/noise.h \
	print/model/views/ompinside.c \
	print/model/views/ompinside.h \
	print/model/views/order.c \
	print/model/views/order.h \
	print/model/views/regionjoin.c \
	print/model/views/regionjoin.h \
	print/model/views/row.h \
	print/model/views/slices.c \
	print/model/views/source.c \
	print/model/views/source.h \
	print/model/views/stacktree.h \
	print/model/views/view.c \
	print/model/views/view.h
