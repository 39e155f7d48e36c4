// SPDX-License-Identifier: Apache-2.0
// strata::cloudinit::merge through its public face; the conformance vectors hold the rules, these tests what vectors
// cannot say.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "strata/cloudinit.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "support/sessions.hpp"

namespace strata::cloudinit {
namespace {

/// A request over files in memory.
class Merged {
 public:
  Merged(std::vector<std::string> parts, Request request = {}, std::map<std::string, std::string> files = {},
         const Limits& limits = {})
      : session_(testing::test_session(std::move(files), {.limits = limits, .keeps_history = true})) {
    for (std::string& part : parts)
      request.user_data.push_back(
          {.name = "p" + std::to_string(request.user_data.size() + 1), .bytes = std::move(part)});
    result_ = merge(std::move(request), session_);
  }

  [[nodiscard]] std::string json() const { return line(result_.config.value); }
  [[nodiscard]] std::string explain(const std::string& path) {
    std::string out;
    for (const merge::PathHistory& one : session_.recorder().history()->explain(result_.config, parse_pointer(path))) {
      for (const merge::Contribution& contribution : one.contributions) {
        out += std::string(to_string(contribution.fate)) + " " +
               sources_.place(contribution.value.origin()).to_string() + " " + line(contribution.value) + "; ";
      }
    }
    return out;
  }
  [[nodiscard]] std::string place(std::string_view key) const {
    return sources_.place(result_.config.value.find(key)->origin()).to_string();
  }
  [[nodiscard]] bool warns(std::string_view code) const {
    return std::ranges::any_of(session_.diagnostics().warnings(),
                               [code](const Diagnostic& one) { return one.code == code; });
  }
  [[nodiscard]] std::size_t warnings() const { return session_.diagnostics().warnings().size(); }
  [[nodiscard]] const Result& result() const { return result_; }

 private:
  static std::string line(const Value& value) {
    std::string out;
    text::append_json(out, value, {.sort_keys = false, .indent = -1});
    return out;
  }

