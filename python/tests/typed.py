# SPDX-License-Identifier: Apache-2.0
"""What a checker of types must say; check.py runs mypy over it, and nobody runs it."""
from typing import Iterator, Union, assert_type

import strata_layers as strata


def all_of(fleet: strata.Project, either: bool) -> None:
    assert_type(fleet.all(), Iterator[tuple[str, strata.Result]])
    assert_type(fleet.all("a", history=True), Iterator[tuple[str, strata.Result]])
    assert_type(fleet.all(iter(["a"]), errors=False), Iterator[tuple[str, strata.Result]])
    assert_type(fleet.all("a", errors=True, history=True), Iterator[tuple[str, Union[strata.Result, strata.Error]]])
    assert_type(fleet.all("a", errors=either), Iterator[tuple[str, Union[strata.Result, strata.Error]]])
