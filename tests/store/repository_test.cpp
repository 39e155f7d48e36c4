// SPDX-License-Identifier: Apache-2.0
// What the faces ask of the store, on both back ends.
#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "store/documents.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/revisions.hpp"
#include "store/sealed.hpp"
#include "store/secret_blobs.hpp"
#include "store/sites.hpp"
#include "store/stacks.hpp"
#include "store/store.hpp"
#include "stores.hpp"
#include "support/expect_error.hpp"

namespace strata::store {
namespace {

class RepositoryTest : public OnBothDatabases {
 protected:
  void SetUp() override { open_store(); }
  void open_store() {
    store_.reset();
    StoreOptions options{.address = is_postgres() ? place() : "sqlite:" + place()};
    if (is_postgres()) options.keys.push_back(key_of(SecretBytes(std::string(32, 'k'))));
    store_ = std::make_unique<Store>(std::move(options));
  }
  /// What a read returns.
  template <class Ask>
  auto ask(const Ask& question) {
    std::invoke_result_t<Ask, Transaction&> answer;
    store_->read([&](Transaction& transaction) { answer = question(transaction); });
    return answer;
  }
  Project project(std::string_view name = "default") {
    return ask([&](Transaction& transaction) { return find_project(transaction, name); }).value();
  }

  std::unique_ptr<Store> store_;
};

TEST_P(RepositoryTest, ProjectsAreMadeByTheirFirstWrite) {
  EXPECT_EQ(ask([](Transaction& transaction) { return find_project(transaction, "a"); }), std::nullopt);
  store_->write("b", [](Transaction&, Project& project) { project.last_change = 7; });
  store_->write("a", [](Transaction&, Project&) {});
  const auto all = ask([](Transaction& transaction) { return projects(transaction); });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[1].last_change, 7);
}

TEST_P(RepositoryTest, NumbersHaveNoGaps) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i) {
        const bool fails = i % 3 == 2;
        try {
          store_->write("default", [&](Transaction& transaction, Project& project) {
            Revision revision{.kind = "put", .author = fmt::format("t{}", thread)};
            add_revision(transaction, project, revision);
            Change change{.kind = "revision", .target = "b", .generation = revision.number};
            add_change(transaction, project, change);
            if (fails) throw std::runtime_error("changed its mind");
          });
          EXPECT_FALSE(fails);
        } catch (const std::runtime_error&) {
          EXPECT_TRUE(fails);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto all =
      ask([&](Transaction& transaction) { return revisions(transaction, *find_project(transaction, "default")); });
  ASSERT_EQ(all.size(), 8U * 7U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].number, static_cast<std::int64_t>(i) + 1);
  const auto changes = ask([&](Transaction& transaction) {
    return changes_after(transaction, *find_project(transaction, "default"), 50, 100);
  });
  ASSERT_EQ(changes.size(), 6U);
  EXPECT_EQ(changes.front().number, 51);
  EXPECT_EQ(changes.front().generation, 51);
}

