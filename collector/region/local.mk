# SPDX-License-Identifier: Apache-2.0
# Regions that the program names. A call stays one piece, as hooks do.
region_sources = \
	collector/region/region.c \
	collector/region/region.h \
	collector/region/region_api.c \
	collector/region/region_name.c \
	collector/region/region_note.c
noinst_LIBRARIES += libregion.a
libregion_a_SOURCES = $(region_sources)
$(libregion_a_OBJECTS): private room_cflags = -O3 $(ONE_PIECE_CFLAGS)
