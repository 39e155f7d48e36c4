"""An external pillar of Salt: minions get the results of a project of strata. Manual: docs/integrations/salt.md.

    ext_pillar:
      - strata_pillar: {project: '@fleet', folder: /srv/control}
"""
import json
import os
import subprocess

__virtualname__ = "strata_pillar"


def __virtual__():
    return __virtualname__


def _texts(members):
    """Texts that the program marks for other readers are texts here."""
    return members["__ansible_unsafe"] if set(members) == {"__ansible_unsafe"} else members


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
        nodes = json.dumps([{"name": minion_id, "facts": dict(__grains__), "trusted": {"certname": minion_id}}], default=str).encode()
    try:
        done = subprocess.run(words, cwd=folder, input=nodes, capture_output=True, check=False)
    except OSError as error:
        raise RuntimeError(f"strata: {program} cannot be started in {folder or os.getcwd()}: {error.strerror}") from error
    if done.returncode != 0:
        raise RuntimeError("strata: " + done.stderr.decode("utf-8", "replace").strip())
    found = json.loads(done.stdout, object_hook=_texts)
    values = found if grains else found["_meta"]["hostvars"].get(minion_id, {})
    return {under: values} if under else values