TEST_P(RepositoryTest, BlobsAreStoredOnce) {
  const std::string large(100'000, 'y');
  store_->write("default", [&](Transaction& transaction, Project&) {
    const std::vector<std::string_view> texts{"a", large, "a", ""};
    const auto ids = put_blobs(transaction, texts);
    EXPECT_EQ(ids[0], ids[2]);
    EXPECT_EQ(put_blob(transaction, large), ids[1]);
    EXPECT_EQ(transaction.run("SELECT count(*) FROM blob").front().integer(0), 3);
    EXPECT_LT(transaction.run("SELECT max(length(bytes)) FROM blob").front().integer(0), 1000);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(get_blob(transaction, ids[i]), texts[i]);
    const auto all = get_blobs(transaction, ids);
    EXPECT_EQ(all.at(ids[1]), large);
  });
  STRATA_EXPECT_ERROR(ask([](Transaction& transaction) { return get_blob(transaction, blob_id("never stored")); }),
                      "store.damaged");
}

TEST_P(RepositoryTest, ManyBlobsAreFoundAgain) {
  std::vector<std::string> owned;
  for (int i = 0; i < 1000; ++i)
    owned.push_back(fmt::format("text {} {}", i, std::string(static_cast<std::size_t>(i), 'z')));
  const std::vector<std::string_view> texts(owned.begin(), owned.end());
  std::vector<BlobId> ids;
  store_->write("default", [&](Transaction& transaction, Project&) { ids = put_blobs(transaction, texts); });
  store_->write("default", [&](Transaction& transaction, Project&) { EXPECT_EQ(put_blobs(transaction, texts), ids); });
  const auto found = ask([&](Transaction& transaction) { return get_blobs(transaction, ids); });
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(found.at(ids[i]), owned[i]);
}

NewDocument document(std::string bucket, std::string name, std::string_view data) {
  return {.bucket = std::move(bucket),
          .schema = "example/Kind/v1",
          .layer = "site",
          .name = std::move(name),
          .metadata = "{\"name\": 1}",
          .data = data,
          .sealed = {},
          .digest = blob_id(data),
          .is_deletion = false,
          .line = 3};
}

TEST_P(RepositoryTest, RevisionsShowTheirDocuments) {
  const auto put = [&](const std::string& bucket, const std::vector<NewDocument>& documents,
                       const std::vector<std::int64_t>& ended) {
    store_->write("default", [&](Transaction& transaction, Project& project) {
      Revision revision{.kind = "put", .author = "me", .request = "r1", .buckets = {bucket}};
      add_revision(transaction, project, revision);
      end_documents(transaction, project, revision.number, ended);
      add_documents(transaction, project, revision.number, documents);
    });
  };
  put("a", {document("a", "one", "1"), document("a", "two", "2")}, {});
  put("b", {document("b", "three", "3")}, {});
  NewDocument gone = document("a", "one", "");
  gone.data.reset();
  gone.is_deletion = true;
  put("a", {gone, document("a", "two", "two")}, {1, 2});

  const auto at = [&](std::int64_t revision) {
    std::string all;
    for (const Document& one :
         ask([&](Transaction& transaction) { return documents_at(transaction, project(), revision); })) {
      all += fmt::format("{}:{}/{}={}@{} ", one.head.number, one.head.bucket, one.head.name, one.data.value_or("-"),
                         one.head.revision);
      EXPECT_EQ(one.metadata, "{\"name\": 1}");
      EXPECT_EQ(one.head.layer, "site");
      EXPECT_EQ(one.head.line, 3);
    }
    return all;
  };
  EXPECT_EQ(at(0), "");
  EXPECT_EQ(at(1), "1:a/one=1@1 2:a/two=2@1 ");
  EXPECT_EQ(at(2), "1:a/one=1@1 2:a/two=2@1 3:b/three=3@2 ");
  EXPECT_EQ(at(3), "3:b/three=3@2 5:a/two=two@3 ");

  const auto newest = ask([&](Transaction& transaction) { return newest_documents(transaction, project(), "a"); });
  ASSERT_EQ(newest.size(), 2U);
  EXPECT_TRUE(newest[0].is_deletion);
  EXPECT_EQ(newest[1].digest, blob_id("two"));
  EXPECT_EQ(ask([&](Transaction& transaction) { return newest_documents(transaction, project()); }).size(), 3U);

  const auto second = ask([&](Transaction& transaction) { return find_revision(transaction, project(), 2); });
  ASSERT_TRUE(second);
  EXPECT_EQ(second->buckets, std::vector<std::string>{"b"});
  EXPECT_EQ(ask([&](Transaction& transaction) { return revisions(transaction, project()); })[1], *second);
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_revision(transaction, project(), 4); }), std::nullopt);
}

TEST_P(RepositoryTest, AllRevisionsGoWithWhatBelongsToThem) {
  const auto keys = store_->keys(true);
  const auto put = [&] {
    store_->write("default", [&](Transaction& transaction, Project& project) {
      Revision revision{.kind = "put", .author = "me", .buckets = {"a"}};
      add_revision(transaction, project, revision);
      EXPECT_EQ(revision.number, 1);
      NewDocument secret = document("a", "one", "");
      secret.data.reset();
      secret.sealed = add_sealed(transaction, *keys, "default", "document", "hidden");
      add_documents(transaction, project, 1, std::vector{secret});
      put_tag(transaction, project, {.revision = 1, .name = "t", .data = {}});
      Validation validation{.revision = 1, .name = "v", .status = "success", .body = "{}"};
      add_validation(transaction, project, validation);
    });
  };
  put();
  store_->write("default",
                [](Transaction& transaction, Project& project) { remove_all_revisions(transaction, project); });
  store_->read([](Transaction& transaction) {
    for (const char* table : {"revision", "revision_bucket", "document", "tag", "validation", "sealed"}) {
      EXPECT_EQ(transaction.run(fmt::format("SELECT count(*) FROM {}", table)).front().integer(0), 0) << table;
    }
  });
  put();
}