  Session session_;
  Sources& sources_ = session_.sources();
  Result result_;
};

constexpr const char* kAppend = "#cloud-config\nmerge_how: list(append)+dict(recurse_list)+str()\n";

TEST(CloudInit, PartsUseTheirOwnMergers) {
  EXPECT_EQ(Merged({"#cloud-config\nl: [1]\n", std::string(kAppend) + "l: [2]\n"}).json(), R"({"l": [1, 2]})");
  EXPECT_EQ(Merged({std::string(kAppend) + "l: [1]\n", "#cloud-config\nl: [2]\n"}).json(), R"({"l": [2]})");
}

TEST(CloudInit, PromisedMergersActOnTheNextPart) {
  Request request;
  request.compat = Compat::promised;
  EXPECT_EQ(
      Merged({std::string(kAppend) + "l: [1]\n", "#cloud-config\nl: [2]\n", "#cloud-config\nl: [3]\n"}, request).json(),
      R"({"l": [1, 2, 3]})");
  EXPECT_EQ(Merged({"#cloud-config\nl: [1]\n", std::string(kAppend) + "l: [2]\n"}, request).json(), R"({"l": [2]})");
}

TEST(CloudInit, OddFormsOfMergersAreReadAsTheReferenceDoes) {
  const auto merged = [](const std::string& mergers) {
    return Merged({"#cloud-config\nl: [1, 2]\n", "#cloud-config\nmerge_how: " + mergers + "\nl: [3]\n"}).json();
  };
  // With both named, replace counts, by index here; a text holds `replace` where it is `no_replace`.
  EXPECT_EQ(merged("list(no_replace,replace)+dict(recurse_list)"), R"({"l": [3, 2]})");
  EXPECT_EQ(merged("[{name: list, settings: no_replace}, [dict, recurse_list]]"), R"({"l": [3, 2]})");
  EXPECT_EQ(merged("list(no_replace)+dict(recurse_list)"), R"({"l": [1, 2]})");
  // Items without a name are dropped, whatever their settings are.
  EXPECT_EQ(merged("[{name: ' ', settings: null}, [''], [null, x], [list, append], [dict, recurse_list]]"),
            R"({"l": [1, 2, 3]})");
}

TEST(CloudInit, EmptyPatchesDoNothing) {
  EXPECT_EQ(Merged({"#cloud-config\na: 1\n", "#cloud-config-jsonp\n{}"}).warnings(), 0U);
  EXPECT_EQ(Merged({"#cloud-config\na: 1\n", "#cloud-config-jsonp\nnull"}).warnings(), 1U);
}

TEST(CloudInit, UserDataNeedsAYesWhereTheSettingIsThere) {
  const auto merged = [](const std::string& setting) {
    Request request;
    request.base = {"base"};
    return Merged({"#cloud-config\na: 1\n"}, request, {{"base", setting}}).result().config.value.find("a") != nullptr;
  };
  EXPECT_TRUE(merged("b: 1\n"));
  EXPECT_TRUE(merged("allow_userdata: ' Yes '\n"));
  for (const char* no : {"false", "null", "0", "no", "maybe", "[]"})
    EXPECT_FALSE(merged("allow_userdata: " + std::string(no) + "\n")) << no;
}

TEST(CloudInit, VendorGatesSeeTheBuiltInSettingsBelowTheBase) {
  const auto merged = [](const std::string& user, const std::string& base,
                         const std::string& vendor = "#cloud-config\nv: 1\n") {
    Request request;
    request.base = {"base"};
    request.vendor_data = Blob{.name = "vendor", .bytes = vendor};
    return Merged({"#cloud-config\n" + user}, request, {{"base", base}}).result().config.value.find("v") != nullptr;
  };
  EXPECT_TRUE(merged("vendor_data: text\n", "b: 1\n"));
  EXPECT_FALSE(merged("vendor_data: text\n", "vendor_data: 5\n"));
  EXPECT_FALSE(merged("a: 1\n", "vendor_data: {disabled_handlers: {text/cloud-config: 1}}\n"));
  EXPECT_THROW(merged("a: 1\n", "vendor_data: {disabled_handlers: 5}\n"), Error);
  // Without a part, the setting is not read.
  EXPECT_FALSE(merged("a: 1\n", "vendor_data: {disabled_handlers: 5}\n", "#cloud-config-archive\n[]\n"));
}

TEST(CloudInit, WarnsOfListsThatStrongerLayersDrop) {
  const auto warns = [](const std::string& vendor, const std::string& user) {
    Request request;
    request.vendor_data = Blob{.name = "vendor", .bytes = "#cloud-config\n" + vendor};
    return Merged({"#cloud-config\n" + user}, request).warns("merge.dropped-list");
  };
  EXPECT_TRUE(warns("l: [1]\n", "l: [2]\n"));
  EXPECT_TRUE(warns("l: [1]\n", "l: {a: b}\n"));
  EXPECT_TRUE(warns("l: [1]\n", "l: {}\n"));
  EXPECT_TRUE(warns("m: {l: [1]}\n", "m: {l: {}}\n"));
  EXPECT_FALSE(warns("l: []\n", "l: {}\n"));
  EXPECT_FALSE(warns("l: [1]\n", "l: [2, 1]\n"));
}

TEST(CloudInit, WarnsOfTheTrap) {
  EXPECT_TRUE(Merged({std::string(kAppend) + "l: [1]\n", "#cloud-config\nl: [2]\n"}).warns("merger.not-inherited"));
  EXPECT_EQ(Merged({"#cloud-config\nl: [1]\n", "#cloud-config\nl: [2]\n"}).warnings(), 0U);
}

TEST(CloudInit, WarnsOfSurprises) {
  EXPECT_TRUE(Merged({"#cloud-config\nl: [1]\n", "#cloud-config\nmerge_how: list()+dict(recurse_list)\nl: [2, 3]\n"})
                  .warns("merge.surprise"));
  EXPECT_TRUE(
      Merged({"#cloud-config\nl: [1]\n", "#cloud-config\nmerge_how: list(append)\nl: [2]\n"}).warns("merger.no-dict"));
  EXPECT_TRUE(Merged({"#cloud-config\nmerge_how: list(apend)+dict()\nl: [2]\n"}).warns("merger.option"));
  Request request;
  request.base = {"base"};
  EXPECT_TRUE(Merged({"#cloud-config\nl: [1]\n"}, request, {{"base", "l: {a: 1}\n"}}).warns("merge.surprise"));
}

TEST(CloudInit, AFailingPartLeavesNoTrace) {
  Merged merged({"#cloud-config\na: s\nb: s\n",
                 "#cloud-config\nmerge_how: dict(recurse_list,recurse_str)+str(append)\nnew: 1\na: t\nb: [1]\n"});
  EXPECT_EQ(merged.json(), R"({"a": "s", "b": "s"})");
  EXPECT_EQ(merged.explain("/a"), "won p1:2:4 \"s\"; ");
  EXPECT_TRUE(merged.warns("merge.kind-mismatch"));
}

TEST(CloudInit, PatchesKeepHistories) {
  Merged merged(
      {"#cloud-config\na: 1\nb: [x]\nc: old\n",
       R"(#cloud-config-jsonp [{"op": "replace", "path": "/a", "value": 2}, {"op": "add", "path": "/b/-", "value": "y"},
                     {"op": "move", "from": "/c", "path": "/d"}, {"op": "copy", "from": "/b", "path": "/e"}])",
       std::string(kAppend) + "e: [z]\n"});
  EXPECT_EQ(merged.json(), R"({"a": 2, "b": ["x", "y"], "d": "old", "e": ["x", "y", "z"]})")
      << "a copy is not tied to what it was copied from";
  EXPECT_EQ(merged.explain("/a"), "shadowed p1:2:4 1; won p2:1:63 2; ");
  EXPECT_EQ(merged.explain("/d"), "won p1:4:4 \"old\"; ");
}

