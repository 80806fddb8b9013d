# SPDX-License-Identifier: Apache-2.0

# Free of malloc and stdio: also linked into libcollector.so.
share_pure_sources = \
	share/types.h share/files.def share/traces.def share/records.def share/events.def \
	share/varint.h share/branch.c share/branch.h \
	share/bytecode.c share/bytecode.h \
	share/iocalls.def share/iocall.h share/mpicalls.def share/mpicall.h \
	share/record.c share/record.h share/values.h share/code.h share/named.h \
	share/chunk.c share/chunk.h share/ctl.h \
	share/filter.c share/filter.h share/fmt.c share/fmt.h \
	share/image.c share/image.h share/mpijob.h share/writeall.c share/writeall.h \
	share/logxml.c share/logxml.h share/mapname.h share/attach.h \
	share/params.c share/params.h share/call.h share/calltype.c share/calltype.h \
	share/callread.c share/callread.h share/callplace.c

# The rest, for ordinary processes.
share_more_sources = \
	share/beside.c share/beside.h share/err.c share/err.h share/experiment.c \
	share/experiment.h share/iocall.c share/mpicall.c share/outfile.c share/outfile.h \
	share/readfile.c share/readfile.h share/tool.c share/tool.h

noinst_LIBRARIES += libshare.a libshare_pure.a

libshare_a_SOURCES = $(share_pure_sources) $(share_more_sources)

libshare_pure_a_SOURCES = $(share_pure_sources)
libshare_pure_a_CPPFLAGS = $(AM_CPPFLAGS) $(target_cppflags)
libshare_pure_a_CFLAGS = $(target_cflags)

# Tables of functions for collect -T @LIBRARY.
callsdir = $(pkgdatadir)/calls
dist_calls_DATA = share/calls/blas.calls share/calls/cuda.calls \
	share/calls/hiredis.calls share/calls/lapack.calls share/calls/libcurl.calls \
	share/calls/libpq.calls share/calls/openssl.calls share/calls/sqlite3.calls \
	share/calls/zlib.calls share/calls/zstd.calls
