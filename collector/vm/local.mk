# SPDX-License-Identifier: Apache-2.0
vm_sources = collector/vm/hotspot_layout.c collector/vm/hotspot_layout.h \
	collector/vm/java.c collector/vm/java.h
