#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Encrypted values of strata against hiera-eyaml, called as Puppet calls it, on random texts with blocks in odd shapes.

usage: eyaml.py EYAML_DECRYPT [--seed N] [--count N]

Exit status 1, with the text and both answers, at the first difference. Known differences: strata refuses a content that is not UTF-8; it opens an
envelope that was damaged in its recipient's part only where the key surely fits (OpenSSL goes on with a random key, which gives garbage now and then).
"""
import argparse
import base64
import json
import os
import random
import subprocess
import sys

KEYS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hiera", "eyaml")
KEY, CERTIFICATE = os.path.join(KEYS, "private_key.pem"), os.path.join(KEYS, "certificate.pem")

# A line a request: {"encrypt": TEXT} gives the payload, {"decrypt": BASE64} gives "plain", {"ok": BASE64} or "error".
RUBY = r"""
require 'json'
require 'hiera/backend/eyaml'
%w[encryptor utils options parser/parser].each { |name| require "hiera/backend/eyaml/#{name}" }
Hiera::Backend::Eyaml::Options.set('pkcs7_private_key' => ARGV[0], 'pkcs7_public_key' => ARGV[1])
pkcs7 = Hiera::Backend::Eyaml::Encryptor.find('pkcs7')
STDIN.each_line do |line|
  request = JSON.parse(line)
  if request['encrypt']
    answer = [pkcs7.encrypt(request['encrypt'])].pack('m0')
  else
    text = request['decrypt'].unpack1('m').force_encoding('UTF-8')
    begin
      if /.*ENC\[.*?\]/ =~ text
        tokens = Hiera::Backend::Eyaml::Parser::ParserFactory.hiera_backend_parser.parse(text)
        answer = { ok: [tokens.map(&:to_plain_text).join.chomp].pack('m0') }
      else
        answer = 'plain'
      end
    rescue LoadError, StandardError
      answer = 'error'
    end
  end
  puts JSON.generate(answer)
end
"""

CONTENTS = ["", "geheim", "two\nlines\n", "%{role}", "ENC[PKCS7,AAAA]", "\u00e9\u20ac\U0001f600", "x" * 300, "\r\n"]
TEXTS = ["", " ", "\n", "\r\n", "\r", "\u00e9", "plain ", "ENC", "ENC[", "]", "ENC[]", "[", ",", "DEC(", "DEC::PKCS7[x]!", "PKCS7,", "\t", "ENC[\n", "a_b,", "\U0001f600"]


def ruby(requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(["ruby", "-e", RUBY, KEY, CERTIFICATE], input=lines, stdout=subprocess.PIPE, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def block(rng, payloads):
    """A block and whether its payload was damaged so that the two may see different keys."""
    payload = rng.choice(payloads)
    damaged = False
    kind = rng.randrange(12)
    at = rng.randrange(len(payload))
    if kind == 0:
        payload = payload[:at] + rng.choice([" ", "\n", "  \n ", "\t", "\r", "=", "-", "[", "]", "\u00e9"]) + payload[at:]
    elif kind == 1:
        payload, damaged = payload[:at] + rng.choice("Az09+/") + payload[at + 1:], True
    elif kind == 2:
        payload = payload[:at]
    elif kind == 3:
        payload = payload.rstrip("=")[:-rng.randrange(3) or None] + rng.choice(["", "=", "==", "AAAA"])
    elif kind == 4:
        payload = " " + payload + rng.choice(["", " ", "\n"])
    elif kind == 5:
        payload = rng.choice(["", " ", "=", "\n", "abc", "===="])
    scheme = rng.choice(["PKCS7,"] * 8 + ["pkcs7,", "Pkcs7,", "", "", "GPG,", "PKCS7 ,", " PKCS7,", ",", "\u00e9,", "_,", "PKCS7,PKCS7,"])
    return rng.choice(["ENC["] * 12 + ["enc[", "ENC [", "xENC["]) + scheme + payload + rng.choice(["]"] * 12 + ["", "\n]", "]]"]), damaged


def text(rng, payloads):
    pieces, damaged = [], False
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        if rng.random() < 0.6:
            piece, bad = block(rng, payloads)
            damaged = damaged or bad
        else:
            piece = rng.choice(TEXTS)
        pieces.append(piece)
    return "".join(pieces) + rng.choice(["", "", "\n", "\n\n", "\r\n", "\r"]), damaged


def agree(expected, answer, damaged):
    if expected == "plain" or answer == "plain":
        return expected == answer
    if expected == "error":
        return answer.startswith("eyaml.")
    content = base64.b64decode(expected["ok"])
    if answer == "eyaml.not-text":
        try:
            content.decode()
        except UnicodeDecodeError:
            return True
    return answer == "ok " + content.hex() or (damaged and answer == "eyaml.decrypt")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    payloads = ruby([{"encrypt": content} for content in CONTENTS])
    cases = [text(rng, payloads) for _ in range(options.count)]
    expected = ruby([{"decrypt": base64.b64encode(case.encode()).decode()} for case, _ in cases])
    lines = "".join(case.encode().hex() + "\n" for case, _ in cases)
    done = subprocess.run([options.program, KEY, CERTIFICATE], input=lines, stdout=subprocess.PIPE, check=True, text=True)
    answers = done.stdout.splitlines()
    if not len(cases) == len(expected) == len(answers):
        print(f"seed {options.seed}: {len(answers)} and {len(expected)} answers to {len(cases)} texts")
        return 1
    for (case, damaged), reference, answer in zip(cases, expected, answers):
        if not agree(reference, answer, damaged):
            print(f"seed {options.seed}: {case!r}: strata says {answer!r}, hiera-eyaml {reference!r}")
            return 1
    opened = sum(answer.startswith("ok ") for answer in answers)
    print(f"{options.count} texts clean, {opened} of them decrypted")
    return 0


sys.exit(main())
