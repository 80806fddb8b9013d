# SPDX-License-Identifier: Apache-2.0
include_HEADERS += collector/preload/libcollector.h
preload_sources = collector/preload/api.c collector/preload/libcollector.h \
	collector/preload/callbacks.h \
	collector/preload/child.c collector/preload/child.h \
	collector/preload/clients.c collector/preload/clients.h \
	collector/preload/account.c collector/preload/account.h \
	collector/preload/requester.c collector/preload/requester.h \
	collector/preload/attach.c \
	collector/preload/descend.c \
	collector/preload/descend.h \
	collector/preload/dynsym.c collector/preload/dynsym.h \
	collector/preload/environ.c \
	collector/preload/environ.h \
	collector/preload/expt.c \
	collector/preload/expt.h \
	collector/preload/fork.c \
	collector/preload/fork.h \
	collector/preload/thread_look.c \
	collector/preload/hold.c collector/preload/hold.h \
	collector/preload/instance.c collector/preload/instance.h \
	collector/preload/spawn_environ.c \
	collector/preload/spawn_environ.h \
	collector/preload/inherit_signal.c collector/preload/inherit_signal.h \
	collector/preload/limit.c collector/preload/limit.h \
	collector/preload/made.c collector/preload/made.h \
	collector/preload/mainstack.c \
	collector/preload/mainstack.h \
	collector/preload/map.c \
	collector/preload/map.h \
	collector/preload/mpirank.c \
	collector/preload/mpirank.h \
	collector/preload/maptext.c collector/preload/maptext.h \
	collector/preload/maps.c \
	collector/preload/maps.h \
	collector/preload/own_signal.c collector/preload/own_signal.h \
	collector/preload/phdr.h \
	collector/preload/program.c collector/preload/program.h \
	collector/preload/python.c collector/preload/python.h \
	collector/preload/python.def \
	collector/preload/room.c \
	collector/preload/room.h \
	collector/preload/services.c collector/preload/services.h \
	collector/preload/stack.c collector/preload/stack.h \
	collector/preload/stray.c collector/preload/stray.h \
	collector/preload/recording.c \
	collector/preload/recording.h \
	collector/preload/exec_outside.c collector/preload/exec_outside.h \
	collector/preload/exec_check.c collector/preload/exec_check.h \
	collector/preload/report.c \
	collector/preload/report.h \
	collector/preload/thread.c \
	collector/preload/thread.h \
	collector/preload/thread_reap.c \
	collector/preload/thread_key.c collector/preload/thread_key.h \
	collector/preload/thread_traces.c \
	collector/preload/trace_slow.c collector/preload/trace_slow.h \
	collector/preload/vdso.c collector/preload/vdso.h \
	collector/preload/wall.c collector/preload/wall.h
