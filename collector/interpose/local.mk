# SPDX-License-Identifier: Apache-2.0

# Each other family is a preloadable library of its own, declared here: a line in
# pkglib_LTLIBRARIES, its _SOURCES, _CPPFLAGS = $(target_cppflags),
# _CFLAGS = $(target_cflags) and _LDFLAGS = $(target_ldflags).

# The families that are always loaded: what the collector itself needs to know.
interpose_sources = \
	collector/interpose/dl.c \
	collector/interpose/dl.def \
	collector/interpose/filter.c \
	collector/interpose/handler.c \
	collector/interpose/handler.h \
	collector/interpose/jump.c \
	collector/interpose/process.c \
	collector/interpose/process.def \
	collector/interpose/shell.c \
	collector/interpose/real.c \
	collector/interpose/real.h \
	collector/interpose/signal.c \
	collector/interpose/signal.def \
	collector/interpose/signal.h \
	collector/interpose/sigwait.c \
	collector/interpose/thread.c \
	collector/interpose/thread.def
