// SPDX-License-Identifier: Apache-2.0
#include "keys.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "store/encoding.hpp"
#include "store/failures.hpp"
#include "store/seal.hpp"
#include "strata/text.hpp"
#include "tree/descriptor.hpp"
#include "tree/sha256.hpp"

namespace strata::store {
namespace {

constexpr std::size_t kLongestFile = 4096;

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Error unreadable(const std::string& path, int error) {
  return Error("store.key", fmt::format("the key cannot be read: {}", detail::system_message(error))).in(path);
}

Key read_key_file(const std::string& path, const detail::Descriptor& file) {
  struct stat about {};
  if (fstat(file.get(), &about) != 0) throw unreadable(path, errno);
  if (!S_ISREG(about.st_mode)) throw Error("store.key", "the key is not in a regular file").in(path);
  if ((about.st_mode & 0077U) != 0) {
    throw Error("service.key-readable",
                fmt::format("others can read the key: the mode of the file is {:04o}", about.st_mode & 07777U))
        .in(path)
        .hint(fmt::format("chmod 600 {}", path));
  }
  std::string text = detail::read_all(file, path, kLongestFile);
  SecretBytes content(text);
  wipe(text);
  return parse_key(content.view(), path);
}

}  // namespace

Key key_of(SecretBytes bytes) {
  if (bytes.size() != kKeySize) throw Error("store.key", fmt::format("a key has 32 bytes, not {}", bytes.size()));
  SecretBytes named(std::string_view("strata-key"));
  SecretBytes joined(named.size() + bytes.size());
  named.view().copy(joined.data(), named.size());
  bytes.view().copy(joined.data() + named.size(), bytes.size());
  const auto digest = sha256(joined.view());
  return {.bytes = std::move(bytes), .id = std::string(reinterpret_cast<const char*>(digest.data()), 8)};
}

Key new_key() { return key_of(random_bytes(kKeySize)); }

SecretBytes key_text(const Key& key) {
  std::string text = base64(key.bytes.view()) + "\n";
  SecretBytes out(text);
  wipe(text);
  return out;
}

Key parse_key(std::string_view text, const std::string& name) {
  const std::string_view digits = without_blanks(text);
  std::optional<std::string> bytes = digits.size() == 2 * kKeySize ? from_hex(digits) : from_base64(digits);
  if (!bytes || bytes->size() != kKeySize) {
    if (bytes) wipe(*bytes);
    throw Error("store.key", "this is not a key: it must be 32 bytes as base64, or as 64 hexadecimal digits")
        .in(name)
        .hint("openssl rand -base64 32");
  }
  SecretBytes secret(*bytes);
  wipe(*bytes);
  return key_of(std::move(secret));
}

Key read_key(const std::string& source) {
  if (source.starts_with("env:")) {
    const std::string name = source.substr(4);
    char* value =
        std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): there is one thread, as the header asks for.
    if (value == nullptr) throw Error("store.key", fmt::format("the environment has no variable {} with a key", name));
    const SecretBytes text{std::string_view(value)};
    // The kernel shows the environment to others of the same user: the value itself goes too.
    explicit_bzero(value, text.size());
    unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): as above
    return parse_key(text.view(), source);
  }
  const std::string path = source.starts_with("file:") ? source.substr(5) : source;
  const detail::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) throw unreadable(path, errno);
  return read_key_file(path, file);
}

Key read_or_make_key(const std::string& path, bool& is_new) {
  is_new = false;
  if (const detail::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)); file)
    return read_key_file(path, file);
  if (errno != ENOENT) throw unreadable(path, errno);
  Key key = new_key();
  const SecretBytes text = key_text(key);
  // Complete under another name first: half a key would be a lost one.
  const std::string draft = path + ".new";
  ::unlink(draft.c_str());
  const detail::Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  const bool is_written = file &&
                          ::write(file.get(), text.view().data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                          ::fsync(file.get()) == 0 && ::rename(draft.c_str(), path.c_str()) == 0;
  if (!is_written)
    throw Error("store.unavailable", fmt::format("the key cannot be written: {}", detail::system_message(errno)))
        .in(path);
  sync_folder_of(path);
  is_new = true;
  return key;
}

const Key& Keyring::current() const {
  if (keys_.empty())
    throw Error("store.no-key", "there is no key to seal secrets under").hint("--key file:PATH or --key env:NAME");
  return keys_.front();
}

const Key* Keyring::find(std::string_view id) const noexcept {
  for (const Key& key : keys_) {
    if (key.id == id) return &key;
  }
  return nullptr;
}

}  // namespace strata::store
