# SPDX-License-Identifier: Apache-2.0

# The families that libcollector.so itself needs to keep its hold on a process.
interpose_sources =

# Each other family is a preloadable library of its own, declared here: a line in
# pkglib_LTLIBRARIES, its _SOURCES, _CPPFLAGS = $(target_cppflags),
# _CFLAGS = $(target_cflags) and _LDFLAGS = $(target_ldflags).
