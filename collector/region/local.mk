# SPDX-License-Identifier: Apache-2.0
# Regions that the program names. A call stays one piece, as hooks do.
region_sources = \
	collector/region/region.c \
	collector/region/region.h \
	collector/region/region_api.c \
	collector/region/region_env.c \
	collector/region/region_handle.c \
	collector/region/region_handle.h \
	collector/region/region_itt.c \
	collector/region/region_mpi.c \
	collector/region/region_name.c \
	collector/region/region_notice.c \
	collector/region/region_nvtx.c
noinst_LIBRARIES += libregion.a
libregion_a_SOURCES = $(region_sources)
$(libregion_a_OBJECTS): private room_cflags = -O3 $(ONE_PIECE_CFLAGS) \
	-fno-tree-slp-vectorize

# The same for other languages: files to compile with a program, or to import.
dist_pkgdata_DATA += collector/preload/libcollector.f90 \
	collector/preload/libcollector.py collector/preload/libcollector.rs