TEST_P(RepositoryTest, TagsAndValidations) {
  store_->write("default", [](Transaction& transaction, Project& project) {
    Revision revision{.kind = "put", .author = "me"};
    add_revision(transaction, project, revision);
    put_tag(transaction, project, {.revision = 1, .name = "b", .data = {}});
    put_tag(transaction, project, {.revision = 1, .name = "a", .data = "x: 1"});
    put_tag(transaction, project, {.revision = 1, .name = "b", .data = "y: 2"});
    for (const char* status : {"failure", "success"}) {
      Validation validation{.revision = 1, .name = "promenade", .status = status, .body = "{}"};
      add_validation(transaction, project, validation);
    }
  });
  const auto all = ask([&](Transaction& transaction) { return tags(transaction, project(), 1); });
  EXPECT_EQ(all, (std::vector<Tag>{{.revision = 1, .name = "a", .data = "x: 1"},
                                   {.revision = 1, .name = "b", .data = "y: 2"}}));
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_tag(transaction, project(), 1, "a"); }), all[0]);
  EXPECT_EQ(ask([&](Transaction& transaction) { return tag_names(transaction, project()); }).size(), 2U);
  const auto posted = ask([&](Transaction& transaction) { return validations(transaction, project(), 1); });
  ASSERT_EQ(posted.size(), 2U);
  EXPECT_EQ(posted[1].number, 1);
  EXPECT_EQ(posted[1].status, "success");
  store_->write("default", [](Transaction& transaction, Project& project) {
    EXPECT_TRUE(remove_tag(transaction, project, 1, "a"));
    EXPECT_FALSE(remove_tag(transaction, project, 1, "a"));
    remove_tags(transaction, project, 1);
    EXPECT_TRUE(tags(transaction, project, 1).empty());
  });
  STRATA_EXPECT_ERROR(store_->write("default",
                                    [](Transaction& transaction, Project& project) {
                                      put_tag(transaction, project, {.revision = 9, .name = "a", .data = {}});
                                    }),
                      "store.conflict");
}

TEST_P(RepositoryTest, StacksAndTheirEvents) {
  const auto add = [&](const std::string& name) {
    Stack stack{.name = name, .state = "{}", .settings = "[]", .action = "CREATE", .status = "COMPLETE"};
    store_->write("default", [&](Transaction& transaction, Project& project) {
      stack.id.clear();
      Change change{.kind = "stack", .target = name};
      add_change(transaction, project, change);
      add_stack(transaction, project, stack);
    });
    return stack;
  };
  Stack first = add("s1");
  const Stack second = add("s2");
  STRATA_EXPECT_ERROR(add("s1"), "store.conflict");
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_living_stack(transaction, project(), "s1"); }), first);
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_stack(transaction, project(), second.id); }), second);

  const Stack stale = first;
  store_->write("default", [&](Transaction& transaction, Project& project) {
    first.generation = 1;
    first.state = "{\"a\": 1}";
    first.sealed = add_sealed(transaction, *store_->keys(true), "default", "stack", "hidden");
    EXPECT_TRUE(update_stack(transaction, project, first));
    Stack other = stale;
    EXPECT_FALSE(update_stack(transaction, project, other));
  });
  EXPECT_EQ(first.generation, 2);
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_stack(transaction, project(), first.id); }), first);
  auto all = ask([&](Transaction& transaction) { return stacks(transaction, project()); });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "s2");

  store_->write("default", [&](Transaction& transaction, Project& project) {
    for (int i = 0; i < 120; ++i) {
      StackEvent event{.action = "UPDATE", .status = "COMPLETE", .reason = std::to_string(i)};
      add_event(transaction, project, first.id, event);
    }
    EXPECT_TRUE(delete_stack(transaction, project, first.id));
    EXPECT_FALSE(delete_stack(transaction, project, first.id));
    EXPECT_EQ(transaction.run("SELECT count(*) FROM sealed").front().integer(0), 0);
  });
  const auto kept = ask([&](Transaction& transaction) { return events(transaction, project(), first.id); });
  ASSERT_EQ(kept.size(), 100U);
  EXPECT_EQ(kept.front().number, 21);
  EXPECT_EQ(ask([&](Transaction& transaction) { return stacks(transaction, project()); }).size(), 1U);
  EXPECT_EQ(ask([&](Transaction& transaction) { return stacks(transaction, project(), true); }).size(), 2U);
  EXPECT_NE(add("s1").id, first.id);
}

