# SPDX-License-Identifier: Apache-2.0
# Readers of what runtimes say of code that they make.
madecode_sources = \
	collector/madecode/gdbjit.c collector/madecode/gdbjit.h \
	collector/madecode/jitdump.c collector/madecode/jitdump.h \
	collector/madecode/madecode.c collector/madecode/madecode.h \
	collector/madecode/madecode_state.c collector/madecode/madecode_state.h \
	collector/madecode/madewrite.c collector/madecode/madewrite.h \
	collector/madecode/perfmap.c collector/madecode/perfmap.h
