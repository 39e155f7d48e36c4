#include "cloudinit/jinja/jinja.hpp"
#include <gtest/gtest.h>
TEST(Jinja, Renders) {}