const Keyring kNoKeys;

Keyring ring(std::initializer_list<const Key*> keys) {
  std::vector<Key> copies;
  for (const Key* key : keys) copies.push_back(key_of(key->bytes.copy()));
  return Keyring(std::move(copies));
}

TEST_P(RepositoryTest, TextsThatMayBeSecretAreSealed) {
  const Key key = new_key();
  const Key next = new_key();
  const Keyring keys = ring({&key});
  const Keyring both = ring({&next, &key});
  const std::string large = "password: hunter2\n" + std::string(10'000, 'x');
  const std::vector<std::string_view> texts{"password: hunter2", "", large, "password: hunter2"};
  const auto put = [&](const Keyring& with, const char* name) {
    std::vector<BlobId> ids;
    store_->write(name, [&](Transaction& transaction, Project& project) {
      ids = put_secret_blobs(transaction, with, project, texts);
    });
    return ids;
  };
  const auto get = [&](const Keyring& with, const char* name, const std::vector<BlobId>& ids) {
    return ask([&](Transaction& transaction) {
      return get_secret_blobs(transaction, with, *find_project(transaction, name), ids);
    });
  };
  const auto plain = put(kNoKeys, "default");
  EXPECT_EQ(plain[0], blob_id(texts[0]));
  const auto ids = put(keys, "default");
  EXPECT_EQ(ids[0], ids[3]);
  EXPECT_NE(ids[0], plain[0]);
  // Nothing new for the same key, nor under a newer one; but another project and another key have texts of their own.
  EXPECT_EQ(put(keys, "default"), ids);
  EXPECT_EQ(put(both, "default"), ids);
  EXPECT_NE(put(keys, "other")[0], ids[0]);
  EXPECT_NE(put(ring({&next}), "default")[0], ids[0]);
  EXPECT_EQ(
      ask([](Transaction& transaction) { return transaction.run("SELECT count(*) FROM sealed").front().integer(0); }),
      9);
  // Both kinds are read.
  for (const auto* stored : {&ids, &plain}) {
    const auto found = get(both, "default", *stored);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(found.at(stored->at(i)), texts[i]);
  }
  STRATA_EXPECT_ERROR(get(kNoKeys, "default", ids), "store.no-key");
  STRATA_EXPECT_ERROR(get(keys, "other", ids), "store.sealed-broken");
  STRATA_EXPECT_ERROR(get(keys, "default", {blob_id("never stored")}), "store.damaged");
  store_->write("default", [&](Transaction& transaction, Project&) {
    transaction.run("UPDATE blob SET sealed = 'none' WHERE hash = $1", {Bytes{ids[0]}});
  });
  STRATA_EXPECT_ERROR(get(keys, "default", ids), "store.sealed-broken");
}

TEST_P(RepositoryTest, FactsAreSealed) {
  const Key key = new_key();
  const Keyring keys = ring({&key});
  Node node{.name = "web01", .facts = "{\"password\": \"hunter2\"}"};
  store_->write("default", [&](Transaction& transaction, Project& project) {
    put_site(transaction, project, {.name = "control", .dialect = "hiera", .kind = "upload", .options = "{}"});
    put_node(transaction, keys, project, "control", node);
    const std::int64_t generation = node.generation;
    ++project.last_change;
    put_node(transaction, keys, project, "control", node);
    EXPECT_EQ(node.generation, generation);
  });
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_node(transaction, keys, project(), "control", "web01"); }),
            node);
  EXPECT_EQ(ask([&](Transaction& transaction) { return nodes(transaction, keys, project(), "control"); }),
            std::vector{node});
  STRATA_EXPECT_ERROR(ask([&](Transaction& transaction) { return nodes(transaction, kNoKeys, project(), "control"); }),
                      "store.no-key");
  // Who removes a node, or lists them, needs no key.
  EXPECT_EQ(ask([&](Transaction& transaction) { return node_names(transaction, project(), "control"); }),
            std::vector<std::string>{"web01"});
  EXPECT_EQ(ask([&](Transaction& transaction) { return node_generation(transaction, project(), "control", "web01"); }),
            node.generation);
  EXPECT_EQ(ask([&](Transaction& transaction) { return node_generation(transaction, project(), "control", "web02"); }),
            std::nullopt);
}

