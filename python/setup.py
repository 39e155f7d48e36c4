# SPDX-License-Identifier: Apache-2.0
"""The extension of the module; all else is in pyproject.toml."""
from setuptools import setup

setup(cffi_modules=["build_ffi.py:ffi"], options={"bdist_wheel": {"py_limited_api": "cp39"}})
