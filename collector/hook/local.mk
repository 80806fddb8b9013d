# SPDX-License-Identifier: Apache-2.0
# What is always loaded: the collector itself needs to know of it.
hook_sources = \
	collector/hook/dl.c \
	collector/hook/filter.c \
	collector/hook/frames.c \
	collector/hook/jump.c \
	collector/hook/process.c \
	collector/hook/shell.c \
	collector/hook/stub.h \
	collector/hook/raw.c \
	collector/hook/raw.h \
	collector/hook/thread.c

$(libhook_a_OBJECTS): private room_cflags = $(null_cflags)

# What the libraries of families share. libshare_pure.a has the encoding of records.
noinst_LIBRARIES += libtrace.a
libtrace_a_SOURCES = \
	collector/libc/resolve.c \
	collector/libc/resolve.h \
	collector/sync/sync_real.c \
	collector/sync/sync_real.h \
	collector/hook/trace.c \
	collector/hook/trace.h
$(libtrace_a_OBJECTS): private room_cflags = -fno-builtin $(null_cflags)
traced_libs = libtrace.a libshare_pure.a libown.a
