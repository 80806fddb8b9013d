# SPDX-License-Identifier: Apache-2.0
signals_sources = \
	collector/signals/signal.c \
	collector/signals/signal.h \
	collector/signals/sigwait.c
