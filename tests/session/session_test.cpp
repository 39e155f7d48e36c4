// SPDX-License-Identifier: Apache-2.0
#include "strata/session.hpp"

#include <gtest/gtest.h>

#include "strata/text.hpp"
#include "support/expect_error.hpp"

namespace strata {
namespace {

TEST(Session, ItsMemoryOutlivesIt) {
  const auto engine = Engine::make();
  std::shared_ptr<const void> memory;
  Value value;
  {
    Session session(Snapshot::make(engine, memory_tree({})));
    const SourceId source = session.sources().add("request", "a: 1");
    value = session.arena().text("made by the request").with_origin(session.sources().at(source, 3));
    memory = session.memory();
  }
  EXPECT_EQ(value.text(), "made by the request");
  EXPECT_EQ(Sources(engine->locations()).place(value.origin()).to_string(), "request:1:4");
  EXPECT_GT(engine->usage().locations, 0U);
  memory.reset();
  EXPECT_EQ(engine->usage().locations, 0U);
}

TEST(Session, KeepsWhatItReadsForItsResults) {
  const auto engine = Engine::make({.file_cache = 0});
  std::shared_ptr<const void> memory;
  const text::Document* document = nullptr;
  {
    Session session(Snapshot::make(engine, memory_tree({{"a", "x: 1"}})));
    const FileReader<text::Document> reader = [](Sources& texts, SourceId source, const Limits& limits) {
      return Reading<text::Document>{
          .parsed = std::make_shared<const text::Document>(text::read_yaml(texts, source, text::core12(), limits))};
    };
    document = session.read<text::Document>("a", "core12", reader).get();
    EXPECT_EQ(session.read<text::Document>("a", "core12", reader).get(), document);
    EXPECT_EQ(session.read<text::Document>("b", "core12", reader), nullptr);
    memory = session.memory();
  }
  EXPECT_EQ(Sources(engine->locations()).place(document->root.find("x")->origin()).to_string(), "a:1:4");
  memory.reset();
  EXPECT_EQ(engine->usage().locations, 0U);
}

TEST(Session, EndsWhenThoseAroundItMustEnd) {
  Stop outer;
  const auto engine = Engine::make();
  Session session(Snapshot::make(engine, memory_tree({})), {.limits = {.stop = &outer}});
  const Session part(session, false);
  part.limits().stop->check();
  outer.cancel();
  STRATA_EXPECT_ERROR(session.limits().stop->check(), "session.cancelled");
  STRATA_EXPECT_ERROR(part.limits().stop->check(), "session.cancelled");
}

TEST(Session, OfANodeEndsAlone) {
  const auto engine = Engine::make();
  Session one(Snapshot::make(engine, memory_tree({})));
  Session other(one.shared_snapshot());
  one.stop().cancel();
  EXPECT_TRUE(one.limits().stop->is_due());
  EXPECT_FALSE(other.limits().stop->is_due());
}

}  // namespace
}  // namespace strata
