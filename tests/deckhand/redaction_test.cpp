// SPDX-License-Identifier: Apache-2.0
// Redaction: hashes of values and paths.
#include "deckhand/redaction.hpp"

#include <gtest/gtest.h>

#include "deckhand/world.hpp"

namespace strata::deckhand {
namespace {

// Each row was run in Python 3.11: hashlib.sha256(json.dumps(value).encode()).hexdigest().
TEST(Hashes, AreOfPythonsJson) {
  World world;
  EXPECT_EQ(hash_of("hunter2"), "4ddbb67bf993867e13253c146a339ed3b33ea5b895543569278e99d5b3c2b7d5");
  EXPECT_EQ(hash_of(world.yaml("{q: 1, r: hunter2}")),
            "5cbaee373a384c6a079be0a800d8246aa665e064bc73a3918d1f0395f458d25c");
  EXPECT_EQ(hash_of(world.yaml("[é, 1.5, 1.0e+20, null, true, '😀', {b: 1, a: 2}]")),
            "92e9d2a6799b450f9955c2c8ef88cd522b200b406b7e214d0049db1469215c06");
  EXPECT_EQ(hash_of("."), "7299b59de0b5dad3b622afc3bdf57544e505249c77a6d4254bd14b1fc9a4ade8");
  EXPECT_EQ(hash_of(hash_of(".")), "c343b0cbb97abbbbfaa5195d717d2729c5d9a82ab7af82e260c9fc6c8b051dab");
}

TEST(Redaction, HashesPathsTwiceWhereTheSourceIsEncrypted) {
  EXPECT_EQ(path_hashes(false, false), 0);
  EXPECT_EQ(path_hashes(true, false), 1);
  EXPECT_EQ(path_hashes(true, true), 2);
  World world;
  const Value metadata = world.yaml(
      "{name: n, storagePolicy: cleartext, substitutions: [{src: {name: a, path: .}, dest: {path: .}}, {src: {name: b, "
      "path: .}, dest: [{path: ., "
      "pattern: x}, "
      "{path: .}]}]}");
  const Value redacted = redacted_metadata(
      metadata, [](std::size_t entry) { return entry == 0; }, world.arena);
  const std::string once = hash_of(".");
  const std::string twice = hash_of(once);
  EXPECT_EQ(flow(redacted),
            flow(world.yaml("{name: n, storagePolicy: encrypted, substitutions: [{src: {name: a, path: '" + twice +
                            "'}, dest: {path: '" + twice + "'}}, {src: {name: b, path: '" + once +
                            "'}, dest: [{path: '" + once + "', pattern: x}, {path: '" + once + "'}]}]}")));
  EXPECT_EQ(flow(metadata.find("substitutions")->items()[0]),
            R"({"src": {"name": "a", "path": "."}, "dest": {"path": "."}})")
      << "the document itself stays";
  EXPECT_EQ(redacted_data(world.yaml("{q: 1}"), world.arena).text(), hash_of(world.yaml("{q: 1}")));
}

}  // namespace
}  // namespace strata::deckhand
