# SPDX-License-Identifier: Apache-2.0
# Into a running process; a part of collect.
attach_sources = \
	collector/attach/apart.c collector/attach/apart.h \
	collector/attach/attach.c collector/attach/attach.h \
	collector/attach/attach_state.c collector/attach/attach_state.h \
	collector/attach/debugger.c collector/attach/debugger.h \
	collector/attach/image.c collector/attach/image.h \
	collector/attach/inject.c collector/attach/inject.h \
	collector/attach/proc.c collector/attach/proc.h \
	collector/attach/refuse.c collector/attach/refuse.h \
	collector/attach/sandbox.c collector/attach/sandbox.h \
	collector/attach/stub.h collector/attach/stub_x86_64.c \
	collector/attach/tracee.c collector/attach/tracee.h \
	collector/attach/walk.c collector/attach/walk.h

# gdb's command `collector`: a file to source, and where gdb looks for it by itself when
# a process has libcollector.so.
dist_pkgdata_DATA = collector/attach/ertools-gdb.py
install-data-hook:
	$(MKDIR_P) "$(DESTDIR)$(datadir)/gdb/auto-load$(pkglibdir)"
	cd "$(DESTDIR)$(datadir)/gdb/auto-load$(pkglibdir)" && \
		rm -f libcollector.so-gdb.py && \
		ln -s "$(pkgdatadir)/ertools-gdb.py" libcollector.so-gdb.py
uninstall-hook:
	rm -f "$(DESTDIR)$(datadir)/gdb/auto-load$(pkglibdir)/libcollector.so-gdb.py"
