// SPDX-License-Identifier: Apache-2.0
// Stores as files, and from one back end to the other.
#include "store/transfer.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <random>

#include "store/blobs.hpp"
#include "store/check.hpp"
#include "store/documents.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/revisions.hpp"
#include "store/sealed.hpp"
#include "store/secret_blobs.hpp"
#include "store/sites.hpp"
#include "store/stacks.hpp"
#include "stores.hpp"
#include "support/expect_error.hpp"
#include "tree/sha256.hpp"

namespace strata::store {
namespace {

class TransferTest : public OnBothDatabases {
 protected:
  [[nodiscard]] std::unique_ptr<Store> opened(const std::string& place, const Key& key) const {
    StoreOptions options{.address = place.starts_with("postgresql:") ? place : "sqlite:" + place};
    options.keys.push_back(key_of(key.bytes.copy()));
    return std::make_unique<Store>(std::move(options));
  }
  /// An empty store of the other back end.
  [[nodiscard]] std::string other_place() {
    return is_postgres() ? folder_ / "other.db" : testing::PostgresServer::shared().make_database();
  }

  static std::string exported(Store& store, const Key* reseal = nullptr) {
    std::string out;
    export_store(store, reseal, [&](std::string_view bytes) { out += bytes; });
    return out;
  }
  static void import(Store& store, std::string_view bytes) {
    import_store(store, [&](char* buffer, std::size_t size) {
      const std::size_t taken = bytes.copy(buffer, size);
      bytes.remove_prefix(taken);
      return taken;
    });
  }

  static void fill(Store& store) {
    const auto keys = store.keys(true);
    for (const char* name : {"default", "b|c", "größer"}) {
      store.write(name, [&](Transaction& transaction, Project& project) {
        Revision revision{.kind = "put", .author = "me\n\"\\", .buckets = {"b"}};
        add_revision(transaction, project, revision);
        std::vector<std::string> texts;
        std::vector<NewDocument> documents;
        for (int i = 0; i < 500; ++i) texts.push_back(std::string(1, '\0') + "text " + std::to_string(i));
        for (const std::string& text : texts) {
          documents.push_back({.bucket = "b",
                               .schema = "s",
                               .layer = {},
                               .name = text.substr(1),
                               .metadata = "{}",
                               .data = text,
                               .sealed = {},
                               .digest = blob_id(text),
                               .is_deletion = false,
                               .line = {}});
        }
        documents.back().data.reset();
        documents.back().sealed = add_sealed(transaction, *keys, name, "document", "hidden");
        add_documents(transaction, project, revision.number, documents);
        Change change{.kind = "stack", .target = "s"};
        add_change(transaction, project, change);
        Stack stack{.name = "s",
                    .state = std::string(100'000, 's'),
                    .settings = "{}",
                    .action = "CREATE",
                    .status = "COMPLETE"};
        add_stack(transaction, project, stack);
        AuditEntry entry{.who = "me", .project = name, .action = "put", .target = "b", .outcome = "done"};
        add_audit(transaction, entry);
        put_site(transaction, project, {.name = "up", .dialect = "hiera", .kind = "upload", .options = "{}"});
        SiteTree tree{.files = {{.path = "a",
                                 .mode = 0644,
                                 .text = put_secret_blob(transaction, *keys, project, "password: hunter2")}}};
        EXPECT_TRUE(add_tree(transaction, project, "up", tree));
      });
    }
  }
  static std::string packed_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    text += R"({"sha256":")" + sha256_text(text) + "\"}\n";
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
    return out;
  }
};

TEST_P(TransferTest, TakesFilesOfOlderTables) {
  const auto store = opened(place(), new_key());
  const std::string project =
      R"(["project",{"id":1,"name":"default","last_revision":0,"last_document":0,"last_change":0}])";
  const std::string blob = fmt::format(R"(["blob",{{"hash":{{"base64":"{}"}},"bytes":{{"base64":"{}"}},"size":4}}])",
                                       base64(blob_id("text")), base64("text"));
  // The columns that its own version has.
  STRATA_EXPECT_ERROR(import(*store, packed_lines({R"({"format":"strata-store/1","version":3})", project, blob})),
                      "store.export");
  STRATA_EXPECT_ERROR(import(*store, packed_lines({R"({"format":"strata-store/1","version":99})", project, blob})),
                      "store.export");
  import(*store, packed_lines({R"({"format":"strata-store/1","version":1})", project, blob}));
  EXPECT_EQ(check(*store), std::vector<std::string>{});
  store->read([](Transaction& transaction) { EXPECT_EQ(get_blob(transaction, blob_id("text")), "text"); });
}

TEST_P(TransferTest, GoesToTheOtherBackEndAndBack) {
  const Key key = new_key();
  const auto first = opened(place(), key);
  fill(*first);
  const std::string text = exported(*first);
  EXPECT_EQ(exported(*first), text);

  const auto second = opened(other_place(), key);
  import(*second, text);
  EXPECT_EQ(check(*second), std::vector<std::string>{});
  EXPECT_EQ(exported(*second), text);
  const auto third = opened(new_place(), key);
  import(*third, exported(*second));
  EXPECT_EQ(exported(*third), text);
  // The audit of each knows its own import.
  const auto imports = [](Store& store) {
    std::int64_t count = 0;
    store.read([&](Transaction& transaction) {
      count = transaction.run("SELECT count(*) FROM audit WHERE action = 'store import' AND who = 'command line'")
                  .front()
                  .integer(0);
    });
    return count;
  };
  EXPECT_EQ(imports(*first), 0);
  EXPECT_EQ(imports(*second), 1);
  EXPECT_EQ(imports(*third), 1);
  // Life goes on there.
  for (Store* store : {second.get(), third.get()}) {
    store->write("a new one", [](Transaction& transaction, Project& project) {
      EXPECT_EQ(project.id, 4);
      AuditEntry entry{.who = "me", .action = "put", .target = "b", .outcome = "done"};
      add_audit(transaction, entry);
    });
  }
  STRATA_EXPECT_ERROR(import(*second, text), "store.not-empty");
}

TEST_P(TransferTest, SealsForAnotherKey) {
  const Key key = new_key();
  const Key other = new_key();
  const auto store = opened(place(), key);
  fill(*store);
  const auto copy = opened(new_place(), other);
  import(*copy, exported(*store, &other));
  EXPECT_EQ(check(*copy), std::vector<std::string>{});
  EXPECT_EQ(check(*store), std::vector<std::string>{});
  // Without it, the values came along closed.
  const auto closed = opened(new_place(), other);
  import(*closed, exported(*store));
  EXPECT_EQ(check(*closed).size(), 6U);
}

TEST_P(TransferTest, TakesWholeFilesOnly) {
  const Key key = new_key();
  const auto store = opened(place(), key);
  fill(*store);
  const std::string text = exported(*store);
  const auto empty = opened(new_place(), key);
  const std::string nothing = exported(*empty);
  std::minstd_rand random(4);  // NOLINT(cert-msc51-cpp): the same places each time
  for (int i = 0; i < 30; ++i) {
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random);
    STRATA_EXPECT_ERROR(import(*empty, text.substr(0, at)), "store.export");
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (i % 8)));
    EXPECT_THROW(import(*empty, changed), Error);
  }
  STRATA_EXPECT_ERROR(import(*empty, text + nothing), "store.export");
  STRATA_EXPECT_ERROR(import(*empty, "PK"), "store.export");
  EXPECT_EQ(exported(*empty), nothing);
  import(*empty, text);
}

INSTANTIATE_STORES(TransferTest);

}  // namespace
}  // namespace strata::store
