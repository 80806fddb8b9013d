# SPDX-License-Identifier: Apache-2.0

# Reader and writer of object files: er_print links them. They need libc alone.
objfile_sources = \
	archive/objfile.c archive/objfile.h archive/objkey.c archive/objkey.h \
	archive/cursor.h archive/objopen.c archive/objrows.def archive/objrows.h \
	archive/objwrite.c archive/objwrite.h archive/regular.c archive/regular.h

# The rest, but for main.c. zlib, zstd, liblzma and libdebuginfod are loaded at run time
# when an object needs them.
archive_sources = \
	archive/options.def archive/archive.c archive/archive.h archive/codemap.c \
	archive/calltypes.c archive/calltypes.h \
	archive/codefiles.c archive/codefiles.h archive/codemap.h \
	archive/coldpart.c archive/coldpart.h \
	archive/debugfile.c archive/debugfile.h archive/describe.c \
	archive/describe.h archive/described.c archive/described.h \
	archive/dwarf.c archive/dwarf.h archive/dwfile.c \
	archive/dwfile.h archive/dwform.c archive/dwform.h archive/dwfunc.c \
	archive/dwfunc.h archive/dwinfo.c archive/dwinfo.h archive/dwline.c \
	archive/dwline.h archive/dwmemo.c archive/dwmemo.h archive/dwnames.h \
	archive/dwrange.c archive/dwrange.h \
	archive/dwscope.c archive/dwscope.h archive/dwsplit.c archive/dwsplit.h \
	archive/dwtype.c archive/dwtype.h \
	archive/fde.c archive/fde.h \
	archive/gotab.c archive/gotab.h \
	archive/ifunc.c archive/ifunc.h archive/image.c archive/image.h \
	archive/index.c archive/index.h archive/inflate.c archive/inflate.h \
	archive/item.c archive/item.h archive/mapxml.c archive/mapxml.h \
	archive/plt.c archive/plt.h \
	archive/sources.c archive/sources.h archive/store.c archive/store.h \
	archive/symbols.c archive/symbols.h \
	archive/tidy.c archive/tidy.h archive/variables.c archive/variables.h

noinst_LIBRARIES += libobjfile.a liberarchive.a
libobjfile_a_SOURCES = $(objfile_sources)
liberarchive_a_SOURCES = $(archive_sources)

archive_libs = liberarchive.a libobjfile.a libshare.a $(ELF_LIBS) -ldl -lpthread

bin_PROGRAMS += er_archive
er_archive_SOURCES = archive/gather.c archive/gather.h archive/main.c
er_archive_LDADD = $(archive_libs)

# For tests; not installed.
noinst_PROGRAMS += ero_dump
ero_dump_SOURCES = archive/dump.c
ero_dump_LDADD = libobjfile.a libshare.a
