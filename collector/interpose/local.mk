# SPDX-License-Identifier: Apache-2.0
# Each family of interposed functions is a preloadable library of its own, declared
# here: a line in pkglib_LTLIBRARIES, its _SOURCES, _CPPFLAGS = $(target_cppflags),
# _CFLAGS = $(target_cflags) and _LDFLAGS = $(target_ldflags).
