# SPDX-License-Identifier: Apache-2.0
signals_sources = \
	collector/signals/bus.c \
	collector/signals/bus.h \
	collector/signals/handler.c \
	collector/signals/handler.h \
	collector/signals/signal.c \
	collector/signals/signal.h \
	collector/signals/sigwait.c
