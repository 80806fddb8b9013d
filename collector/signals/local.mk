# SPDX-License-Identifier: Apache-2.0
signals_sources = \
	collector/signals/handler.c \
	collector/signals/handler.h \
	collector/signals/kernel_action.c \
	collector/signals/kernel_action.h \
	collector/signals/signal.c \
	collector/signals/signal.h \
	collector/signals/sigwait.c
