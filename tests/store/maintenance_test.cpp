// SPDX-License-Identifier: Apache-2.0
// Keys that change, and old revisions that go, on both back ends.
#include "store/maintenance.hpp"

#include <fmt/format.h>

#include <array>

#include "store/blobs.hpp"
#include "store/check.hpp"
#include "store/documents.hpp"
#include "store/revisions.hpp"
#include "store/sealed.hpp"
#include "store/secret_blobs.hpp"
#include "store/sites.hpp"
#include "stores.hpp"
#include "support/expect_error.hpp"

namespace strata::store {
namespace {

class MaintenanceTest : public OnBothDatabases {
 protected:
  [[nodiscard]] std::unique_ptr<Store> opened(std::initializer_list<const Key*> keys) {
    StoreOptions options{.address = is_postgres() ? place() : "sqlite:" + place()};
    for (const Key* key : keys) options.keys.push_back(key_of(key->bytes.copy()));
    return std::make_unique<Store>(std::move(options));
  }

  /// Stores a revision with one document, which takes the place of the last one, and one secret; `kept` stays from the
  /// first revision on.
  static void put(Store& store, const std::string& text) {
    const auto keys = store.keys(true);
    store.write("default", [&](Transaction& transaction, Project& project) {
      Revision revision{.kind = "put", .author = "me", .buckets = {"b"}};
      add_revision(transaction, project, revision);
      std::vector<std::int64_t> ended;
      for (const DocumentHead& head : newest_documents(transaction, project)) {
        if (head.name != "kept") ended.push_back(head.number);
      }
      end_documents(transaction, project, revision.number, ended);
      NewDocument document{.bucket = "b",
                           .schema = "s",
                           .layer = {},
                           .name = "d",
                           .metadata = "{}",
                           .data = text,
                           .sealed = {},
                           .digest = blob_id(text),
                           .is_deletion = false,
                           .line = {}};
      NewDocument secret = document;
      secret.data.reset();
      secret.sealed = add_sealed(transaction, *keys, "default", "document", "secret " + text);
      std::vector<NewDocument> all{document, secret};
      if (revision.number == 1) {
        all.push_back(secret);
        all.back().name = "kept";
        all.back().sealed = add_sealed(transaction, *keys, "default", "document", "kept secret");
      }
      add_documents(transaction, project, revision.number, all);
      put_tag(transaction, project, {.revision = revision.number, .name = "t", .data = text});
    });
  }
  static std::int64_t count(Store& store, std::string_view table) {
    std::int64_t found = 0;
    store.read([&](Transaction& transaction) {
      found = transaction.run(fmt::format("SELECT count(*) FROM {}", table)).front().integer(0);
    });
    return found;
  }
};

TEST_P(MaintenanceTest, AllSealedValuesGetAnotherKey) {
  const Key old_key = new_key();
  const Key key = new_key();
  {
    const auto store = opened({&old_key});
    for (int i = 0; i < 250; ++i) put(*store, std::to_string(i));
  }
  {
    const auto store = opened({&key});
    EXPECT_EQ(check(*store, 5).size(), 6U);
    STRATA_EXPECT_ERROR(rekey(*store, key), "store.no-key");
  }
  {
    const auto store = opened({&key, &old_key});
    EXPECT_EQ(rekey(*store, key), 251U);
    EXPECT_EQ(rekey(*store, key), 0U);
  }
  EXPECT_EQ(check(*opened({&key})), std::vector<std::string>{});
}

TEST_P(MaintenanceTest, SealedTextsOfTreesAreKeptChangedAndRemoved) {
  const Key old_key = new_key();
  const Key key = new_key();
  BlobId id;
  {
    const auto store = opened({&old_key});
    const auto keys = store->keys(false);
    store->write("default", [&](Transaction& transaction, Project& project) {
      put_site(transaction, project, {.name = "s", .dialect = "hiera", .kind = "upload", .options = "{}"});
      id = put_secret_blob(transaction, *keys, project, "a text of a tree");
      SiteTree tree{.files = {{.path = "a", .mode = 0644, .text = id}}};
      EXPECT_TRUE(add_tree(transaction, project, "s", tree));
      put_secret_blob(transaction, *keys, project, "nobody needs it");
    });
    EXPECT_EQ(check(*store), std::vector<std::string>{});
    EXPECT_EQ(prune(*store, 1).blobs, 1);
    EXPECT_EQ(count(*store, "sealed"), 1);
    EXPECT_EQ(check(*store), std::vector<std::string>{});
  }
  EXPECT_EQ(check(*opened({&key})).size(), 1U);
  EXPECT_EQ(rekey(*opened({&key, &old_key}), key), 1U);
  const auto store = opened({&key});
  EXPECT_EQ(check(*store), std::vector<std::string>{});
  const auto keys = store->keys(false);
  store->read([&](Transaction& transaction) {
    const auto project = find_project(transaction, "default");
    EXPECT_EQ(get_secret_blobs(transaction, *keys, *project, std::array{id}).at(id), "a text of a tree");
  });
  store->database().write([](Transaction& transaction) { transaction.run("DELETE FROM sealed"); });
  EXPECT_EQ(check(*store), std::vector<std::string>{"a text of default lost its sealed value"});
}

TEST_P(MaintenanceTest, OldRevisionsGoWithWhatOnlyTheyNeed) {
  const Key key = new_key();
  const auto store = opened({&key});
  for (const char* text : {"one", "two", "three", "four"}) put(*store, text);
  store->write("default", [](Transaction& transaction, Project& project) {
    put_site(transaction, project, {.name = "s", .dialect = "hiera", .kind = "upload", .options = "{}"});
    SiteTree tree{.files = {{.path = "a", .mode = 0644, .text = put_blob(transaction, "a text of a tree")}}};
    EXPECT_TRUE(add_tree(transaction, project, "s", tree));
    put_blob(transaction, "nobody needs it");
  });
  const auto documents = [&](std::int64_t revision) {
    std::string all;
    store->read([&](Transaction& transaction) {
      for (const Document& one : documents_at(transaction, *find_project(transaction, "default"), revision)) {
        all += fmt::format("{}={} ", one.head.name, one.data.value_or("*"));
      }
    });
    return all;
  };
  const std::string third = documents(3);
  EXPECT_EQ(third, "kept=* d=three d=* ");
  const Pruned first = prune(*store, 2);
  EXPECT_EQ(first.revisions, 2);
  EXPECT_EQ(first.documents, 4);
  EXPECT_EQ(first.blobs, 3);  // "one", "two", and what nobody needs
  EXPECT_EQ(documents(3), third);
  EXPECT_EQ(documents(4), "kept=* d=four d=* ");
  EXPECT_EQ(count(*store, "sealed"), 3);
  EXPECT_EQ(count(*store, "tag"), 2);
  EXPECT_EQ(check(*store), std::vector<std::string>{});

  const Pruned again = prune(*store, 2);
  EXPECT_EQ(again.revisions + again.documents + again.blobs, 0);
  EXPECT_EQ(prune(*store, 0).revisions, 1);
  put(*store, "five");
  EXPECT_EQ(documents(5), "kept=* d=five d=* ");
  EXPECT_EQ(check(*store), std::vector<std::string>{});
}

TEST_P(MaintenanceTest, ALookForRoomLeavesNothing) {
  const auto store = opened({});
  const auto writer = [&store] {
    std::string out;
    store->read([&](Transaction& transaction) {
      out = transaction.run("SELECT written_by FROM strata_schema").front().text(0);
    });
    return out;
  };
  const std::string before = writer();
  store->look_for_room({});
  EXPECT_EQ(writer(), before);
  EXPECT_FALSE(store->is_full());
}

INSTANTIATE_STORES(MaintenanceTest);

}  // namespace
}  // namespace strata::store