TEST(CloudInit, AFailingPatchChangesNothing) {
  const Merged merged(
      {"#cloud-config\na: 1\n",
       R"(#cloud-config-jsonp [{"op": "add", "path": "/z", "value": 1}, {"op": "test", "path": "/a", "value": 2}])"});
  EXPECT_EQ(merged.json(), R"({"a": 1})");
  EXPECT_TRUE(merged.warns("patch.test"));
}

TEST(CloudInit, LayersCompleteMappings) {
  Request request;
  request.base = {"base"};
  request.vendor_data = Blob{.name = "vendor", .bytes = "#cloud-config\nd: {y: vendor, v: 1}\n"};
  Merged merged({"#cloud-config\nd: {x: user}\n"}, request, {{"base", "d: {x: base, y: base, b: 1}\n"}});
  EXPECT_EQ(merged.json(), R"({"d": {"x": "user", "y": "vendor", "v": 1, "b": 1}})");
  EXPECT_EQ(merged.explain("/d/y"), "won vendor:2:8 \"vendor\"; shadowed base:1:17 \"base\"; ")
      << "in the order in which they met";
}

TEST(CloudInit, TemplatesHaveTheTemplatesLines) {
  Request request;
  request.instance_data = Blob{.name = "i", .bytes = R"({"v1": {"region": "eu"}})"};
  const Merged merged(
      {"## template: jinja\n#cloud-config\n{% if region %}\nr: x-{{ region }}\nplain: yes\n{% endif %}\n"}, request);
  EXPECT_EQ(merged.json(), R"({"r": "x-eu", "plain": true})");
  EXPECT_EQ(merged.place("plain"), "p1:5:8");
  EXPECT_EQ(merged.place("r"), "p1:4:4");
}

TEST(CloudInit, ReportsWhatBecameOfParts) {
  const Merged merged({"#cloud-config\na: 1\n", "#!/bin/sh\n", "#cloud-config\n- x\n", "junk\n"});
  const auto& parts = merged.result().parts;
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[0].fate, PartFate::merged);
  EXPECT_EQ(parts[0].mergers, "dict(replace)+list()+str()");
  EXPECT_EQ(parts[1].fate, PartFate::kept);
  EXPECT_EQ(parts[2].fate, PartFate::skipped);
  EXPECT_EQ(parts[3].fate, PartFate::unhandled);
}