TEST_P(RepositoryTest, SitesTreesAndNodes) {
  const Site site{.name = "control", .dialect = "hiera", .kind = "upload", .source = {}, .ref = {}, .options = "{}"};
  SiteTree tree{.files = {{.path = "data/a b%\n.yaml", .mode = 0644, .text = {}}}, .author = "me", .message = "first"};
  store_->write("default", [&](Transaction& transaction, Project& project) {
    put_site(transaction, project, site);
    tree.generation = 0;
    tree.files[0].text = put_blob(transaction, "a: 1");
    EXPECT_TRUE(add_tree(transaction, project, "control", tree));
    SiteTree stale = tree;
    stale.generation = 0;
    EXPECT_FALSE(add_tree(transaction, project, "control", stale));
    EXPECT_FALSE(add_tree(transaction, project, "nothing", stale));
  });
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_tree(transaction, project(), "control", 1); }), tree);
  Site stored = site;
  stored.generation = 1;
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_site(transaction, project(), "control"); }), stored);
  EXPECT_EQ(ask([&](Transaction& transaction) { return sites(transaction, project()); }), std::vector{stored});

  Node node{.name = "web01", .facts = "{\"role\": \"web\"}"};
  store_->write("default", [&](Transaction& transaction, Project& project) {
    put_node(transaction, kNoKeys, project, "control", node);
    EXPECT_EQ(node.generation, project.last_change + 1);
    ++project.last_change;
    put_node(transaction, kNoKeys, project, "control", node);
    EXPECT_EQ(node.generation, project.last_change);
    node.facts = "{}";
    put_node(transaction, kNoKeys, project, "control", node);
    EXPECT_EQ(node.generation, project.last_change + 1);
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(add_tree(transaction, project, "control", tree));
  });
  EXPECT_EQ(
      ask([&](Transaction& transaction) { return find_node(transaction, kNoKeys, project(), "control", "web01"); }),
      node);
  EXPECT_EQ(ask([&](Transaction& transaction) { return nodes(transaction, kNoKeys, project(), "control"); }),
            std::vector{node});
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_tree(transaction, project(), "control", 11); }),
            std::nullopt);
  EXPECT_TRUE(ask([&](Transaction& transaction) { return find_tree(transaction, project(), "control", 12); }));
  store_->write("default", [&](Transaction& transaction, Project& project) {
    EXPECT_TRUE(remove_site(transaction, project, "control"));
    EXPECT_FALSE(remove_site(transaction, project, "control"));
  });
}

TEST(ManifestTest, RefusesWhatItDidNotWrite) {
  const std::vector<TreeFile> files{{.path = "ä%41", .mode = 0755, .text = blob_id("a")},
                                    {.path = "b", .mode = 0, .text = blob_id("b")}};
  const std::string text = manifest_text(files);
  EXPECT_EQ(read_manifest(text), files);
  for (std::size_t size = 1; size < text.size(); ++size) {
    if (text[size - 1] == '\n') continue;
    STRATA_EXPECT_ERROR(read_manifest(text.substr(0, size)), "store.damaged");
  }
  const std::string id = hex(blob_id("a"));
  for (const std::string& wrong : {"9 " + id + " a\n", "644 " + id + " %4\n", "644 " + id + " %\n",
                                   "644 " + id + " %zz\n", std::string("644  a\n"), id + "\n", std::string("\n")}) {
    STRATA_EXPECT_ERROR(read_manifest(wrong), "store.damaged");
  }
}

