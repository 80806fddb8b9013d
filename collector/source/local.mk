# SPDX-License-Identifier: Apache-2.0
source_sources =
