# SPDX-License-Identifier: Apache-2.0
# The launcher and the libraries that go into a target. The rooms list their files.

include collector/launch/local.mk
include collector/sig/local.mk
include collector/source/local.mk
include collector/preload/local.mk
include collector/interpose/local.mk

# collect: main.c on a library, so that unit tests can link the library.
noinst_LTLIBRARIES += liblaunch.la
liblaunch_la_SOURCES = $(launch_sources)
liblaunch_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'

bin_PROGRAMS += collect
collect_SOURCES = collector/launch/main.c
collect_LDADD = liblaunch.la libshare.la

# libsig.la stands alone, so that the check of its undefined symbols can see it.
noinst_LTLIBRARIES += libsig.la
libsig_la_SOURCES = $(sig_sources)
libsig_la_CPPFLAGS = $(target_cppflags)
libsig_la_CFLAGS = $(target_cflags) -fno-tree-vectorize -fno-tree-slp-vectorize

noinst_LTLIBRARIES += libpreload.la
libpreload_la_SOURCES = $(preload_sources) $(source_sources)
libpreload_la_CPPFLAGS = $(target_cppflags)
libpreload_la_CFLAGS = $(target_cflags)

noinst_LTLIBRARIES += libinterpose.la
libinterpose_la_SOURCES = $(interpose_sources)
libinterpose_la_CPPFLAGS = $(target_cppflags)
libinterpose_la_CFLAGS = $(target_cflags)

pkglib_LTLIBRARIES += libcollector.la
libcollector_la_SOURCES =
libcollector_la_LIBADD = libpreload.la libinterpose.la libsig.la libshare_pure.la
# Also for the link: no sanitizer.
libcollector_la_CFLAGS = $(target_cflags)
# Recording begins before the constructors of all other libraries, not after them.
libcollector_la_LDFLAGS = $(target_ldflags) -Wl,-z,initfirst
