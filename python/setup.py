# SPDX-License-Identifier: Apache-2.0
"""The extension of the module; all else is in pyproject.toml."""
import importlib.util
import sys

from setuptools import setup

# Without cffi, setuptools would ignore `cffi_modules` and make a wheel that cannot be imported.
if importlib.util.find_spec("cffi") is None:
    sys.exit("strata-layers needs cffi to be built, and this Python has none: install it (Debian: apt install python3-cffi; elsewhere: python3 -m pip install "
             "cffi), or let pip fetch it, without --no-build-isolation")

setup(cffi_modules=["build_ffi.py:ffi"], options={"bdist_wheel": {"py_limited_api": "cp39"}})
