#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the parts that strata reads out of random blobs with those that cloud-init reads.

usage: mime.py LIST_PARTS [--seed N] [--count N] [--keep FOLDER] [--only SEED]

Needs cloud-init's Python package (Debian: cloud-init 22.4). Every case has a seed of its own, which is printed where the two differ; `--only SEED` runs
that one alone. Left out on purpose: what strata reads otherwise (docs/cloud-init/fidelity.md): unencoded characters beyond ASCII in messages, relative
paths without `file:`, content of archive entries that is no text.
"""
import argparse
import base64
import email
import gzip
import json
import logging
import os
import random
import subprocess
import sys
import tempfile

import yaml
from cloudinit import handlers, user_data
from cloudinit.filters import launch_index
from cloudinit import util
from cloudinit.url_helper import read_file_or_url

logging.disable(logging.CRITICAL)

TYPES = ["text/cloud-config", "text/plain", "text/x-shellscript", "text/x-not-multipart", "text/jinja2", "text/x-include-url", "text/x-include-once-url",
         "text/cloud-config-archive", "application/octet-stream", "application/gzip", "application/x-gzip", "text/html", "Text/Cloud-Config", "text",
         "", "text/", "a/b/c", " text/plain ", "message/rfc822", "message/delivery-status", "message/partial", "multipart/mixed", "x/y;z", "text /plain"]
MARKERS = ["#cloud-config", "#Cloud-Config", "#!/bin/sh", "#cloud-config-archive", "#cloud-config-jsonp", "## template: jinja", "#include", "#include-once",
           "#part-handler", "#cloud-boothook", "# cloud-config", "---", "", "text/x-shellscript-per-boot", "#upstart-job", "#cloud-confi", "\n\n #cloud-config",
           "\x1f#cloud-config", "\u2028#cloud-config", "#cloud-boothoo\u212a", "\ufeff#cloud-config"]
LINES = ["a: 1", "b: [1, 2]", "", " ", "foo", "key: value", "--", "--B", "--B--", "--X", "From me", "\tx", "=3D", "a=", "- x", "\x0c", "launch-index: 1", "x=\t",
         "launch-index: foo", "mime-version: 1.0", ": x", "=a=3d=", "a;b", "\x00"]
NAMES = ["Merge-Type", "merge-type", "X-Merge-Type", "Launch-Index", "launch-index", "Content-Disposition", "MIME-Version", "X-Foo", "Number-Attachments",
         "content-type", "Content-Transfer-Encoding"]
FILE_NAMES = ["a.txt", "a b", '"a;b"', '"a\\"b"', '"a\\\\b"', "<x>", '"<x>"', '""', "", " c ", '" d "', "a;b", '"x', 'x"', "'q'", "=?utf-8?q?=41?=", '"a\n b"', "é.txt",
              '"é;"', '"\\"e\\""', '"a=b"']
MERGES = ["list(append)+dict(recurse_array)", "dict(replace)+\n list(append)", "", "  spaced  ", "é", "a\r\n\tb"]


class Generator:
    def __init__(self, seed, folder):
        self.r = random.Random(seed)
        self.folder = folder
        self.files = {}
        self.budget = 12

    def chance(self, p):
        return self.r.random() < p

    def pick(self, values):
        return self.r.choice(values)

    # Texts.

    def text(self):
        lines = []
        if self.chance(0.75):
            lines.append(self.pick(MARKERS) + self.pick(["", "", "", " ", "-x", ": y"]))
        lines += [self.pick(LINES) for _ in range(self.r.randrange(4))]
        text = self.pick(["\n", "\n", "\n", "\r\n", "\r"]).join(lines) + self.pick(["\n", "\n", "\n\n", "", "\r\n"])
        return text

    def content(self):
        kind = self.r.random()
        if kind < 0.62 or self.budget <= 0:
            return self.text()
        self.budget -= 1
        if kind < 0.75:
            return self.include()
        if kind < 0.9:
            return self.archive()
        return self.text() + self.text()

    def include(self):
        lines = [self.pick(["#include", "#include-once", "#INCLUDE", "\n#include", "  #include"]) + self.pick(["", "", " ", " # note"])]
        for _ in range(self.r.randrange(3)):
            lines.append(self.pick(["", " ", "\t"]) + self.location() + self.pick(["", " ", "\t "]))
            if self.chance(0.3):
                lines.append(self.pick(["# comment", "", "#include-once", "#include " + self.location(), "#include-once" + self.location(), "\x85", " # x"]))
        return self.pick(["\n", "\n", "\r\n", "\x0b", "\u2028"]).join(lines) + "\n"

    def location(self):
        if self.chance(0.06):
            return self.pick(["/does/not/exist", "file:///nope/nope", "#x"])
        name = "f%d" % len(self.files)
        self.files[name] = b""
        self.files[name] = self.blob()
        return self.pick(["file://%s/%s", "%s/%s", "FILE://%s/%s"]) % (self.folder, name)

    def archive(self):
        entries = []
        for _ in range(self.r.randrange(4)):
            if self.chance(0.3):
                entries.append(self.pick([self.printable(), "a: 1", 5, None, ["x"], 1.5, "é: ü\n"]))
                continue
            entry = {}
            if self.chance(0.9):
                entry["content"] = self.pick([self.printable(), "#cloud-config\na: é\n", "x", "#!/bin/sh\n", ""])
            if self.chance(0.05):
                entry["content"] = self.printable().encode()
            if self.chance(0.5):
                types = [t for t in TYPES if not t.lower().startswith(("message", "multipart"))]
                entry["type"] = self.pick(types + [None, 0, "foo"]) if self.chance(0.2) else self.pick(["text/cloud-config", "text/x-shellscript", "text/plain",
                                                                                                           "text/jinja2", "multipart/mixed", "text/x-include-url"])
                if not str(entry["type"]).startswith("text/") and isinstance(entry.get("content"), str) and not entry["content"].isascii():
                    entry["content"] = "ascii"
            for key, values in (("filename", ["a.txt", "a b", 'q"uo\\te', "", 5, None, True, "é", "<x>", " s ", "a\nb", "'"]),
                                ("launch-index", [0, 1, "1", "x", " 1 ", True]),
                                ("Merge-Type", MERGES), ("merge-type", MERGES), ("X-Foo", ["y", None]), ("Content-Transfer-Encoding", ["base64", "7bit"]),
                                ("Content-Type", ["a/b"]), ("MIME-Version", ["2.0"]), ("x-bad", [1, "ok", "ok", "ok", "ok"])):
                if self.chance(0.15):
                    entry[key] = self.pick(values)
            if self.chance(0.01):
                entry[5] = "x"
            entries.append(entry)
        if self.chance(0.05):
            return "#cloud-config-archive\n" + self.pick(["[", "a: 1", "", "5", "- [\n", "!!set {a: , b: }\n" if False else "~"])
        if self.chance(0.2) and all(isinstance(e, str) for e in entries):
            pass
        style = self.pick([None, "|", '"', "'", ">"])
        return "#cloud-config-archive\n" + yaml.safe_dump(entries, default_style=style if self.chance(0.4) else None, allow_unicode=self.chance(0.7),
                                                         default_flow_style=self.pick([None, False, True]))

    def printable(self):
        return "".join(c for c in self.text() if c not in "\x00")

    # Messages.

    def header_lines(self, is_top, payload_type):
        lines = []
        eol = self.eol
        if is_top and self.chance(0.95):
            lines.append(self.pick(["MIME-Version: 1.0", "mime-version: 1.0", "MIME-Version:1"]))
        if payload_type is not None:
            lines.append(self.pick(["Content-Type: ", "Content-Type: ", "content-type:", "Content-Type:\t"]) + payload_type)
        for _ in range(self.r.randrange(3)):
            if self.chance(0.5):
                continue
            name = self.pick(NAMES)
            value = self.pick(["x", "", "1", " 1 ", "a; b"])
            if "erge" in name:
                value = self.pick(MERGES)
            elif "aunch" in name:
                value = self.pick(["0", "1", " 1", "+1", "1_0", "x", "", "01"])
            elif name == "Content-Disposition":
                value = self.disposition()
            elif name == "content-type":
                value = self.pick(TYPES)
            elif "Transfer" in name:
                value = self.pick(["7bit", "8bit", "base64", "binary"])
            lines.append(name + self.pick([": ", ":", ":  "]) + value)
        self.r.shuffle(lines)
        if self.chance(0.06):
            lines.insert(self.r.randrange(len(lines) + 1), self.pick(["no colon here", " fold", "\tfold", ":", ": x", "From a b", "bad name: x", "=: y", "\x7f: z", "a:b:c"]))
        return [line.replace("\n", eol) if self.chance(0.9) else line for line in lines]

    def disposition(self):
        kind = self.r.random()
        prefix = self.pick(["attachment; ", "attachment;", "inline ; ", "", "attachment; x=y; "])
        if kind < 0.6:
            return prefix + self.pick(["filename=", "FileName=", "filename = ", "filename"]) + self.pick(FILE_NAMES)
        charset = self.pick(["utf-8", "us-ascii", "iso-8859-1", "UTF8", "nope", "", "latin-1", "cp1252", "koi8-r"])
        raw = self.pick(["%41b", "%C3%A9", "%ff%fex", "a'b", "%zz", "é", "€", '"%41"', "", "%e2%82", "%22q%22", "%5C%22", "%F0%9F%98%80%f0%9f"])
        if kind < 0.8:
            value = raw if self.chance(0.2) else "%s'%s'%s" % (charset, self.pick(["", "en"]), raw)
            return prefix + "filename*=" + value
        pieces = ["filename*0%s=%s" % (self.pick(["", "*"]), self.pick([raw, "utf-8''" + raw, '"a b"'])), "filename*1%s=%s" % (self.pick(["", "*"]), raw)]
        if self.chance(0.3):
            pieces.append("filename*10=z")
        self.r.shuffle(pieces)
        return (prefix or "attachment; ") + "; ".join(pieces)

    def encode(self, text):
        """A body in a transfer encoding, and the value of the header; none of it beyond ASCII."""
        data = text if isinstance(text, bytes) else text.encode()
        plain = data.decode("ascii", "ignore").encode() if not isinstance(text, bytes) else None
        if plain is not None and self.chance(0.5):
            return plain.decode(), self.pick([None, None, None, "7bit", "8bit", "BASE65", "base64 ", "quoted-printable;"])
        kind = self.r.random()
        if kind < 0.6:
            body = base64.encodebytes(data).decode() if self.chance(0.8) else base64.b64encode(data).decode()
            if self.chance(0.25):
                body = self.damage(body)
            return body, self.pick(["base64", "base64", "BASE64", "Base64"])
        if kind < 0.85:
            import quopri
            body = quopri.encodestring(data).decode("latin-1")
            if self.chance(0.3):
                body = self.damage(body)
            return body, self.pick(["quoted-printable", "Quoted-Printable"])
        import binascii
        lines = [binascii.b2a_uu(data[i:i + 45]).decode() for i in range(0, len(data), 45)]
        body = self.pick(["", "junk\n"]) + "begin " + self.pick(["644", "0o7", "x"]) + " f\n" + "".join(lines) + self.pick([" \nend\n", "`\nend\n", "end\n", ""])
        if self.chance(0.3):
            body = self.damage(body)
        return body, self.pick(["uuencode", "x-uuencode", "UUE", "x-uue"])

    def damage(self, body):
        for _ in range(self.r.randrange(1, 4)):
            at = self.r.randrange(len(body) + 1)
            kind = self.r.randrange(3)
            if kind == 0:
                body = body[:at] + body[at + 1:]
            elif kind == 1:
                body = body[:at] + self.pick(["=", "!", " ", "A", "\n", "==", "-"]) + body[at:]
            else:
                body = body[:at]
        return body

    def content_type(self, type_):
        if self.chance(0.3):
            type_ += self.pick(["; ", ";", " ;"]) + self.pick(['charset="utf-8"', "name=x.cfg", 'name="a b"', "charset=us-ascii; name*=utf-8''%41", "x", "name=<y>"])
        return type_

    def entity(self, depth, is_top=False):
        """A message or a part: headers, the line between, and a body."""
        self.budget -= 1
        if depth > 0 and self.budget > 0 and self.chance(0.75 if is_top else 0.25):
            return self.multipart(depth, is_top)
        if depth > 0 and self.budget > 0 and self.chance(0.07):
            type_ = self.pick(["message/rfc822", "message/rfc822", "Message/RFC822", "message/partial", "message/delivery-status"])
            return self.join(self.header_lines(is_top, type_), self.entity(depth - 1))
        type_ = self.pick(TYPES[:12]) if self.chance(0.8) else self.pick(TYPES)
        if self.chance(0.15):
            type_ = None
        data = self.content()
        if type_ is not None and "gzip" in type_:
            data = self.gzipped(data)
        body, encoding = self.encode(data)
        lines = self.header_lines(is_top, None if type_ is None else self.content_type(type_))
        if encoding is not None:
            lines.append(self.pick(["Content-Transfer-Encoding: ", "content-transfer-encoding:"]) + encoding)
        return self.join(lines, body)

    def gzipped(self, data):
        data = data.encode("ascii", "ignore") if isinstance(data, str) else data
        if self.chance(0.05):
            return data
        packed = gzip.compress(data, mtime=0)
        kind = self.r.random()
        if kind < 0.08:
            packed += gzip.compress(b"more: 1\n")
        elif kind < 0.12:
            packed += b"\0\0\0"
        elif kind < 0.15:
            packed += b"junk"
        elif kind < 0.18:
            packed = packed[:self.r.randrange(len(packed))]
        elif kind < 0.2:
            at = self.r.randrange(len(packed))
            packed = packed[:at] + bytes([packed[at] ^ 1 << self.r.randrange(8)]) + packed[at + 1:]
        elif kind < 0.22:
            packed = gzip.compress(data + b"\xff\xfe")
        return packed

    def multipart(self, depth, is_top):
        boundary = self.pick(["B", "BB", "==x==", "B--", "a b", "", "X", "-", "B'(+_,./:=?"])
        written = self.pick(["%s", '"%s"', '"%s "', '"%s"']) % boundary if " " not in boundary else '"%s"' % boundary
        parameter = self.pick(["boundary=", "Boundary=", "boundary = ", "charset=x; boundary=", "\n boundary="]) + written
        if self.chance(0.04):
            parameter = self.pick(["", "bound=" + boundary, "boundary*=utf-8''%42", "boundary*0=B; boundary*1=B", "boundary"])
        type_ = self.pick(["multipart/mixed", "multipart/mixed", "multipart/alternative", "Multipart/Digest", "multipart/x"]) + "; " + parameter
        lines = self.header_lines(is_top, type_)
        eol = self.eol
        out = self.pick(["", "", "preamble" + eol, self.text()])
        if self.chance(0.05):
            boundary = boundary[:-1]
        out = out.encode("ascii", "ignore").decode()
        if out and not out.endswith(("\n", "\r")):
            out += eol
        for _ in range(self.r.randrange(1, 5)):
            out += "--" + boundary + self.pick(["", "", "", "", " ", "\t ", "x"] if self.chance(0.3) else [""]) + eol
            if self.chance(0.04):
                out += "--" + boundary + self.pick(["", "--"]) + eol
            out += self.entity(depth - 1)
            if self.chance(0.9):
                out += eol
        if self.chance(0.85):
            out += "--" + boundary + "--" + self.pick(["", eol, eol + "epilogue" + eol, " " + eol, eol + eol])
        return self.join(lines, out)

    def join(self, lines, body):
        between = self.eol if self.chance(0.95) else self.pick(["", self.eol + self.eol, " " + self.eol])
        return self.eol.join(lines + [""]) + between + body

    def message(self):
        self.eol = self.pick(["\n", "\n", "\n", "\r\n"]) if self.chance(0.97) else "\r"
        text = self.entity(self.r.randrange(4), is_top=True)
        if self.chance(0.03):
            text = "From me@x Mon" + self.eol + text
        if self.chance(0.02):
            text = self.eol + text
        if self.chance(0.08):
            text = text[:self.r.randrange(len(text) + 1)]
        data = text.encode()
        return data

    def blob(self):
        self.eol = "\n"
        kind = self.r.random()
        if kind < 0.55 and self.budget > 0:
            self.budget -= 1
            data = self.message()
        elif kind < 0.97:
            data = self.content().encode()
        else:
            data = bytes(self.r.randrange(256) for _ in range(self.r.randrange(40)))
        if self.chance(0.1):
            data = self.gzipped(data)
        if self.chance(0.02):
            data = b"\xff" + data
        return data


def read_file(url, **options):
    """The reference's reading of files, without its patience with the network."""
    if not url.lstrip().lower().startswith(("/", "file://")):
        raise IOError("not a file")
    return read_file_or_url(url, **options)


