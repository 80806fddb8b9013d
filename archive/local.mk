# SPDX-License-Identifier: Apache-2.0

include archive/object/local.mk
include archive/elf/local.mk
include archive/dwarf/local.mk

noinst_LIBRARIES += libobjfile.a
libobjfile_a_SOURCES = $(object_sources)

# All but main.c. zlib, zstd, liblzma and libdebuginfod are loaded at run time when an
# object needs them.
noinst_LIBRARIES += liberarchive.a
liberarchive_a_SOURCES = $(elf_sources) $(dwarf_sources) \
	archive/options.def archive/archive.c archive/archive.h \
	archive/archiving.c archive/archiving.h \
	archive/calltypes.c archive/calltypes.h archive/codefiles.c archive/codefiles.h \
	archive/describe.c archive/describe.h archive/described.c archive/described.h \
	archive/index.c archive/index.h archive/item.c archive/item.h \
	archive/mapxml.c archive/mapxml.h archive/sources.c archive/sources.h \
	archive/store.c archive/store.h archive/tidy.c archive/tidy.h

archive_libs = liberarchive.a libobjfile.a libshare.a $(ELF_LIBS) -ldl -lpthread

bin_PROGRAMS += er_archive
er_archive_SOURCES = archive/gather.c archive/gather.h archive/main.c
er_archive_LDADD = $(archive_libs)

# For tests; not installed.
noinst_PROGRAMS += ero_dump
ero_dump_SOURCES = archive/object/dump.c
ero_dump_LDADD = libobjfile.a libshare.a
