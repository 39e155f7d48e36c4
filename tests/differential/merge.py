#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata merge` against cloud-init, on random requests.

usage: merge.py STRATA [--seed N] [--count N] [--jobs N] [--most N]

Needs the distribution's cloud-init (22.4.2) for this Python, which is asked in this process: its user-data processor, its handlers and its joining of
layers, in the order of its boot stages. strata runs once a case. What is compared: whether the whole fails, values with their types, the order of
keys, and that strata's warnings name each part that cloud-init skips. Each difference is shown shrunk, with the seed of its case; exit status 1 where
there is one. Left out on purpose, because strata departs from the reference there: characters beyond ASCII in messages without a transfer encoding, and what docs/cloud-init/fidelity.md says of YAML.
"""
import argparse
import base64
import collections
import copy
import gzip
import json
import logging
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import yaml
from cloudinit import handlers, helpers, user_data, util
from cloudinit.filters import launch_index
from cloudinit.handlers.cloud_config import CloudConfigPartHandler
from cloudinit.handlers.jinja_template import JinjaTemplatePartHandler
from cloudinit.settings import PER_ALWAYS, PER_INSTANCE
from cloudinit.url_helper import UrlError, read_file_or_url
from cloudinit.user_data import UserDataProcessor

from long_scalars import is_long, long_scalar
from yaml_reader import dump

# ---- random requests -------------------------------------------------------------------------------------------------------------------------------

KEYS = ["a", "b", "c", "l", "m", "t"]
ODD_KEYS = ["1", "1.0", "true", "null", "'1'", "2001-01-01", "x y", "launch-index", "conf_d", "vendor_data"]
TEXTS = ["", "x", "y", "xy", "é☃", "a b", "replace", "#x", "1", "{{ v1.region }}", "line\nline\n"]


def scalar(rng):
    import datetime
    if is_long(rng):
        return long_scalar(rng)
    return rng.choice([None, None, True, False, 0, 1, 2, -3, 1.0, 0.5, 10 ** 20, rng.choice(TEXTS), rng.choice(TEXTS), rng.choice(TEXTS), datetime.date(2001, 2, 3), b"\xff"])


def tree(rng, depth=3):
    kind = rng.randrange(10)
    if depth == 0 or kind < 3:
        return scalar(rng)
    if kind < 6:
        return [tree(rng, depth - 1) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    if kind == 9 and rng.random() < 0.15:
        return rng.choice([{"x", "y"}, [(1, 2)], set()])
    return {rng.choice(KEYS): tree(rng, depth - 1) for _ in range(rng.choice([0, 1, 2, 2, 3]))}


def flow(rng, value):
    """A value as YAML in one line."""
    text = yaml.dump(value, Dumper=yaml.SafeDumper, default_flow_style=True, width=10 ** 6, allow_unicode=rng.random() < 0.5, sort_keys=False)
    return text.replace("\n...\n", "").strip("\n")


WORDS = ["append", "prepend", "replace", "no_replace", "allow_delete", "recurse_dict", "recurse_list", "recurse_array", "recurse_str"]
NAMES = ["list", "dict", "str"]


def odd_case(rng, text):
    return rng.choice([text, text, text, text.upper(), text.title(), text.replace("_", "-"), " " + text, text + "  "])


def options(rng):
    return [rng.choice(WORDS) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]


def strategy_text(rng):
    pick = rng.random()
    if pick < 0.08:
        return rng.choice(["", " ", "+", " + + ", "list", "list(append", "list (append)", "1list()", "dict()x", "list[append]", "list(a+b)", "list(append),dict(recurse_list)",
                           "list((append))", "list('append')", "list(append=true)", "dict(a)b)", "set()", "m_m_list()", "_list()", "m_list(append)+m_dict(recurse_list)", "dict()dict()",
                           "list(append)\n+dict(recurse_list)", "dict(\n)", "list(append, )+dict(,recurse_list,)", "é()", "dict()\n", "()", "list(append)+dict(recurse_list)+"])
    names = [name for name in NAMES if rng.random() < 0.85] or ["dict"]
    rng.shuffle(names)
    if rng.random() < 0.08:
        names.append(rng.choice(NAMES))
    segments = []
    for name in names:
        words = ",".join(odd_case(rng, word) if rng.random() < 0.2 else word for word in options(rng) + (["oddly"] if rng.random() < 0.05 else []))
        segments.append((odd_case(rng, name) if rng.random() < 0.15 else name) + "(" + words + ")")
    return rng.choice(["+"] * 8 + [" + ", "++", " +"]).join(segments)


def strategy_list(rng):
    items = []
    for name in rng.sample(NAMES, rng.choice([1, 2, 3, 3])):
        words = options(rng)
        if rng.random() < 0.12:
            words.append(rng.choice([1, None, True, ["append"], {"append": 1}, " append", "Append", "recurse-list"]))
        pick = rng.random()
        if pick < 0.6:
            settings = words
            if rng.random() < 0.15:
                settings = rng.choice([",".join(map(str, words)), {str(word): False for word in words}, None, 1, True, "", {}, "no_replace", "x,append,y"])
            item = {"name": rng.choice([name] * 12 + [" " + name, name.title(), "m_" + name, "", "m-" + name, 1, None, "set"]), "settings": settings}
            if rng.random() < 0.05:
                del item[rng.choice(["name", "settings"])]
            if rng.random() < 0.05:
                item["other"] = 1
        elif pick < 0.95:
            item = [rng.choice([name] * 12 + [" " + name, name.title(), "m_" + name, "", 1])] + words
        else:
            item = rng.choice([[], "list", "", "d", None, 1, True, {}, [["list"]]])
        items.append(item)
    return items


def named_mergers(rng):
    """Lines of a body that name mergers, or nothing."""
    pick = rng.random()
    if pick < 0.35:
        return []
    if pick < 0.65:
        value = strategy_text(rng)
    elif pick < 0.92:
        value = strategy_list(rng)
    else:
        value = rng.choice([None, {}, [], {"name": "dict", "settings": []}, False, 0, 1, "", ["list", "dict"], True])
    key = rng.choice(["merge_how"] * 8 + ["merge_type"] * 4 + ["merge-how", "Merge_How"])
    lines = [f"{key}: {flow(rng, value)}"]
    if rng.random() < 0.08:
        lines.append(f"{rng.choice(['merge_type', 'merge_how'])}: {flow(rng, rng.choice([None, strategy_text(rng), strategy_list(rng)]))}")
    return lines


def body(rng, keys=KEYS):
    """The text of a cloud-config without its head."""
    pick = rng.random()
    if pick < 0.04:
        return rng.choice(["", "# only\n", "{}\n", "[1]\n", "text\n", "a: [\n", "a: 1\n\tb: 2\n", "a: 1\n---\nb: 2\n", "a: !x 1\n", "null\n", "a: *b\n", "a: 2001-02-31\n", "a: 1\na: 2\n", "1: 1\ntrue: 2\n",
                           "a: &x {p: 1}\nb: {<<: *x, q: 2}\nc: *x\n", "- a\n", "!!set {a, b}\n", "a: {b: 1, b: 2}\n", "\x07: 1\n", "a: '\n", "a: !!bool x\n"])
    lines = named_mergers(rng)
    for _ in range(rng.choice([0, 1, 2, 2, 3, 4])):
        key = rng.choice(keys) if rng.random() < 0.93 else rng.choice(ODD_KEYS)
        value = tree(rng)
        if rng.random() < 0.3 and isinstance(value, (list, dict)) and value:
            block = yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
            lines.append(f"{key}:\n" + "".join("  " + line + "\n" for line in block.splitlines()).rstrip("\n"))
        else:
            lines.append(f"{key}: {flow(rng, value)}")
    rng.shuffle(lines)
    return "\n".join(lines) + "\n"


def patch(rng):
    def pointer():
        return rng.choice(["", "/a", "/b", "/c", "/l", "/l/0", "/l/1", "/l/-", "/m/x", "/a/b", "/a/a", "/b/c", "/a~1b", "/t", "/l/01", "/l/-1", "/", "a", "/m~0", "/a/0/b", "/l/0/0"])
    operations = []
    for _ in range(rng.choice([0, 1, 1, 2, 3, 4])):
        op = rng.choice(["add", "add", "add", "replace", "remove", "move", "copy", "test"])
        operation = {"op": op, "path": pointer()}
        value = rng.choice([1, 1.0, True, None, "x", [1], {"x": 1}, [], {}, {"merge_how": "dict()"}, 10 ** 20])
        if op in ("add", "replace", "test") or rng.random() < 0.05:
            operation["value"] = value
        if op in ("move", "copy"):
            operation["from"] = pointer()
        if rng.random() < 0.04:
            operation.pop(rng.choice(list(operation)))
        if rng.random() < 0.03:
            operation[rng.choice(["op", "path", "from"])] = rng.choice([None, 1, "nope", []])
        operations.append(operation)
    text = json.dumps(rng.choice([operations] * 20 + [{}, None, "x", 1, [1], [None]]), indent=rng.choice([None, 2]))
    if rng.random() < 0.05:
        text = rng.choice(["", "[", "[{]", text + ",", text + " x", "- {op: add, path: /a, value: 1}", "// c\n" + text])
    return rng.choice(["#cloud-config-jsonp\n"] * 10 + ["#cloud-config-jsonp", "\n #cloud-config-jsonp\n", "#Cloud-Config-JSONP\n", "#cloud-config-jsonp # c\n"]) + text


def template(rng):
    lines = []
    for _ in range(rng.choice([1, 2, 3])):
        lines.append(rng.choice(["a: {{ v1.region }}", "b: {{ region }}", "l: [{% for x in items %}{{ x }},{% endfor %}]", "c: {{ unknown }}", "c: {{ v1.local_hostname }}", "{% if v1.region == 'eu' %}\nm: {x: 1}\n{% endif %}",
                                 "t: {{ ds.meta_data.name|upper }}", "a: {{ un.known.deep }}", "b: {{ v1.none }}", "b: {{ flag }}", "t: '{{ \"x\" ~ 1 + 2 }}'", "c: {{ b64 }}", "m: {{ v1 | tojson }}", "# {{ zone }}",
                                 "a: {{ 1 / 0 }}", "{% set q = [] %}{% do q.append(1) %}l: {{ q }}", "merge_how: {{ how }}"]))
    head = rng.choice(["## template: jinja\n"] * 12 + ["## template: jinja2\n", "## template:jinja\n", "## Template: Jinja\n", "##template: jinja\n", "## template: jinja \n"])
    marker = rng.choice(["#cloud-config\n"] * 12 + ["#!/bin/sh\n", "#cloud-boothook\n", "#cloud-config-jsonp\n", "#include\n", "", "\n#cloud-config\n", "{# c #}#cloud-config\n"])
    return head + marker + "\n".join(lines) + "\n"


def payload(rng, folder):
    """A text that is detected by its beginning."""
    pick = rng.random()
    if pick < 0.62:
        return rng.choice(["#cloud-config\n"] * 14 + ["#cloud-config x\n", "\n #Cloud-Config\n", "#CLOUD-CONFIG\n", "#cloud-config-foo\n"]) + body(rng)
    if pick < 0.72:
        return patch(rng)
    if pick < 0.80:
        return template(rng)
    if pick < 0.84:
        return rng.choice(["#!/bin/sh\necho\n", "#cloud-boothook\nx\n", "#!", "#!/usr/bin/env python\n"])
    if pick < 0.88:
        return rng.choice(["", "\n", "plain text\n", "---\n#cloud-config\na: 1\n", "# cloud-config\na: 1\n", "\ufeff#cloud-config\na: 1\n", "#upstart-job\nx\n", "#cloud_config\na: 1\n", "a: 1\n"])
    if pick < 0.95:
        return archive(rng)
    return include(rng, folder)


def include(rng, folder):
    lines = [rng.choice(["#include", "#include", "#include-once", "#Include"])]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        path = f"{folder}/inc{rng.randrange(4)}"
        lines.append(rng.choice(["", "", "", "", "  ", "#include ", "#include-once "]) + rng.choice(["", "file://", "file://"]) + path + rng.choice(["", "", " ", "\r"]))
        if rng.random() < 0.15:
            lines.append(rng.choice(["", "# comment", "  "]))
    if rng.random() < 0.03:
        lines.append(folder + "/missing")
    return "\n".join(lines) + "\n"


def archive(rng):
    entries = []
    for _ in range(rng.choice([0, 1, 2, 2, 3])):
        pick = rng.random()
        content = rng.choice([lambda: body(rng), lambda: "#cloud-config\n" + body(rng), lambda: patch(rng), lambda: template(rng), lambda: "#!/bin/sh\n", lambda: "#include /x\n", lambda: "plain"])()
        if pick < 0.3:
            entries.append(content)
            continue
        if pick < 0.36:
            entries.append(rng.choice([None, 1, ["x"], {}, {"content": b"#cloud-config\nb: 1\n"}, {"content": b"a: 1"}, {"content": "", "type": "text/cloud-config"}, {"type": "text/cloud-config"}]))
            continue
        entry = {"content": content}
        if rng.random() < 0.4:
            entry["type"] = rng.choice(["text/cloud-config"] * 4 + ["text/plain", "text/x-shellscript", "text/jinja2", "text/cloud-config-jsonp", "application/x-foo", "Text/Cloud-Config", "", None, "text/cloud-config; x=y"])
            if not str(entry["type"]).startswith("text/"):
                entry["content"] = content.encode("ascii", "replace").decode()  # Such entries are not encoded, and characters beyond ASCII are damaged.
        if rng.random() < 0.3:
            entry["filename"] = rng.choice(["f.cfg", "é.cfg", "a b.txt", 5, ""])
        if rng.random() < 0.2:
            entry["launch-index"] = rng.choice([0, 1, "1", "x", 1.0])
        if rng.random() < 0.3:
            entry[rng.choice(["Merge-Type"] * 3 + ["X-Merge-Type", "merge-type"])] = strategy_text(rng).replace("\n", " ")
        if rng.random() < 0.03:
            entry.pop("type", None)
            entry.update(rng.choice([{"content": None}, {"content": 1}, {"type": "nope"}, {"X-Other": 1}, {"X-Other": None}, {"content": {}}]))
        entries.append(entry)
    text = yaml.safe_dump(rng.choice([entries] * 15 + [{"a": 1}, "x", None]), sort_keys=False, allow_unicode=rng.random() < 0.5)
    if rng.random() < 0.03:
        text = "- [\n"
    return "#cloud-config-archive\n" + text


def is_ascii(text):
    return all(ord(c) < 128 for c in text)


def part(rng, folder, depth):
    """Header lines and body of one part of a message."""
    if depth > 0 and rng.random() < 0.12:
        return message(rng, folder, depth - 1, nested=True)
    text = payload(rng, folder) if rng.random() < 0.8 else body(rng)
    headers = []
    kind = rng.choice(["text/cloud-config"] * 6 + ["text/plain", "text/plain", None, "text/x-shellscript", "text/jinja2", "text/cloud-config-jsonp", "TEXT/Cloud-Config", "text/x-include-url", "text/cloud-config-archive", "application/gzip",
                                                  "application/octet-stream", "text/x-not-multipart", "nonsense", "text/html", "text/cloud-boothook", "text/x-shellscript-per-boot"])
    if kind == "application/gzip":
        text = text.encode("ascii", "replace").decode()
    data = text.encode()
    if kind == "application/gzip":
        data = gzip.compress(data, mtime=0) if rng.random() < 0.93 else rng.choice([b"", b"\x1f\x8bxx", data])
    name = f"p{rng.randrange(9)}.cfg" if rng.random() < 0.4 else None
    if kind is not None:
        extra = rng.choice(["", "", "", '; charset="utf-8"', "; charset=us-ascii", f'; name="{name}"' if name else ""])
        headers.append("Content-Type: " + kind + extra)
    if name and rng.random() < 0.7:
        headers.append(f'Content-Disposition: attachment; filename="{name}"')
    for header in ("Merge-Type", "X-Merge-Type"):
        if rng.random() < 0.18:
            headers.append(rng.choice([header] * 9 + [header.lower()]) + ": " + strategy_text(rng).replace("\n", rng.choice([" ", "\n "])))
    if rng.random() < 0.2:
        headers.append("Launch-Index: " + rng.choice(["0", "1", "2", " 1", "1.0", "one", ""]))
    if rng.random() < 0.1:
        headers.append("Number-Attachments: 3")
    encoding = rng.choice(["base64", "quoted-printable", "7bit", None, None, None])
    if kind == "application/gzip" or not is_ascii(text):
        encoding = "base64"
    if encoding == "base64":
        shown = base64.encodebytes(data).decode()
        if rng.random() < 0.03:
            shown = rng.choice(["!!!", shown[:-2], "é", shown + "x"]) if is_ascii(shown) else shown
            shown = shown.replace("é", "e")
    elif encoding == "quoted-printable":
        import quopri
        shown = quopri.encodestring(data).decode()
    else:
        shown = text
    if encoding:
        headers.append("Content-Transfer-Encoding: " + rng.choice([encoding] * 8 + [encoding.upper()]))
    rng.shuffle(headers)
    return "\n".join(headers) + "\n\n" + shown


def message(rng, folder, depth=2, nested=False):
    boundary = rng.choice(["==b1==", "bbb", "x y"]) + str(depth)
    head = [f'Content-Type: multipart/{rng.choice(["mixed", "mixed", "alternative", "x-odd"])}; boundary="{boundary}"']
    if not nested or rng.random() < 0.5:
        head.append(rng.choice(["MIME-Version: 1.0", "MIME-Version: 1.0", "mime-version: 1.0"]))
    if rng.random() < 0.1:
        head.append("Merge-Type: list(append)+dict(recurse_list)")
    if rng.random() < 0.08:
        head.append("Launch-Index: 1")
    text = "\n".join(head) + "\n\n" + rng.choice(["", "", "preamble\n"])
    for _ in range(rng.choice([0, 1, 2, 2, 3])):
        text += f"--{boundary}\n" + part(rng, folder, depth) + "\n"
    if rng.random() < 0.95:
        text += f"--{boundary}--\n"
    if rng.random() < 0.1:
        text += "epilogue\n"
    if not nested and rng.random() < 0.08:
        text = text.replace("\n", "\r\n")
    if not nested and rng.random() < 0.05:
        text = rng.choice(["From x\n", "\n", "X-Odd\n"]) + text
    return text


def single_message(rng, folder):
    return "MIME-Version: 1.0\n" + part(rng, folder, 0)


def blob(rng, folder):
    pick = rng.random()
    if pick < 0.62:
        data = payload(rng, folder).encode()
    elif pick < 0.9:
        data = message(rng, folder).encode()
    elif pick < 0.95:
        data = single_message(rng, folder).encode()
    else:
        data = rng.choice([b"", b"\xff\xfe", b"#cloud-config\na: \xff\n", b"#cloud-config\na: \xc3\xa9\n", b"\x1f\x8b\x08junk", b"#cloud-config\r\na: 1\r\nl: [1]\r\n", b"#cloud-config\n# MIME-Version: 1.0\na: 1\n"])
    if rng.random() < 0.06:
        data = gzip.compress(data, mtime=0) + (b"junk" if rng.random() < 0.15 else b"")
    return data


def base_text(rng):
    pick = rng.random()
    if pick < 0.08:
        return rng.choice(["", "# c\n", "[1]\n", "a: [\n", "text\n", "a: 1\n---\nb: 1\n"])
    text = "".join(line for line in [body(rng, KEYS)])
    if rng.random() < 0.25:
        gate = rng.choice(["vendor_data", "vendor_data2"])
        value = rng.choice([{"enabled": rng.choice([True, False, "yes", " On ", "1", 1, 1.0, 2, None, "no", [], "true"])}, None, False, [], "x", {}, 5, {"enabled": True, "disabled_handlers": rng.choice([["text/cloud-config"], "text/cloud-config", [], "x", None, ["text/cloud-config-jsonp"], {"text/cloud-config": 1}, 5, False])}])
        text += f"{gate}: {flow(rng, value)}\n"
    if rng.random() < 0.06:
        text += f"allow_userdata: {flow(rng, rng.choice([False, 'false', ' FALSE', True, None, 0, 'no', 'yes', 1, 'maybe', [], {}]))}\n"
    return text


def base_bytes(rng, text):
    if rng.random() < 0.97:
        return text.encode()
    text += rng.choice(["", "# é\n", "name: é\n"])
    return text.encode(rng.choice(["utf-16", "utf-8-sig", "latin-1"]), "replace")


def request(seed, folder):
    rng = random.Random(seed)
    case = {"user": [blob(rng, folder) for _ in range(rng.choice([1, 1, 2, 2, 3, 4]))], "vendor": None, "vendor2": None, "files": {}, "base": [], "instance": None, "index": None, "strategy": None}
    for number in range(4):
        data = blob(rng, folder) if rng.random() < 0.6 else (payload(rng, folder) if rng.random() < 0.5 else "#cloud-config\n" + body(rng)).encode()
        # Includes refer only to higher numbers, which avoids cycles.
        for other in range(number + 1):
            data = data.replace(f"{folder}/inc{other}".encode(), f"{folder}/inc9".encode())
        case["files"][f"inc{number}"] = data
    case["files"]["inc9"] = b"#cloud-config\nb: 9\n"
    layered = rng.random()
    if layered < 0.3:
        case["vendor"] = blob(rng, folder)
    if layered < 0.15:
        case["vendor2"] = blob(rng, folder)
    if layered < 0.45 and rng.random() < 0.75:
        for number in range(rng.choice([1, 1, 2])):
            name = f"base{number}.cfg"
            case["base"].append(name)
            if rng.random() < 0.95:
                text = base_text(rng)
                if rng.random() < 0.15:
                    text += "conf_d: " + rng.choice([f"{folder}/frag", f"' {folder}/frag '", f"{folder}/missing", "''", "null", "5", "[x]", "0", "{}"]) + "\n"
                case["files"][name] = base_bytes(rng, text)
            for fragment in rng.sample(["01.cfg", "9.cfg", "10.cfg", "a.cfg", "B.cfg", ".cfg", "x.CFG", "y.txt"], rng.choice([0, 0, 1, 2, 3])):
                case["files"][rng.choice([name + ".d/", "frag/"]) + fragment] = base_bytes(rng, base_text(rng))
        if rng.random() < 0.1:
            case["base"].append("frag")
            case["files"]["frag/00.cfg"] = base_bytes(rng, base_text(rng))
    if rng.random() < 0.7:
        data = {"v1": {"region": "eu", "local-hostname": "h", "none": None}, "ds": {"meta_data": {"name": "n"}}, "items": [1, 2], "flag": True, "how": "list(append)+dict(recurse_list)+str()", "region": rng.choice(["own", None]), "zone": "z",
                "v2": {"region": "us"}, "b64": "eA==", "base64-encoded-keys": ["b64"]}
        for key in rng.sample(list(data), 2):
            data.pop(key, None)
        case["instance"] = json.dumps(data).encode() if rng.random() < 0.96 else b"{"
    if rng.random() < 0.2:
        case["index"] = rng.choice(["0", "1", "2", "x"])
    return case


# ---- the reference ---------------------------------------------------------------------------------------------------------------------------------


class Records(logging.Handler):
    """What the reference warns of: the parts that it skipped, by name, and the types that it does not handle."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.skipped = []
        self.unhandled = []

    def emit(self, record):
        if record.msg.startswith("Failed at merging in cloud config part from"):
            self.skipped.append(record.args[0])
        elif record.msg.startswith("Ignoring jinja template for"):
            self.skipped.append(record.args[0])
        elif record.msg.startswith("Failed calling handler"):
            self.skipped.append(record.args[2])
        elif record.msg.startswith("Unhandled"):
            self.unhandled.append(record.args[0])


