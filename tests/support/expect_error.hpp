// SPDX-License-Identifier: Apache-2.0
// Expecting a strata::Error by its code.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "strata/error.hpp"

/// Fails unless `statement` throws a strata::Error with this code.
#define STRATA_EXPECT_ERROR(statement, expected)                                          \
  do {                                                                                    \
    try {                                                                                 \
      (void)(statement);                                                                  \
      ADD_FAILURE() << #statement << " did not fail";                                     \
    } catch (const ::strata::Error& error) {                                              \
      EXPECT_EQ(error.code(), expected) << ::strata::format(error.diagnostic(), "error"); \
    }                                                                                     \
  } while (false)
