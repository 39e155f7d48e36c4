# SPDX-License-Identifier: Apache-2.0
"""An external pillar of Salt: minions get the results of a project of strata. Manual: docs/integrations/salt.md.

    ext_pillar:
      - strata_pillar: {project: '@fleet', folder: /srv/control}
"""
import collections.abc
import json
import math
import os
import subprocess

__virtualname__ = "strata_pillar"

# Names that no fact may have (facts.name in docs/errors.md); digits alone are none, either.
NO_FACTS = frozenset(("name", "title", "module_name", "facts", "trusted", "server_facts"))


def __virtual__():
    return __virtualname__


def _texts(members):
    """Texts that the program marks for other readers are texts here."""
    return members["__ansible_unsafe"] if set(members) == {"__ansible_unsafe"} else members


def _text(value):
    """A text that has a form in JSON: what is no UTF-8 is replaced."""
    text = value.decode("utf-8", "replace") if isinstance(value, (bytes, bytearray)) else str(value)
    return text.encode("utf-8", "replace").decode("utf-8")


def _data(value):
    """What JSON can say of a grain. Whatever its kind is, a minion gets its pillar."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        # JSON has no other numbers. In a path they are written as Puppet writes them.
        return value if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, collections.abc.Mapping):
        return {_text(key): _data(member) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_data(item) for item in value]
    return _text(value)


def _facts(minion_id, grains):
    """The facts of a minion: its grains, but for those that no fact can be."""
    known = {name: member for name, member in _data(grains).items() if name not in NO_FACTS and not (name.isascii() and name.isdigit())}
    # strata wants all names of a node or none. Salt calls the first one `host`; no minion may choose the last one.
    return {"hostname": known.get("host", ""), "domain": "", "fqdn": "", **known, "clientcert": minion_id}


def ext_pillar(minion_id, pillar, project="@fleet", folder=None, program="strata", grains=True, origins=False, under=None):
    """The pillar of a minion.

    project: the question, @NAME of .strata.yaml. folder: that of the project. grains: whether the minion is a node whose facts are its grains; otherwise
    it is a subject of the project, and unknown ones get nothing. origins: whether strata_origins says for each path where its value is written. under:
    the name in the pillar below which everything stands.
    Raises RuntimeError with the message of strata, which Salt shows in its log.
    """
    words = [program, "ansible-inventory", *(["--host", minion_id] if grains else ["--list"]), *(["--origins"] if origins else []), project]
    nodes = b""
    if grains:
        words += ["--nodes", "-"]
        nodes = json.dumps([{"name": minion_id, "facts": _facts(minion_id, __grains__), "trusted": {"certname": minion_id}}]).encode()
    try:
        done = subprocess.run(words, cwd=folder, input=nodes, capture_output=True, check=False)
    except OSError as error:
        raise RuntimeError(f"strata: {program} cannot be started in {folder or os.getcwd()}: {error.strerror}") from error
    if done.returncode != 0:
        raise RuntimeError("strata: " + done.stderr.decode("utf-8", "replace").strip())
    found = json.loads(done.stdout, object_hook=_texts)
    values = found if grains else found["_meta"]["hostvars"].get(minion_id, {})
    return {under: values} if under else values
