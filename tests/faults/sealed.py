#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Another key, no key, a flipped bit, rows that are swapped: what cannot be opened fails alone, with `store.sealed-broken`.

usage: sealed.py STRATA [--rounds N]
"""
import argparse
import base64
import os
import shutil
import sqlite3
import subprocess
import tempfile

from writing import HANGS, POLICY, Service, send

YAML = {"Content-Type": "application/x-yaml"}


def document(name, policy, text):
    return (f"---\nschema: example/Secret/v1\nmetadata: {{schema: metadata/Document/v1, name: {name}, storagePolicy: {policy}, layeringDefinition: {{layer: site}}}}\n"
            f"data: {text}\n")


GIVEN = document("given", "cleartext", "{}").replace("layeringDefinition:", "substitutions: [{src: {schema: example/Secret/v1, name: two, path: .}, dest: {path: .a}}], layeringDefinition:")


def rendered(service, revision):
    return send(service.port, "GET", f"/api/v1.0/revisions/{revision}/rendered-documents")


def key_file(path):
    with open(path, "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(base64.b64encode(os.urandom(32)))
    return "file:" + path


def expect_broken(strata, folder, key, what, broken=2):
    """What is made of values that cannot be opened, fails, and names their documents; another revision and all else do not. `broken`: so many of the two."""
    words = ["--key", key] if key else []
    with Service(strata, *words, folder=folder) as service:
        status, body = rendered(service, 2)
        assert status in (500, 503) and "cannot be" in body and "sealed value" in body, f"{what}: {status} {body}"
        assert "hush-one" not in body and "hush-two" not in body, f"{what}: {body}"
        lost = [name for name in ("one", "two") if f"[example/Secret/v1, site] {name}:" in body]
        assert len(lost) == broken, f"{what}: {lost} {body}"
        for name, text in (("one", "hush-one"), ("two", "hush-two"), ("open", "plain-text"), ("given", "hush-two")):
            status, body = send(service.port, "GET", f"/api/v1.0/revisions/2/rendered-documents?metadata.name={name}")
            is_lost = name in lost or (name == "given" and "two" in lost)
            assert (status == 200 and text in body) != is_lost, f"{what}: {name} {status} {body}"
            assert not is_lost or (status in (500, 503) and f"Document [example/Secret/v1, site] {name} " in body), f"{what}: {name} {status} {body}"
        status, body = rendered(service, 1)
        assert status == 200 and "plain-text" in body, f"{what}: {status} {body}"
        status, body = send(service.port, "GET", "/api/v1.0/revisions/2/documents")
        assert status == 200, f"{what}: {status} {body}"
    run = subprocess.run([os.path.abspath(strata), "store", "check", "--store", f"sqlite:{folder}/store.db", *words], capture_output=True, text=True, timeout=HANGS, check=False)
    assert run.returncode == 1, f"{what}: store check says {run.returncode} {run.stdout} {run.stderr}"
    # Clients that have the values send them again: that repairs damaged ones, and those whose key is lost.
    with Service(strata, *words, folder=folder) as service:
        status, body = send(service.port, "PUT", "/api/v1.0/buckets/secrets/documents", document("one", "encrypted", "hush-three") + document("two", "encrypted", "hush-four"), YAML)
        assert status == 200, f"{what}: {status} {body}"
        status, body = rendered(service, 3)
        assert status == 200 and "hush-three" in body and "hush-four" in body, f"{what}: {status} {body}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        original = os.path.join(place, "original")
        os.mkdir(original)
        key = key_file(os.path.join(place, "key"))
        with Service(given.strata, "--key", key, folder=original) as service:
            for bucket, text in (("policy", POLICY + document("open", "cleartext", "plain-text")),
                                 ("secrets", document("one", "encrypted", "hush-one") + document("two", "encrypted", "hush-two") + GIVEN)):
                status, body = send(service.port, "PUT", f"/api/v1.0/buckets/{bucket}/documents", text, YAML)
                assert status == 200, body
            status, body = rendered(service, 2)
            assert status == 200 and "hush-one" in body and "hush-two" in body, body

        def spoiled(name, *statements):
            folder = os.path.join(place, name)
            shutil.copytree(original, folder)
            if statements:
                with sqlite3.connect(os.path.join(folder, "store.db")) as database:
                    for statement in statements:
                        database.execute(statement)
                database.close()
            return folder

        flipped = "substr({0}, 1, length({0}) - 1) || CASE WHEN substr({0}, -1) = x'00' THEN x'01' ELSE x'00' END"
        first = "WHERE id = (SELECT min(id) FROM sealed)"
        expect_broken(given.strata, spoiled("other"), key_file(os.path.join(place, "other-key")), "another key")
        for column in ("ciphertext", "wrapped", "nonce"):
            value = f"CAST({flipped.format(column)} AS BLOB)"
            expect_broken(given.strata, spoiled("flipped-" + column, f"UPDATE sealed SET {column} = {value} {first}"), key, f"a flipped bit in {column}", broken=1)
        expect_broken(given.strata, spoiled("swapped", "CREATE TABLE rows AS SELECT * FROM sealed",
                                            "UPDATE sealed SET ciphertext = (SELECT ciphertext FROM rows WHERE rows.id != sealed.id), "
                                            "wrapped = (SELECT wrapped FROM rows WHERE rows.id != sealed.id), nonce = (SELECT nonce FROM rows WHERE rows.id != sealed.id)",
                                            "DROP TABLE rows"), key, "rows that are swapped")
        expect_broken(given.strata, spoiled("gone", f"UPDATE sealed SET key_id = CAST(x'0000000000000000' AS BLOB) {first}"), key, "a key that is not there", broken=1)
        print("sealed: another key, flipped bits, swapped rows, a missing key: each failed alone")


if __name__ == "__main__":
    main()