class Silent(handlers.Handler):
    """In place of the handlers that write scripts and run them."""

    def __init__(self, types):
        super().__init__(PER_ALWAYS)
        self.types = types

    def list_types(self):
        return self.types

    def handle_part(self, *args, **kwargs):
        pass


class Gathering(CloudConfigPartHandler):
    """Keeps what was gathered instead of writing it."""

    gathered = None

    def _write_cloud_config(self):
        self.gathered = self.cloud_buf


class Datasource:
    def get_instance_id(self):
        return "i"


def read_file(url, **kwargs):
    """Nothing is fetched over the network."""
    if not url.strip().lower().startswith(("/", "file://")):
        raise UrlError(cause=IOError("no network"))
    return read_file_or_url(url, **kwargs)


def consume(paths, processor, blobs, index=None, excluded=None):
    """The document of one source of user-data."""
    root = processor.process(blobs)
    if index is not None:
        root = launch_index.Filter(util.safe_int(index)).apply(root)
    config = Gathering(paths)
    scripts = Silent(["text/x-shellscript"])
    others = Silent(["text/x-shellscript-per-boot", "text/x-shellscript-per-instance", "text/x-shellscript-per-once", "text/cloud-boothook"])
    known = helpers.ContentHandlers()
    for handler in (config, scripts, others, JinjaTemplatePartHandler(paths=paths, sub_handlers=[config, scripts])):
        known.register(handler, overwrite=False)
    handlers.call_begin(config, None, PER_INSTANCE)
    data = {"handlers": known, "handlerdir": None, "data": None, "frequency": PER_INSTANCE, "handlercount": 0, "excluded": [] if excluded is None else excluded}
    handlers.walk(root, handlers.walker_callback, data)
    handlers.call_end(config, None, PER_INSTANCE)
    return config.gathered


