# SPDX-License-Identifier: Apache-2.0

# The reader of our compact object file: no elfutils in here, er_print links it.
objfile_sources =

# The rest, but for main.c.
archive_sources =

noinst_LTLIBRARIES += libobjfile.la liberarchive.la
libobjfile_la_SOURCES = $(objfile_sources)
liberarchive_la_SOURCES = $(archive_sources)
liberarchive_la_CPPFLAGS = $(AM_CPPFLAGS) $(ELF_CFLAGS) $(DW_CFLAGS) $(XML_CFLAGS)

archive_libs = liberarchive.la libobjfile.la libshare.la \
	$(DW_LIBS) $(ELF_LIBS) $(XML_LIBS)

bin_PROGRAMS += er_archive
er_archive_SOURCES = archive/main.c
er_archive_LDADD = $(archive_libs)
