# SPDX-License-Identifier: Apache-2.0
vm_sources = collector/vm/hotspot_layout.c collector/vm/hotspot_layout.h \
	collector/vm/java.c collector/vm/java.h \
	collector/vm/java_agent.c collector/vm/java_agent.h \
	collector/vm/java_code.c collector/vm/java_code.h \
	collector/vm/java_late.c collector/vm/java_late.h \
	collector/vm/java_listen.c collector/vm/java_listen.h \
	collector/vm/java_method.c collector/vm/java_method.h \
	collector/vm/java_lock.c collector/vm/java_lock.h \
	collector/vm/java_name.c collector/vm/java_name.h \
	collector/vm/java_object.c collector/vm/java_object.h \
	collector/vm/java_thread.c collector/vm/java_thread.h \
	collector/vm/jvmti.h collector/vm/scratch.c collector/vm/scratch.h
