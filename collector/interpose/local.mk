# SPDX-License-Identifier: Apache-2.0

# Each other family is a preloadable library of its own, declared here: a line in
# preloaded, its _SOURCES, _LDFLAGS = $(target_ldflags) and _LDADD = $(traced_libs).

# The families that are always loaded: what the collector itself needs to know.
interpose_sources = \
	collector/interpose/bus.c \
	collector/interpose/bus.h \
	collector/interpose/dl.c \
	collector/interpose/dl.def \
	collector/interpose/filter.c \
	collector/interpose/handler.c \
	collector/interpose/handler.h \
	collector/interpose/jump.c \
	collector/interpose/process.c \
	collector/interpose/process.def \
	collector/interpose/shell.c \
	collector/interpose/raw.c \
	collector/interpose/raw.h \
	collector/interpose/real.c \
	collector/interpose/real.h \
	collector/interpose/signal.c \
	collector/interpose/signal.def \
	collector/interpose/signal.h \
	collector/interpose/sigwait.c \
	collector/interpose/thread.c \
	collector/interpose/thread.def

# What several of them have. libshare_pure.a has the encoding of records.
noinst_LIBRARIES += libtrace.a
libtrace_a_SOURCES = \
	collector/interpose/sync_real.c \
	collector/interpose/sync_real.h \
	collector/interpose/trace.c \
	collector/interpose/trace.h
$(libtrace_a_OBJECTS): private room_cflags = -fno-builtin
traced_libs = libtrace.a libshare_pure.a libown.a

# Synchronization tracing. A hook stays one piece: its personality is in its own frame.
preloaded += libsync.so
libsync_so_SOURCES = \
	collector/interpose/sync.def \
	collector/interpose/sync_c11.h \
	collector/interpose/sync_lock.c \
	collector/interpose/sync_order.c \
	collector/interpose/sync_order.h \
	collector/interpose/sync_record.c \
	collector/interpose/sync_record.h \
	collector/interpose/sync_rwlock.c \
	collector/interpose/sync_sem.c \
	collector/interpose/sync_start.c \
	collector/interpose/sync_thread.c \
	collector/interpose/sync_thread.h \
	collector/interpose/sync_wait.c
$(libsync_so_OBJECTS): private room_cflags = -O3 -fno-reorder-blocks-and-partition
libsync_so_LDFLAGS = $(target_ldflags) \
	-Wl,--version-script=$(srcdir)/collector/interpose/sync.map
libsync_so_LDADD = $(traced_libs)
EXTRA_libsync_so_DEPENDENCIES = $(srcdir)/collector/interpose/sync.map
EXTRA_DIST += collector/interpose/sync.map

# Heap tracing.
preloaded += libheap.so
libheap_so_SOURCES = \
	collector/interpose/arena.c \
	collector/interpose/arena.h \
	collector/interpose/heap.c \
	collector/interpose/heap.def \
	collector/interpose/heap_map.c \
	collector/interpose/heap_new.c \
	collector/interpose/heap_real.c \
	collector/interpose/heap_real.h \
	collector/interpose/heap_record.c \
	collector/interpose/heap_record.h
$(libheap_so_OBJECTS): private room_cflags = -O3 -fno-builtin
libheap_so_LDFLAGS = $(target_ldflags)
libheap_so_LDADD = $(traced_libs)

# I/O tracing.
preloaded += libio.so
libio_so_SOURCES = \
	collector/interpose/io.def \
	collector/interpose/io_fd.c \
	collector/interpose/io_file.c \
	collector/interpose/io_file.h \
	collector/interpose/io_move.c \
	collector/interpose/io_name.c \
	collector/interpose/io_name.h \
	collector/interpose/io_net.c \
	collector/interpose/io_path.c \
	collector/interpose/io_path.h \
	collector/interpose/io_print.c \
	collector/interpose/io_real.c \
	collector/interpose/io_real.h \
	collector/interpose/io_record.c \
	collector/interpose/io_record.h \
	collector/interpose/io_socket.c \
	collector/interpose/io_stat.c \
	collector/interpose/io_stream.c \
	collector/interpose/io_text.c \
	collector/interpose/io_tree.c \
	collector/interpose/io_vfork.c \
	collector/interpose/io_wait.c
$(libio_so_OBJECTS): private room_cflags = -O3 -fno-builtin
libio_so_LDFLAGS = $(target_ldflags)
libio_so_LDADD = $(traced_libs)

# MPI tracing. It is built without any mpi.h, and serves all MPI libraries.
preloaded += libmpi_trace.so
libmpi_trace_so_SOURCES = \
	collector/interpose/mpi.def \
	collector/interpose/mpi_abi.c \
	collector/interpose/mpi_abi.h \
	collector/interpose/mpi_call.c \
	collector/interpose/mpi_call.h \
	collector/interpose/mpi_coll.c \
	collector/interpose/mpi_comm.c \
	collector/interpose/mpi_comm.h \
	collector/interpose/mpi_env.c \
	collector/interpose/mpi_file.c \
	collector/interpose/mpi_hook.c \
	collector/interpose/mpi_mem.c \
	collector/interpose/mpi_mem.h \
	collector/interpose/mpi_point.c \
	collector/interpose/mpi_request.c \
	collector/interpose/mpi_request.h \
	collector/interpose/mpi_rma.c \
	collector/interpose/mpi_wait.c
$(libmpi_trace_so_OBJECTS): private room_cflags = -fno-builtin
libmpi_trace_so_LDFLAGS = $(target_ldflags)
libmpi_trace_so_LDADD = $(traced_libs)

# Waiting (collect -p wall).
preloaded += libwait.so
libwait_so_SOURCES = \
	collector/interpose/sync.def \
	collector/interpose/wait.c \
	collector/interpose/wait.def \
	collector/interpose/wait.h \
	collector/interpose/wait_file.c \
	collector/interpose/wait_futex.c \
	collector/interpose/wait_lock.c \
	collector/interpose/wait_net.c \
	collector/interpose/wait_real.c \
	collector/interpose/wait_real.h \
	collector/interpose/wait_sleep.c \
	collector/interpose/wait_stream.c
$(libwait_so_OBJECTS): private room_cflags = -fno-builtin
libwait_so_LDFLAGS = $(target_ldflags) \
	-Wl,--version-script=$(srcdir)/collector/interpose/wait.map
libwait_so_LDADD = $(traced_libs)
EXTRA_libwait_so_DEPENDENCIES = $(srcdir)/collector/interpose/wait.map
EXTRA_DIST += collector/interpose/wait.map
