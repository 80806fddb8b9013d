# SPDX-License-Identifier: Apache-2.0

# er_print links these, too. They need libc alone.
object_sources = \
	archive/object/cursor.h archive/object/objfile.c archive/object/objfile.h \
	archive/object/objkey.c archive/object/objkey.h archive/object/objopen.c \
	archive/object/objrows.def archive/object/objrows.h archive/object/objwrite.c \
	archive/object/objwrite.h archive/object/regular.c archive/object/regular.h
