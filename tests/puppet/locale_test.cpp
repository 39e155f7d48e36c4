// SPDX-License-Identifier: Apache-2.0
// A program that uses the library may have set any locale: a decimal comma and Turkish letters change nothing.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "puppet/evaluator_world.hpp"
#include "ruby/text.hpp"
#include "strata/text.hpp"

namespace strata::puppet::testing {
namespace {

/// A locale made for the test: systems have few of them installed. Throws where it cannot be made.
class HostLocale {
 public:
  explicit HostLocale(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() / ("strata-locale-" + std::to_string(::getpid()) + "-" + name)) {
    std::filesystem::create_directories(folder_);
    const std::string command = "localedef -i " + name + " -f UTF-8 '" + (folder_ / (name + ".UTF-8")).string() + "'";
    // Status 1 says that there were warnings.
    const int status = std::system(command.c_str());
    if (status != 0 && WEXITSTATUS(status) != 1) throw std::runtime_error(command);
    ::setenv("LOCPATH", folder_.c_str(), 1);
    if (std::setlocale(LC_ALL, (name + ".UTF-8").c_str()) == nullptr) throw std::runtime_error("no locale " + name);
  }
  HostLocale(const HostLocale&) = delete;
  HostLocale& operator=(const HostLocale&) = delete;
  ~HostLocale() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path folder_;
};

/// What goes through readers, writers and evaluations, as one text.
std::string everything() {
  std::string out;
  Sources sources;
  for (const text::Profile* profile : {&text::pyyaml(), &text::psych(), &text::core12()}) {
    const text::Document document = text::read_yaml(
        sources, sources.add("y", "- 1.5\n- 1_000.25\n- .inf\n- 1:30.5\n- 2e3\n- 1.5e-7\n- IT\n"), *profile, {});
    out += text::write_yaml(document.root, {}) + ruby::inspect(document.root);
  }
  const text::Document json =
      text::read_json(sources, sources.add("j", "[1.5, -0.25, 1.0e+300, 12345678.9, 99999999999999999999]"), {});
  out += text::write_json(json.root) + ruby::inspect(json.root);
  const text::Document hocon = text::read_hocon(sources, sources.add("h", "a: 1.5, b: 2.5e-3, c: 0.1, I: i"), {});
  out += text::write_json(hocon.root);
  for (const char* program : {"1.5 + 0.25", "\"${[1.5]}\"", "'1.5' * 2", "Float('2.5e3')",
                              "sprintf('%.3f %e %g', 1.5, 2.5, 3.5)", "String(1234567.891, '%.2f')",
                              "upcase('title i')", "downcase('TITLE I')", "1.5 =~ Float[0.5, 2.5]", "Float[1.5]"}) {
    out += run(program);
  }
  out += ruby::upcase("title") + ruby::downcase("TITLE");
  return out;
}

TEST(Locale, DecimalCommaChangesNothing) {
  const std::string before = everything();
  const HostLocale locale("de_DE");
  ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  EXPECT_EQ(everything(), before);
}

TEST(Locale, TurkishLettersChangeNothing) {
  const std::string before = everything();
  const HostLocale locale("tr_TR");
  ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  EXPECT_EQ(everything(), before);
}

}  // namespace
}  // namespace strata::puppet::testing