TEST_P(RepositoryTest, TokensRequestsAndAudit) {
  Token token{.id = "k3f9",
              .hash = blob_id("secret"),
              .project = "default",
              .roles = "reader,editor",
              .node = "web01",
              .expires_at = 17};
  Request request{.id = new_uuid(),
                  .key_hash = blob_id("key"),
                  .digest = blob_id("body"),
                  .status = 201,
                  .headers = "ETag: x",
                  .body = "answer"};
  Request plain{.id = new_uuid(), .digest = blob_id("body"), .status = 204};
  AuditEntry entry{.who = "me", .project = "default", .action = "put", .target = "bucket", .outcome = "done"};
  store_->write("default", [&](Transaction& transaction, Project& project) {
    add_token(transaction, token);
    note_use(transaction, "k3f9", 20000);
    add_request(transaction, project, request);
    add_request(transaction, project, plain);
    add_audit(transaction, entry);
  });
  token.last_used_day = 20000;
  EXPECT_EQ(ask([](Transaction& transaction) { return find_token(transaction, "k3f9"); }), token);
  EXPECT_EQ(ask([](Transaction& transaction) { return tokens(transaction, "default"); }), std::vector{token});
  EXPECT_TRUE(ask([](Transaction& transaction) { return tokens(transaction, "other"); }).empty());
  EXPECT_EQ(ask([](Transaction& transaction) { return tokens(transaction); }).size(), 1U);
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_request(transaction, request.id); }), request);
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_request(transaction, plain.id); }), plain);
  EXPECT_EQ(ask([&](Transaction& transaction) { return find_request_by_key(transaction, project(), blob_id("key")); }),
            request);
  EXPECT_EQ(
      ask([&](Transaction& transaction) { return find_request_by_key(transaction, project(), blob_id("other")); }),
      std::nullopt);
  // The same request again, and another one with its key.
  STRATA_EXPECT_ERROR(store_->write("default", [&](Transaction& transaction,
                                                   Project& project) { add_request(transaction, project, plain); }),
                      "store.conflict");
  const auto audit = ask([](Transaction& transaction) { return audit_after(transaction, "default", 0, 10); });
  ASSERT_EQ(audit.size(), 1U);
  entry.id = audit[0].id;
  EXPECT_EQ(audit[0], entry);
  EXPECT_TRUE(ask([](Transaction& transaction) { return audit_after(transaction, "other", 0, 10); }).empty());
  EXPECT_EQ(ask([](Transaction& transaction) { return audit_after(transaction, {}, 0, 10); }).size(), 1U);

  store_->write("default", [&](Transaction& transaction, Project& project) {
    for (int i = 0; i < 3; ++i) {
      Change change{.kind = "site", .target = "s"};
      add_change(transaction, project, change);
    }
    save_numbers(transaction, project);
    EXPECT_TRUE(remove_token(transaction, "k3f9"));
    EXPECT_FALSE(remove_token(transaction, "k3f9"));
    EXPECT_EQ(remove_requests(transaction, plain.created_at + 1'000'000'000), 2);
    EXPECT_EQ(remove_changes(transaction, now() + 1'000'000), 2);
    EXPECT_EQ(remove_audit(transaction, 0), 0);
  });
}

TEST_P(RepositoryTest, SealedValuesOpenInTheirPlaceOnly) {
  std::string id;
  std::string other;
  store_->write("default", [&](Transaction& transaction, Project&) {
    id = add_sealed(transaction, *store_->keys(true), "default", "document", "hidden");
    other = add_sealed(transaction, *store_->keys(true), "default", "document", "more hidden");
  });
  const auto open_it = [&](std::string_view project, const std::string& which) {
    std::string secret;
    store_->read([&](Transaction& transaction) {
      secret =
          open_sealed(transaction, *store_->keys(false), {.project = project, .table = "document", .id = which}).view();
    });
    return secret;
  };
  EXPECT_EQ(open_it("default", id), "hidden");
  STRATA_EXPECT_ERROR(open_it("other", id), "store.sealed-broken");
  STRATA_EXPECT_ERROR(open_it("default", new_uuid()), "store.sealed-broken");
  // Rows that change places.
  store_->write("default", [&](Transaction& transaction, Project&) {
    transaction.run("UPDATE sealed SET id = 'x' WHERE id = $1", {id});
    transaction.run("UPDATE sealed SET id = $1 WHERE id = $2", {id, other});
    transaction.run("UPDATE sealed SET id = $1 WHERE id = 'x'", {other});
  });
  STRATA_EXPECT_ERROR(open_it("default", id), "store.sealed-broken");
  STRATA_EXPECT_ERROR(open_it("default", other), "store.sealed-broken");
  // The key is found again.
  open_store();
  store_->write("default", [&](Transaction& transaction, Project&) {
    transaction.run("UPDATE sealed SET id = $1 WHERE id = $2", {new_uuid(), id});
  });
}

TEST_P(RepositoryTest, OnlyFilesMakeTheirOwnKey) {
  StoreOptions options{.address = is_postgres() ? new_place() : "sqlite:" + new_place()};
  std::string told;
  options.on_new_key = [&](const std::string& path) { told = path; };
  Store store(std::move(options));
  EXPECT_TRUE(store.keys(false)->empty());
  EXPECT_EQ(told, "");
  if (is_postgres()) {
    STRATA_EXPECT_ERROR(store.keys(true), "store.no-key");
    return;
  }
  EXPECT_FALSE(store.keys(true)->empty());
  EXPECT_TRUE(told.ends_with(".db.key"));
  EXPECT_EQ(std::filesystem::status(told).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

INSTANTIATE_STORES(RepositoryTest);

}  // namespace
}  // namespace strata::store
