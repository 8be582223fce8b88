# SPDX-License-Identifier: MIT
"""A fixture for pytest: `pytest_plugins = ["pcounter.testing"]` in conftest.py."""
from __future__ import annotations

from typing import Callable

import pytest

from ._gpu import Gpu


@pytest.fixture
def gpu() -> Callable[..., Gpu]:
    """Makes a device: gpu("G92", ptimer=True)."""
    return Gpu
