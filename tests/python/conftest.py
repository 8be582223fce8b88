# SPDX-License-Identifier: MIT
pytest_plugins = ["pcounter.testing"]
