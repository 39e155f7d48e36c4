// SPDX-License-Identifier: Apache-2.0
// What each form of a statement needs, a row each.
#include <gtest/gtest.h>

#include "bindings/document_world.hpp"

namespace strata::bindings {
namespace {

using testing::statements;

struct Row {
  std::string_view text;
  std::string_view error;
};

class Forms : public ::testing::TestWithParam<Row> {};

TEST_P(Forms, AreRefused) { EXPECT_EQ(statements(GetParam().text), GetParam().error) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    Concrete, Forms,
    ::testing::Values(Row{"bind to 1", "2:1: this binding has no key"},
                      Row{"bind 'a'", "2:1: binding 'a' has no producer"},
                      Row{"bind 'a' as 'b' to 1", "2:10: 'as' is not allowed here"},
                      Row{"bind 'a' to undef", "2:13: binding 'a' has no value: undef"},
                      Row{"bind \"a$b\"", "2:1: this binding has no producer"},
                      Row{"bind override override 'a' to 1", "2:15: 'override' occurs twice"},
                      Row{"bind 'a', 'b' to 1", "2:9: expected 'to' and what is bound, found ','"},
                      Row{"bind ntp to 1", "2:6: expected a name in quotes, a type, or 'to', found 'ntp'"},
                      Row{"bind Integer.foo to 1", "2:6: expected a type, such as Integer or Array[String]"},
                      Row{"bind 'a' to 1 { x => 1, x => 2 }", "2:25: 'x' occurs twice"}));

INSTANTIATE_TEST_SUITE_P(
    Abstract, Forms,
    ::testing::Values(Row{"bind abstract", "3:1: expected a name in quotes, a type, or 'to', found '}'"},
                      Row{"bind abstract 'a' to 1", "2:19: binding 'a' is abstract and cannot have a producer"}));

INSTANTIATE_TEST_SUITE_P(
    Contribution, Forms,
    ::testing::Values(Row{"bind 'a' in 'b'", "2:1: this contribution has no producer"},
                      Row{"bind abstract 'a' to 1 in 'b'", "2:1: a contribution cannot be abstract"},
                      Row{"bind abstract 'a' in 'b'", "2:1: a contribution cannot be abstract"},
                      Row{"bind override 'a' to 1 in 'b'",
                          "2:1: a contribution cannot be an override: it adds to a multibind and hides nothing"},
                      Row{"bind to undef in 'b'", "2:9: this contribution has no value: undef"},
                      Row{"bind to 1 in b", "2:14: expected the id of a multibind in quotes after 'in', found 'b'"}));

INSTANTIATE_TEST_SUITE_P(
    Multibind, Forms,
    ::testing::Values(Row{"multibind 'a'", "2:11: a multibind needs a type: Array[…] or Hash[…]"},
                      Row{"multibind Integer, 'a'", "2:11: a multibind needs a type: Array[…] or Hash[…]"},
                      Row{"multibind Array[Data], 'a' to 1",
                          "2:28: a multibind has no producer, except one of an extension: to producer …"},
                      Row{"multibind Array[Data], 'a' in 'b'", "2:28: 'in' is not allowed here"},
                      Row{"multibind", "3:1: expected the type of the multibind, Array[…] or Hash[…], found '}'"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, Forms,
    ::testing::Values(Row{"bind parameters ntp", "2:1: these parameters have no producer"},
                      Row{"bind parameters to {}", "2:1: these parameters have no producer"},
                      Row{"bind abstract parameters ntp to {}", "2:1: parameters cannot be abstract"},
                      Row{"bind parameters ntp abstract to {}", "2:1: parameters cannot be abstract"},
                      Row{"bind parameters ntp to {} in 'a'", "2:27: 'in' is not allowed here"},
                      Row{"bind parameters ntp as 'b' to {}", "2:21: 'as' is not allowed here"},
                      Row{"bind parameters ntp to undef", "2:24: these parameters have no value: undef"}));

INSTANTIATE_TEST_SUITE_P(
    Variables, Forms,
    ::testing::Values(Row{"bind variables", "3:1: expected 'to' and a hash of variables, found '}'"},
                      Row{"bind variables to 1", "2:19: expected a hash of variables"},
                      Row{"bind variables to ['a']", "2:19: expected a hash of variables"},
                      Row{"bind abstract variables to { a => 1 }", "2:28: abstract variables have no values"},
                      Row{"bind variables to { a => 1 } in 'b'", "2:30: 'in' is not allowed here"},
                      Row{"bind variables to undef", "2:19: these variables have no value: undef"}));

INSTANTIATE_TEST_SUITE_P(
    Others, Forms,
    ::testing::Values(Row{"bind alias 'a'", "3:1: expected 'as' and the new key, found '}'"},
                      Row{"bind alias 'a' as 'b' to 1", "2:23: 'to' is not allowed here"},
                      Row{"bind renamed 'a' as 'b' in 'c'", "2:25: 'in' is not allowed here"},
                      Row{"rebind 'a' to 1", "2:12: 'to' is not allowed here"},
                      Row{"rebind 'a' in 'b'", "2:12: 'in' is not allowed here"},
                      Row{"rebind", "3:1: expected a type, or a name in quotes, found '}'"},
                      Row{"bind abstract map A to B { a => b }", "2:1: a map cannot be abstract"},
                      Row{"bind map A to B",
                          "3:1: expected '{ name => name }' or '[name]', which parameter is which, found '}'"},
                      Row{"bind abstract dependency A['b'] -> C['d']", "2:1: a dependency cannot be abstract"},
                      Row{"bind dependency A['b']", "3:1: expected '->' or '~>', found '}'"}));

}  // namespace
}  // namespace strata::bindings