def reference(case, folder):
    """("ok", value, records) or ("fatal", why, records)."""
    handlers.walker_handle_handler = lambda *args: None
    user_data.read_file_or_url = read_file
    records = Records()
    root = logging.getLogger("cloudinit")
    root.handlers = [records]
    root.setLevel(logging.WARNING)
    root.propagate = False
    run = os.path.join(folder, ".run")
    shutil.rmtree(run, ignore_errors=True)
    os.makedirs(run)
    paths = helpers.Paths({"cloud_dir": run, "run_dir": run, "templates_dir": run}, ds=Datasource())
    instance = None
    if case["instance"] is not None:
        instance = paths.get_runpath("instance_data_sensitive")
        with open(instance, "wb") as file:
            file.write(case["instance"])
    try:
        processor = UserDataProcessor(paths)
        built_in = {"vendor_data": {"enabled": True, "prefix": []}, "vendor_data2": {"enabled": True, "prefix": []}}
        bases = []
        for name in case["base"]:
            path = os.path.join(folder, name)
            bases.insert(0, util.read_conf_d(path, instance_data_file=instance) if os.path.isdir(path) else util.read_conf_with_confd(path, instance_data_file=instance))
        base = util.mergemanydict(copy.deepcopy(bases))
        system = util.mergemanydict(copy.deepcopy(bases) + [built_in])
        user = None
        if util.get_cfg_option_bool(system, "allow_userdata", True):
            user = consume(paths, processor, list(case["user"]), case["index"])
        if not case["base"] and case["vendor"] is None and case["vendor2"] is None:
            return "ok", {} if user is None else user, records
        user = user if isinstance(user, dict) else {}
        documents = []
        for key, name in (("vendor_data", "vendor"), ("vendor_data2", "vendor2")):
            document = None
            if case[name]:
                setting = util.mergemanydict([copy.deepcopy(user), copy.deepcopy(system)]).get(key, {})
                if isinstance(setting, dict) and util.is_true(setting.get("enabled")):
                    document = consume(paths, processor, case[name], excluded=setting.get("disabled_handlers"))
            documents.insert(0, document if isinstance(document, dict) else {})
        return "ok", util.mergemanydict([copy.deepcopy(user), *documents, base]), records
    except Exception as error:
        return "fatal", f"{type(error).__name__}: {error}", records


