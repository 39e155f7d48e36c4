// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a text with encrypted blocks, as an envelope and as keys. Nothing but errors of its own
// comes out.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "hiera/eyaml/eyaml.hpp"
#include "strata/error.hpp"

namespace {

using strata::hiera::eyaml::Keys;

const Keys& keys() {
  static const Keys loaded = [] {
    std::ifstream file(STRATA_SOURCE_DIR "/tests/hiera/eyaml/private_key.pem");
    std::ostringstream text;
    text << file.rdbuf();
    const std::string pem = text.str();
    return Keys::from_pem({pem, "key"});
  }();
  return loaded;
}

template <class Work>
void expect_own_errors(const Work& work) {
  try {
    work();
  } catch (const strata::Error& error) {
    if (!error.code().starts_with("eyaml.") || error.diagnostic().message.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata::hiera::eyaml;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  expect_own_errors([&bytes] {
    const Decrypted decrypted = decrypt(bytes, &keys());
    if (!holds_block(bytes) && (decrypted.text != bytes || decrypted.secret)) std::abort();
  });
  expect_own_errors([&bytes] { (void)keys().open(bytes); });
  expect_own_errors([&bytes] { (void)Keys::from_pem({bytes, "key"}, Pem{bytes, "certificate"}); });
  return 0;
}
