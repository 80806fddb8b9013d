# SPDX-License-Identifier: Apache-2.0
# Facts about the machine, processes and program files.
inspect_sources = \
	collector/inspect/account.c collector/inspect/account.h \
	collector/inspect/elfid.c collector/inspect/elfid.h \
	collector/inspect/elfsym.c collector/inspect/elfsym.h \
	collector/inspect/host.c collector/inspect/host.h \
	collector/inspect/moment.c collector/inspect/moment.h \
	collector/inspect/preflight.c collector/inspect/preflight.h
