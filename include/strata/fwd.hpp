// SPDX-License-Identifier: Apache-2.0
// Forward declarations of the public types.
#pragma once

namespace strata {

// Lifetimes.
class Engine;
class Executor;
class Session;
class Snapshot;
struct EngineSettings;
struct SessionSettings;
struct SnapshotSettings;

// Values and provenance.
class Arena;
class Locations;
class MappingBuilder;
class Object;
class Path;
class SequenceBuilder;
class Sources;
class Value;
struct Date;
struct Entry;
struct Origin;
struct Place;
struct Timestamp;

// Errors and limits.
class Diagnostics;
class Error;
class Errors;
class Stop;
class StopCheck;
struct Diagnostic;
struct Excerpt;
struct Limits;

// The outside world.
class Fetcher;
class FileTree;
class Host;
class HttpClient;
class PluginConnection;
class PluginStarter;
class Programs;
struct ContentId;
struct HttpAnswer;
struct HttpRequest;
struct NamedText;
struct ProcessHostOptions;
struct Program;
struct ProgramResult;

namespace text {
class DocumentPool;
class Symbol;
class YamlError;
struct Document;
struct JsonDialect;
struct JsonStyle;
struct Profile;
struct YamlLine;
struct YamlStyle;
}  // namespace text

namespace merge {
class Accumulator;
class Builder;
class History;
class NullRecorder;
class Recorder;
class Slot;
struct Contribution;
struct PathHistory;
struct Strategy;
struct Traced;
}  // namespace merge

namespace analysis {
class Asked;
class Effects;
class Inputs;
class Question;
class ReadLog;
class Study;
class Subject;
struct Change;
struct Comparison;
struct DiffReport;
struct Edit;
struct Effect;
struct ImpactReport;
struct Item;
struct Outcome;
struct State;
struct SubjectChanges;
}  // namespace analysis

namespace puppet {
class Program;
class Sensitive;
class Type;
class TypeObject;
}  // namespace puppet

namespace cloudinit {
struct Request;
struct Result;
}  // namespace cloudinit

namespace deckhand {
class Refused;
struct Request;
struct Result;
}  // namespace deckhand

namespace heat {
struct Request;
}  // namespace heat

namespace hiera {
class Explanation;
class LookupError;
class NodeNumbers;
class NodeSource;
class NodeView;
class StateDifferences;
struct Facts;
struct FleetNode;
struct FleetQuery;
struct FleetResult;
struct Query;
struct Request;
struct Result;
struct Settings;
}  // namespace hiera

namespace bindings {
class Injector;
class LayeredDocuments;
class Preparations;
struct InjectorInputs;
}  // namespace bindings

namespace site {
class Node;
struct NodeInputs;
struct Settings;
}  // namespace site

}  // namespace strata
