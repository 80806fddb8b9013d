# SPDX-License-Identifier: Apache-2.0
# Synchronization tracing. A hook stays one piece: its personality is in its own frame.
preloaded += libsync.so
libsync_so_SOURCES = \
	collector/sync/sync_c11.h \
	collector/sync/sync_futex.c \
	collector/sync/sync_lock.c \
	collector/sync/sync_order.c \
	collector/sync/sync_order.h \
	collector/sync/sync_record.c \
	collector/sync/sync_record.h \
	collector/sync/sync_rwlock.c \
	collector/sync/sync_sem.c \
	collector/sync/sync_start.c \
	collector/sync/sync_thread.c \
	collector/sync/sync_thread.h \
	collector/sync/sync_wait.c \
	collector/sync/sync_write.h
$(libsync_so_OBJECTS): private room_cflags = -O3 $(ONE_PIECE_CFLAGS) $(null_cflags)
libsync_so_LDFLAGS = $(target_ldflags) \
	-Wl,--version-script=$(srcdir)/collector/sync/sync.map
libsync_so_LDADD = $(traced_libs)
EXTRA_libsync_so_DEPENDENCIES = $(srcdir)/collector/sync/sync.map
EXTRA_DIST += collector/sync/sync.map
