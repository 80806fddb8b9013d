# SPDX-License-Identifier: Apache-2.0
# Heap tracing.
preloaded += libheap.so
libheap_so_SOURCES = \
	collector/heap/arena.c \
	collector/heap/arena.h \
	collector/heap/heap.c \
	collector/heap/heap_map.c \
	collector/heap/heap_new.c \
	collector/heap/heap_real.c \
	collector/heap/heap_real.h \
	collector/heap/heap_record.c \
	collector/heap/heap_record.h \
	collector/preload/dynsym.c \
	collector/preload/dynsym.h
$(libheap_so_OBJECTS): private room_cflags = -O3 -fno-builtin $(null_cflags)
libheap_so_LDFLAGS = $(target_ldflags)
libheap_so_LDADD = $(traced_libs)
