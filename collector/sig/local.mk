# SPDX-License-Identifier: Apache-2.0
sig_sources =

# The unwinder and the store of stacks.
sig_sources += collector/sig/announced.c collector/sig/announced.h \
	collector/sig/cache_use.c collector/sig/cache_use.h \
	collector/sig/cfi.c collector/sig/cfi_entry.c collector/sig/cfi_entry.h \
	collector/sig/cfi_expr.c collector/sig/cfi_find.c collector/sig/cfi_read.c \
	collector/sig/cfi_row.c collector/sig/guess_ahead_x86_64.c \
	collector/sig/guess_java_x86_64.c \
	collector/sig/guess_landing_x86_64.c \
	collector/sig/guess_rpython_x86_64.c collector/sig/guess_x86_64.c \
	collector/sig/hotspot.c collector/sig/hotspot.h \
	collector/sig/hotspot_bytecode.c collector/sig/hotspot_bytecode.h \
	collector/sig/hotspot_method.c collector/sig/hotspot_method.h \
	collector/sig/hotspot_method_layout.h \
	collector/sig/hotspot_name.c collector/sig/hotspot_name.h \
	collector/sig/hotspot_rule.c collector/sig/hotspot_rule.h \
	collector/sig/hotspot_x86_64.c \
	collector/sig/sink.c collector/sig/sink.h \
	collector/sig/insn.h collector/sig/insn_x86_64.c \
	collector/sig/join.c collector/sig/join.h \
	collector/sig/jumped.c collector/sig/jumped.h \
	collector/sig/loaded.c collector/sig/loaded.h \
	collector/sig/maderule.c collector/sig/maderule.h collector/sig/mem.c \
	collector/sig/node.c collector/sig/objtab.c \
	collector/sig/recent.c collector/sig/regs_values.h collector/sig/rule.c \
	collector/sig/step.c collector/sig/walk.c \
	collector/sig/walk_after.c collector/sig/walk_info.h collector/sig/walk_keep.c \
	collector/sig/walk_own.c \
	collector/sig/walk_whole.c

# Interpreted frames.
sig_sources += collector/sig/code.c collector/sig/code.h collector/sig/python.c \
	collector/sig/python.h collector/sig/python_code.c

# Records, hits and signals.
sig_sources += collector/sig/action.c collector/sig/action.h collector/sig/bus.c \
	collector/sig/chain.c \
	collector/sig/chain_pass.c collector/sig/chain_pass.h collector/sig/clock.c \
	collector/sig/guard.c collector/sig/guard.h \
	collector/sig/counter.c collector/sig/counter.h collector/sig/frame.c \
	collector/sig/frame.h collector/sig/gate.c collector/sig/hit.c \
	collector/sig/hit_settings.c collector/sig/hit_settings.h \
	collector/sig/probe.c collector/sig/probe.h collector/sig/space.c \
	collector/sig/space_nodes.c collector/sig/thread.c \
	collector/sig/wall.c collector/sig/wall.h collector/sig/wall_account.h \
	collector/sig/early.c collector/sig/early.h \
	collector/sig/weight.c collector/sig/weight.h
