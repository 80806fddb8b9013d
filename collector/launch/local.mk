# SPDX-License-Identifier: Apache-2.0
# All but main.c.
launch_sources = \
	collector/launch/requester.c collector/launch/requester.h \
	collector/launch/attached.c collector/launch/attached.h \
	collector/launch/attached_state.c collector/launch/attached_state.h \
	collector/launch/callfind.c \
	collector/launch/callfind.h collector/launch/calls.c collector/launch/calls.h \
	collector/launch/calltables.c collector/launch/calltables.h \
	collector/launch/debugged.c collector/launch/debugged.h \
	collector/launch/elsewhere.c collector/launch/elsewhere.h \
	collector/launch/ending.c collector/launch/ending.h \
	collector/launch/environ.c collector/launch/environ.h \
	collector/launch/family.c collector/launch/family_list.h \
	collector/launch/family_request.c collector/launch/family.h \
	collector/launch/finish.c collector/launch/finish.h collector/launch/group.c \
	collector/launch/group.h collector/launch/head.c collector/launch/heapscan.c \
	collector/launch/heapscan.h collector/launch/head.h collector/launch/jit.c \
	collector/launch/jit.h collector/launch/keeper.c collector/launch/keeper.h \
	collector/launch/limit.c collector/launch/limit.h \
	collector/launch/lineage.c collector/launch/lineage.h \
	collector/launch/machine.c collector/launch/machine.h \
	collector/launch/mapcopy.c collector/launch/mapcopy.h \
	collector/launch/member.c collector/launch/member.h collector/launch/maps.c \
	collector/launch/maps.h collector/launch/options.c \
	collector/launch/options.def collector/launch/options.h \
	collector/launch/page_copy.c collector/launch/page_copy.h \
	collector/launch/javatarget.c collector/launch/javatarget.h \
	collector/launch/plan.c collector/launch/plan.h \
	collector/launch/prepare.c collector/launch/prepare.h collector/launch/pool.c \
	collector/launch/pool.h collector/launch/rank.c collector/launch/rank.h \
	collector/launch/tail.c collector/launch/tail.h collector/launch/regions.c \
	collector/launch/regions.h collector/launch/retire.c collector/launch/retire.h \
	collector/launch/room.c collector/launch/room.h collector/launch/run.c \
	collector/launch/run.h collector/launch/samplepoint.c \
	collector/launch/samplepoint.h collector/launch/search.c collector/launch/search.h \
	collector/launch/serve.c collector/launch/serve.h collector/launch/settle.c \
	collector/launch/settle.h collector/launch/signals.c \
	collector/launch/signals.h collector/launch/spawn.c collector/launch/spawn.h \
	collector/launch/status.h collector/launch/trust.c collector/launch/trust.h \
	collector/launch/pending_children.c collector/launch/pending_children.h \
	collector/launch/value.c collector/launch/value.h \
	collector/launch/wants.c collector/launch/wants.h
