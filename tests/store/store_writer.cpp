// SPDX-License-Identifier: Apache-2.0
// Writes to a store until it is killed: store_writer ADDRESS THREADS. Prints a line `PROJECT REVISION` for each write
// that was acknowledged.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "store/documents.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/revisions.hpp"
#include "store/sealed.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"

namespace strata::store {
namespace {

/// One revision with three documents, of which one is sealed, a tag, a change and a request: all of it, or nothing.
std::int64_t write_once(Store& store, const std::string& name, const std::string& author) {
  std::int64_t number = 0;
  const std::string id = new_uuid();
  const auto keys = store.keys(true);
  const auto work = [&](Transaction& transaction, Project& project) {
    Revision revision{.kind = "put", .author = author, .created_at = 0, .request = id, .buckets = {"bucket"}};
    add_revision(transaction, project, revision);
    number = revision.number;
    const std::string data = fmt::format("data of {} {}", author, number);
    NewDocument document{.bucket = "bucket",
                         .schema = "s",
                         .layer = {},
                         .name = "d",
                         .metadata = "{}",
                         .data = data,
                         .sealed = {},
                         .digest = blob_id(data),
                         .is_deletion = false,
                         .line = {}};
    NewDocument secret = document;
    secret.data.reset();
    secret.sealed = add_sealed(transaction, *keys, name, "document", "secret of " + data);
    add_documents(transaction, project, number, std::vector{document, secret, document});
    put_tag(transaction, project, {.revision = number, .name = "tag", .data = data});
    Change change{.kind = "revision", .target = "bucket", .generation = number};
    add_change(transaction, project, change);
    Request request{.id = id, .digest = blob_id(data), .status = 200, .headers = std::to_string(number)};
    add_request(transaction, project, request);
  };
  store.write(name, work, {.deadline = {}, .was_done = [&](Transaction& transaction) {
                             const auto found = find_request(transaction, id);
                             if (found) number = std::stoll(found->headers);
                             return found.has_value();
                           }});
  return number;
}

void keep_writing(Store& store, const std::string& name, const std::string& author) {
  for (;;) {
    const std::string line = fmt::format("{} {}\n", name, write_once(store, name, author));
    // One call a line: a line is there or not.
    if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) _exit(2);
  }
}

int run(const std::string& address, int threads) {
  StoreOptions options{.address = address};
  if (!address.starts_with("sqlite:")) options.keys.push_back(key_of(SecretBytes(std::string(32, 'k'))));
  Store store(std::move(options));
  std::vector<std::thread> writers;
  for (int i = 0; i < threads; ++i) {
    writers.emplace_back([&, i] {
      try {
        keep_writing(store, fmt::format("p{}", i % 2), fmt::format("t{}", i));
      } catch (const Error& error) {
        fmt::print(stderr, "{}", format(error.diagnostic(), "error"));
        _exit(1);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  return 0;
}

}  // namespace
}  // namespace strata::store

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    return strata::store::run(words[1], std::stoi(words[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