TEST(CloudInit, ChecksAStrategyBeforeAnyWork) {
  Request request;
  request.strategy = "list";
  EXPECT_THROW(check_strategy(request), Error);
  request.strategy = "list(append)+nope()";
  EXPECT_THROW(check_strategy(request), Error);
  request.strategy = "list(append)+dict(recurse_list)";
  check_strategy(request);
  EXPECT_EQ(Merged({"#cloud-config\nl: [1]\n", "#cloud-config\nl: [2]\n"}, request).json(), R"({"l": [1, 2]})");
}

TEST(CloudInit, LimitsAreFatal) {
  Limits tight;
  tight.result = 5;
  EXPECT_THROW(Merged({"#cloud-config\nl: [1, 2, 3, 4, 5, 6]\n"}, {}, {}, tight), Error);
}

/// A run over files in memory; the number of origins of aliases that reading made.
std::size_t aliases_read(const std::vector<std::string>& parts, std::optional<std::string> launch_index) {
  Session session = testing::test_session();
  Request request;
  for (const std::string& part : parts) request.user_data.push_back({.name = "p", .bytes = part});
  request.launch_index = std::move(launch_index);
  const Result result = merge(std::move(request), session);
  EXPECT_EQ(session.diagnostics().warnings().size(), 0U);
  const Origin origin = session.sources().add_name("<test>");
  return session.sources().add_via(origin, origin).location - Origin::kFirstVia;
}

TEST(CloudInit, LaunchIndexesAreLookedUpInWhatIsMerged) {
  // Each reading of an alias makes an origin: those of one reading are all there are.
  const std::vector<std::string> parts{"#cloud-config\nlaunch-index: 1\na: &x [1]\nb: *x\n",
                                       "#cloud-config\na: &x [2]\nc: [*x, *x]\n",
                                       "#cloud-config\nlaunch-index: 2\na: &x [3]\nd: *x\n"};
  const std::size_t once = aliases_read(parts, std::nullopt);
  EXPECT_GT(once, 3U);
  EXPECT_EQ(aliases_read(parts, "1"), once);
}

TEST(CloudInit, PartsForOtherMachinesAreFiltered) {
  Request request;
  request.launch_index = "1";
  const Merged merged({"#cloud-config\nlaunch-index: 2\na: 1\n", "#cloud-config\nlaunch-index: 1\nb: 1\n"},
                      std::move(request));
  EXPECT_EQ(merged.json(), R"({"launch-index": 1, "b": 1})");
  ASSERT_EQ(merged.result().parts.size(), 2U);
  EXPECT_EQ(merged.result().parts[0].fate, PartFate::filtered);
  EXPECT_FALSE(merged.result().parts[0].origin);
  EXPECT_EQ(merged.result().parts[1].fate, PartFate::merged);
}

/// Files that all hold the same text; reading the n-th one cancels a Stop from another thread.
class CancelingTree final : public FileTree {
 public:
  CancelingTree(std::string text, std::size_t after, Stop& stop) : text_(std::move(text)), after_(after), stop_(stop) {}
  [[nodiscard]] std::optional<std::string> read(std::string_view /*path*/) const override {
    if (++reads_ == after_) std::thread([this] { stop_.cancel(); }).join();
    return text_;
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    return path.ends_with(".d") ? FileKind::none : FileKind::file;
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view /*path*/) const override { return {}; }
  [[nodiscard]] std::size_t reads() const noexcept { return reads_; }

 private:
  std::string text_;
  std::size_t after_;
  Stop& stop_;
  mutable std::size_t reads_ = 0;
};

