// SPDX-License-Identifier: Apache-2.0
// Decrypts texts for hiera-eyaml to check. Arguments: the files of a private key and a certificate. Standard input: a
// line a text, in hexadecimal digits; standard output: a line a text, `plain`, `ok HEX` or the code of the error.
// eyaml.py drives it.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "hiera/eyaml/eyaml.hpp"
#include "strata/error.hpp"
#include "support/hex.hpp"

namespace strata::hiera::eyaml {
namespace {

std::string contents(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string answer(const std::string& text, const Keys& keys) {
  if (!holds_block(text)) return "plain";
  try {
    return "ok " + testing::to_hex(decrypt(text, &keys).text);
  } catch (const Error& error) {
    return error.code();
  }
}

}  // namespace
}  // namespace strata::hiera::eyaml

int main(int count, char** arguments) {
  using namespace strata::hiera::eyaml;
  if (count != 3) return 2;
  const std::string key = contents(arguments[1]);
  const std::string certificate = contents(arguments[2]);
  const Keys keys = Keys::from_pem({key, arguments[1]}, Pem{certificate, arguments[2]});
  for (std::string line; std::getline(std::cin, line);)
    std::puts(answer(strata::testing::from_hex(line), keys).c_str());
}
