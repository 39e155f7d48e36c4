// SPDX-License-Identifier: Apache-2.0
// What fwd.hpp declares is what the headers define: of the same kind, in the same namespace, and there at all.
#include "strata/fwd.hpp"

#include <gtest/gtest.h>

namespace strata {
namespace {

/// A header that only refers to types needs no more than fwd.hpp.
struct Refers {
  const Value* value = nullptr;
  const hiera::NodeView* view = nullptr;
  Session* session = nullptr;
};

}  // namespace
}  // namespace strata

#include "strata/analysis.hpp"
#include "strata/bindings.hpp"
#include "strata/builder.hpp"
#include "strata/cloudinit.hpp"
#include "strata/deckhand.hpp"
#include "strata/engine.hpp"
#include "strata/fleet.hpp"
#include "strata/heat.hpp"
#include "strata/hiera.hpp"
#include "strata/host.hpp"
#include "strata/path.hpp"
#include "strata/process_host.hpp"
#include "strata/puppet.hpp"
#include "strata/puppet_program.hpp"
#include "strata/question.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"
#include "strata/strategy.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"

namespace strata {
namespace {

/// Whether all of them are defined somewhere.
template <class... Types>
constexpr bool are_complete() {
  return ((sizeof(Types) > 0) && ...);
}

static_assert(are_complete<Engine, Session, Snapshot, EngineSettings, SessionSettings, SnapshotSettings>());
static_assert(are_complete<Arena, Locations, MappingBuilder, Object, Path, SequenceBuilder, Sources, Value, Date, Entry,
                           Origin, Place, Timestamp>());
static_assert(are_complete<Diagnostics, Error, Errors, Stop, StopCheck, Diagnostic, Excerpt, Limits>());
static_assert(are_complete<Fetcher, FileTree, Host, HttpClient, PluginConnection, PluginStarter, Programs, ContentId,
                           HttpAnswer, HttpRequest, NamedText, ProcessHostOptions, Program, ProgramResult>());
static_assert(are_complete<text::DocumentPool, text::Symbol, text::YamlError, text::Document, text::JsonDialect,
                           text::JsonStyle, text::YamlLine, text::YamlStyle>());
static_assert(are_complete<merge::Accumulator, merge::History, merge::NullRecorder, merge::Recorder, merge::Slot,
                           merge::Contribution, merge::PathHistory, merge::Strategy, merge::Traced>());
static_assert(are_complete<analysis::Asked, analysis::Effects, analysis::Inputs, analysis::Question, analysis::ReadLog,
                           analysis::Study, analysis::Subject, analysis::Change, analysis::Comparison, analysis::Edit,
                           analysis::Effect, analysis::DiffReport, analysis::ImpactReport, analysis::Item,
                           analysis::Outcome, analysis::State, analysis::SubjectChanges>());
static_assert(are_complete<puppet::Program, puppet::Sensitive, puppet::TypeObject>());
static_assert(std::is_same_v<puppet::TypeRef, std::shared_ptr<const puppet::Type>>);
static_assert(are_complete<cloudinit::Request, cloudinit::Result, deckhand::Refused, deckhand::Request,
                           deckhand::Result, heat::Request>());
static_assert(are_complete<hiera::Explanation, hiera::LookupError, hiera::NodeSource, hiera::NodeView,
                           hiera::StateDifferences, hiera::Facts, hiera::FleetNode, hiera::FleetQuery,
                           hiera::FleetResult, hiera::Query, hiera::Request, hiera::Result, hiera::Settings>());
static_assert(are_complete<bindings::Injector, bindings::InjectorInputs, bindings::LayeredDocuments,
                           bindings::Preparations, site::Node, site::NodeInputs, site::Settings>());

TEST(Fwd, TypesAreThoseOfTheHeaders) {
  Arena arena;
  const Value text = arena.text("x");
  const Refers refers{.value = &text};
  EXPECT_EQ(refers.value->text(), "x");
}

}  // namespace
}  // namespace strata