/// The code of the error that ends a run.
std::string ending(Request request, std::shared_ptr<const FileTree> tree, const Stop& stop) {
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), std::move(tree)), {.limits = {.stop = &stop}});
  try {
    (void)merge(std::move(request), session);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

TEST(CloudInit, ARunEndsWhenItsTimeIsOver) {
  const Stop stop(Stop::Clock::now());
  Request request;
  request.user_data.push_back({.name = "p", .bytes = "#cloud-config\na: 1\n"});
  EXPECT_EQ(ending(std::move(request), memory_tree({}), stop), "limit.time");
}

TEST(CloudInit, ACancelledRunGoesOnWithNoPart) {
  std::string includes = "#include\n";
  for (int i = 0; i < 500; ++i) includes += "f" + std::to_string(i) + "\n";
  Stop stop;
  const auto tree =
      std::make_shared<const CancelingTree>("#cloud-config\na: [1\n", 20, stop);  // Parts that would be skipped.
  Request request;
  request.user_data.push_back({.name = "p", .bytes = includes});
  EXPECT_EQ(ending(std::move(request), tree, stop), "session.cancelled");
  EXPECT_EQ(tree->reads(), 20U);
}

TEST(CloudInit, ABaseFileThatIsNotUtf8IsFatal) {
  Request request;
  request.base = {"b.cfg"};
  const auto merged = [&request](const std::string& base, const std::string& fragment) {
    return Merged({"#cloud-config\na: 1\n"}, request, {{"b.cfg", base}, {"b.cfg.d/1.cfg", fragment}})
        .result()
        .config.value.find("b");
  };
  EXPECT_NE(merged("b: \u00e9\n", "c: 1\n"), nullptr);
  STRATA_EXPECT_ERROR((void)merged("b: 1\n# \xe9\n", "c: 1\n"), "base.encoding");
  STRATA_EXPECT_ERROR((void)merged("b: 1\n", "c: \xe9\n"), "base.encoding");
  // YAML that is broken is left out, as before.
  EXPECT_NE(merged("b: 1\n", "c: [\n"), nullptr);
}

/// Files in memory, of which one may not be read.
class RefusingTree final : public FileTree {
 public:
  RefusingTree(std::map<std::string, std::string> files, std::string refused)
      : files_(memory_tree(std::move(files))), refused_(std::move(refused)) {}
  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    if (path == refused_)
      throw Error("tree.unreadable", "the file cannot be read: Permission denied").in(std::string(path));
    return files_->read(path);
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override { return files_->kind(path); }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override { return files_->list(path); }

 private:
  std::unique_ptr<FileTree> files_;
  std::string refused_;
};

TEST(CloudInit, ABaseFileThatMayNotBeReadCountsAsEmpty) {
  const auto merged = [](const std::string& refused) {
    const std::map<std::string, std::string> files{
        {"b.cfg", "a: 1\nb: 1\n"}, {"b.cfg.d/1.cfg", "c: 1\n"}, {"b.cfg.d/2.cfg", "d: 1\n"}};
    Session session(
        Snapshot::make(Engine::make({.file_cache = 0}), std::make_shared<const RefusingTree>(files, refused)), {});
    Request request;
    request.base = {"b.cfg"};
    const Result result = merge(std::move(request), session);
    std::string out;
    for (const Entry& entry : result.config.value.entries()) out += entry.key.text();
    for (const Diagnostic& warning : session.diagnostics().warnings())
      out += "; " + warning.code + " " + warning.where.place.file;
    return out;
  };
  EXPECT_EQ(merged(""), "dcab");
  EXPECT_EQ(merged("b.cfg"), "dc; base.unreadable b.cfg");
  EXPECT_EQ(merged("b.cfg.d/1.cfg"), "dab; base.unreadable b.cfg.d/1.cfg");
}

TEST(CloudInit, AMissingBaseSaysWhatIsReadInItsPlace) {
  const auto warning = [](std::map<std::string, std::string> files) {
    Session session = testing::test_session(std::move(files));
    Request request;
    request.base = {"c"};
    (void)merge(std::move(request), session);
    const std::vector<Diagnostic>& warnings = session.diagnostics().warnings();
    return warnings.size() == 1 ? warnings.front().where.place.file + ": " + warnings.front().message
                                : std::to_string(warnings.size());
  };
  EXPECT_EQ(warning({}), "c: there is no such file or folder: the base counts as empty");
  EXPECT_EQ(warning({{"c.d/1.cfg", "a: 1\n"}}), "c: there is no such file: only c.d is read");
}

TEST(CloudInit, ACancelledRunGoesOnWithNoBaseFile) {
  Stop stop;
  const auto tree = std::make_shared<const CancelingTree>("a: [1\n", 3, stop);
  Request request;
  for (int i = 0; i < 50; ++i) request.base.push_back("b" + std::to_string(i));
  EXPECT_EQ(ending(std::move(request), tree, stop), "session.cancelled");
  EXPECT_EQ(tree->reads(), 3U);
}

}  // namespace
}  // namespace strata::cloudinit