# ---- strata and the comparison ---------------------------------------------------------------------------------------------------------------------


def write_case(case, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, data in case["files"].items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    arguments = ["merge"]
    for name in ("vendor", "vendor2", "instance"):
        if case[name] is not None:
            path = os.path.join(folder, name + ".data")
            with open(path, "wb") as file:
                file.write(case[name])
            arguments += [{"vendor": "--vendor-data", "vendor2": "--vendor-data2", "instance": "--instance-data"}[name], path]
    for name in case["base"]:
        arguments += ["--base", os.path.join(folder, name)]
    if case["index"] is not None:
        arguments += ["--launch-index", case["index"]]
    for number, data in enumerate(case["user"]):
        path = os.path.join(folder, f"user{number}")
        with open(path, "wb") as file:
            file.write(data)
        arguments.append(path)
    return arguments


def strata(binary, arguments):
    return subprocess.run([binary, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)


def difference(binary, case, folder):
    """None, or how they differ: a short kind and the details."""
    arguments = write_case(case, folder)
    verdict, wanted, records = reference(case, folder)
    done = strata(binary, arguments)
    told = done.stderr.decode("utf-8", "replace")
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}", told
    if done.returncode == 1:
        if done.stdout:
            return "output although it fails", done.stdout
        if not re.search(r"(?m)^(?:.*: )?error: .*\[[a-z0-9.-]+\]$", told):
            return "fails without a message", told
        return None if verdict == "fatal" else ("only strata fails", told)
    if verdict == "fatal":
        if wanted.startswith("KeyError"):
            return None  # A tag that does not fit, in an archive or a base file: docs/cloud-init/fidelity.md.
        return "only the reference fails", wanted
    try:
        got = yaml.load(done.stdout.decode(), yaml.SafeLoader)
    except Exception as error:
        return "output that is no YAML", f"{error}\n{done.stdout!r}"
    if dump(got) != dump(wanted):
        kind = "another order" if dump_sorted(got) == dump_sorted(wanted) else "another value"
        codes = sorted(set(re.findall(r"(?m)warning: .*\[([a-z0-9.-]+)\]$", told)))
        return f"{kind}, with warnings {codes}", f"reference: {wanted!r}\nstrata:    {got!r}\n{told}"
    # What has no name of its own is called by its file, too: `user (part-001)`, `user[part-002]`.
    labels = re.findall(r"(?m)warning: (.*?) is skipped: ", told)
    named = collections.Counter(re.sub(r"^.*[\[(](part-\d+)[\])]$", r"\1", label) for label in labels)
    for name, times in collections.Counter(records.skipped).items():
        if named[name] < times:
            return "no warning of a skipped part", f"{name}: {told!r}"
    for name, times in named.items():
        # A template that comes to nothing is ignored in silence by the reference.
        if collections.Counter(records.skipped)[name] < times and "template" not in told:
            codes = sorted(set(re.findall(r"(?m)warning: .*\[([a-z0-9.-]+)\]$", told)))
            return f"a warning of a part that is not skipped, with {codes}", f"{name}: {told!r}"
    for kind in records.unhandled:
        if f"no handler for the type {kind} " not in told:
            return "no warning of an unhandled part", f"{kind}: {told!r}"
    return None


def dump_sorted(value):
    if isinstance(value, dict):
        return "{" + ",".join(sorted(dump(key) + ":" + dump_sorted(item) for key, item in value.items())) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dump_sorted(item) for item in value) + "]"
    return dump(value)


