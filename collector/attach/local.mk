# SPDX-License-Identifier: Apache-2.0
# Into a running process; a part of collect.
attach_sources = \
	collector/attach/attach.c collector/attach/attach.h \
	collector/attach/image.c collector/attach/image.h \
	collector/attach/inject.c collector/attach/inject.h \
	collector/attach/proc.c collector/attach/proc.h \
	collector/attach/refuse.c collector/attach/refuse.h \
	collector/attach/stub.h collector/attach/stub_x86_64.c \
	collector/attach/tracee.c collector/attach/tracee.h \
	collector/attach/walk.c collector/attach/walk.h
