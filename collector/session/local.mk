# SPDX-License-Identifier: Apache-2.0
# The state of one recording.
session_sources = \
	collector/session/delayed.h collector/session/delays.c \
	collector/session/delays.h \
	collector/session/name.c collector/session/name.h \
	collector/session/overview.c collector/session/overview.h \
	collector/session/request.h \
	collector/session/session.h