def expected(blobs, index):
    """What the reference hands to its handlers."""
    with tempfile.TemporaryDirectory() as cache:
        class Paths:
            def get_ipath_cur(self, name=None):
                return cache

            def get_ipath(self, name=None):
                return cache

        util.fetch_ssl_details = lambda paths: None
        user_data.read_file_or_url = read_file
        result = []

        def callback(data, filename, payload, headers):
            if isinstance(payload, str):
                payload = payload.encode("utf-8", "surrogateescape")
            result.append([headers["Content-Type"], filename, base64.b64encode(payload or b"").decode(), headers.get("Merge-Type")])

        message = user_data.UserDataProcessor(Paths()).process(blobs)
        wanted = util.safe_int(index) if index != "-" else None
        message = launch_index.Filter(wanted).apply(message)
        handlers.walk(message, callback, None)
        return result


def is_deviation(blobs, files):
    """Whether a case holds what strata reads otherwise on purpose: characters beyond ASCII, unencoded, in a message."""
    for data in list(blobs) + list(files):
        try:
            data = gzip.decompress(data)
        except Exception:
            pass
        if b"mime-version:" in data[:4096].lower():
            try:
                text = data.decode()
            except UnicodeDecodeError:
                continue
            for part in email.message_from_string(text).walk():
                payload = part.get_payload()
                if isinstance(payload, str) and not payload.isascii():
                    return True
                if part.get_content_type() in user_data.DECOMP_TYPES and isinstance(payload, str):
                    try:
                        if not gzip.decompress(part.get_payload(decode=True)).isascii():
                            return True
                    except Exception:
                        pass
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--stop", type=int, default=10, help="differences to show before giving up")
    options = parser.parse_args()
    strata = subprocess.Popen([options.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    differences = skipped = fatal = parts = 0
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.count)
    print("seeds %d to %d" % (seeds[0], seeds[-1]))
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            generator = Generator(seed, folder)
            blobs = [generator.blob() for _ in range(generator.pick([1, 1, 1, 2, 3]))]
            index = generator.pick(["-", "-", "-", "1", "0"])
            if is_deviation(blobs, generator.files.values()):
                skipped += 1
                continue
            names = []
            for i, blob in enumerate(blobs):
                names.append("blob%d" % i)
                generator.files[names[-1]] = blob
            for name, data in generator.files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                for name, data in generator.files.items():
                    with open(os.path.join(options.keep, name), "wb") as file:
                        file.write(data)
            try:
                want = expected(blobs, index)
            except Exception as error:  # pylint: disable=broad-except
                want = "%s: %s" % (type(error).__name__, error)
            strata.stdin.write(" ".join([folder, index] + names) + "\n")
            strata.stdin.flush()
            line = strata.stdout.readline()
            if not line:
                print("seed %d: the program stopped" % seed)
                return 1
            got = json.loads(line)
        if isinstance(want, str):
            fatal += 1
            same = "fatal" in got
        else:
            parts += len(want)
            same = got.get("parts") == want
        if not same:
            differences += 1
            print("seed %d differs (index %s)\n  cloud-init: %s\n  strata:     %s" % (seed, index, want, got))
            if differences >= options.stop:
                break
    strata.stdin.close()
    strata.wait()
    print("%d cases, %d left out, %d fatal, %d parts, %d differences" % (len(seeds), skipped, fatal, parts, differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
