# SPDX-License-Identifier: Apache-2.0
# I/O tracing.
preloaded += libio.so
libio_so_SOURCES = \
	collector/io/io_calls.c \
	collector/io/io_fd.c \
	collector/io/io_file.c \
	collector/io/io_file.h \
	collector/io/io_name.c \
	collector/io/io_name.h \
	collector/io/io_path.c \
	collector/io/io_path.h \
	collector/io/io_real.c \
	collector/io/io_real.h \
	collector/io/io_record.c \
	collector/io/io_record.h \
	collector/io/io_socket.c \
	collector/io/io_stream.c \
	collector/io/io_tree.c \
	collector/io/io_vfork.c
# clang refuses what libc's headers have defined inline before (getchar, vprintf).
$(libio_so_OBJECTS): private room_cflags = -O3 -fno-builtin \
	$(NO_INLINE_CPPFLAGS) $(null_cflags)
libio_so_LDFLAGS = $(target_ldflags)
libio_so_LDADD = $(traced_libs)