def smaller(case):
    """Cases with one thing less."""
    for index in range(len(case["user"])):
        yield {**case, "user": case["user"][:index] + case["user"][index + 1:]}
    for key in ("vendor", "vendor2", "instance", "index"):
        if case[key] is not None:
            yield {**case, key: None}
    for index in range(len(case["base"])):
        yield {**case, "base": case["base"][:index] + case["base"][index + 1:]}
    for name in case["files"]:
        yield {**case, "files": {key: data for key, data in case["files"].items() if key != name}}


def smaller_texts(case, key, data, rebuild, check):
    size = max(1, len(data) // 2)
    while size:
        where = 0
        while where < len(data):
            shorter = data[:where] + data[where + size:]
            candidate = rebuild(shorter)
            if check(candidate):
                data = shorter
                case = candidate
            else:
                where += size
        size //= 2
    return case


def shrink(binary, case, folder, kind):
    def check(candidate):
        try:
            found = difference(binary, candidate, folder)
        except subprocess.TimeoutExpired:
            return False
        return found is not None and found[0] == kind
    progress = True
    while progress:
        progress = False
        for candidate in smaller(case):
            if check(candidate):
                case = candidate
                progress = True
                break
    for index in range(len(case["user"])):
        case = smaller_texts(case, "user", case["user"][index], lambda data, index=index, case=case: {**case, "user": case["user"][:index] + [data] + case["user"][index + 1:]}, check)
    for key in ("vendor", "vendor2"):
        if case[key]:
            case = smaller_texts(case, key, case[key], lambda data, key=key, case=case: {**case, key: data}, check)
    for name in list(case["files"]):
        case = smaller_texts(case, name, case["files"][name], lambda data, name=name, case=case: {**case, "files": {**case["files"], name: data}}, check)
    return case


def work(task):
    binary, seed, first, last, most = task
    found = []
    with tempfile.TemporaryDirectory(prefix="merge") as folder:
        folder = os.path.join(folder, "c")
        for number in range(first, last):
            case_seed = seed * 1_000_000 + number
            case = request(case_seed, folder)
            problem = difference(binary, case, folder)
            if problem is None:
                continue
            case = shrink(binary, case, folder, problem[0])
            kind, details = difference(binary, case, folder)
            shown = {key: value for key, value in case.items() if value not in (None, [], {})}
            found.append(f"case {case_seed}: {kind}\n  {shown!r}\n  {details}")
            print(found[-1], flush=True)
            if len(found) >= most:
                break
    return len(found), number + 1 - first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--most", type=int, default=10, help="differences to show, a job")
    options = parser.parse_args()
    share = -(-options.count // options.jobs)
    tasks = [(options.binary, options.seed, start, min(start + share, options.count), options.most) for start in range(0, options.count, share)]
    if len(tasks) == 1:
        results = [work(tasks[0])]
    else:
        with multiprocessing.Pool(options.jobs) as pool:
            results = pool.map(work, tasks)
    differences = sum(result[0] for result in results)
    print(f"seed {options.seed}: {sum(result[1] for result in results)} cases, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
