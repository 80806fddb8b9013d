# SPDX-License-Identifier: Apache-2.0
action_sources = \
	collector/action/handler.c \
	collector/action/handler.h \
	collector/action/kernel_action.c \
	collector/action/kernel_action.h
