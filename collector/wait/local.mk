# SPDX-License-Identifier: Apache-2.0
# Waiting (collect -p wall).
preloaded += libwait.so
libwait_so_SOURCES = \
	collector/wait/wait.c \
	collector/wait/wait.h \
	collector/wait/wait_calls.c \
	collector/wait/wait_futex.c \
	collector/wait/wait_leaf.c \
	collector/wait/wait_leaf.h \
	collector/wait/wait_lock.c \
	collector/wait/wait_real.c \
	collector/wait/wait_real.h
# As for I/O: libc defines some of these inline.
$(libwait_so_OBJECTS): private room_cflags = -fno-builtin $(NO_INLINE_CPPFLAGS) \
	$(null_cflags)
libwait_so_LDFLAGS = $(target_ldflags) \
	-Wl,--version-script=$(srcdir)/collector/wait/wait.map
libwait_so_LDADD = $(traced_libs)
EXTRA_libwait_so_DEPENDENCIES = $(srcdir)/collector/wait/wait.map
EXTRA_DIST += collector/wait/wait.map
