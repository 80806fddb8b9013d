# SPDX-License-Identifier: Apache-2.0
# Calls of functions that the user names.
preloaded += libcall.so
libcall_so_SOURCES = \
	collector/call/call.c \
	collector/call/call.h \
	collector/call/call_entry_x86_64.c \
	collector/call/call_record.c \
	collector/call/call_slots.c \
	collector/call/call_table.c \
	collector/call/call_text.c \
	collector/call/call_value.c \
	collector/got/object.c \
	collector/got/object.h \
	collector/got/slots.c \
	collector/got/slots.h
$(libcall_so_OBJECTS): private room_cflags = -O3 -fno-builtin
libcall_so_LDFLAGS = $(target_ldflags)
libcall_so_LDADD = $(traced_libs)
