// SPDX-License-Identifier: Apache-2.0
// The functions that a template of a version may call.
//
// Versions of HOT add functions and take away few, so that one table has the version that adds a function and the one
// that takes it away. The first version of HOT and CloudFormation's have lists of their own. Rule: the lists of Heat
// 27.0.0. Tested by tests/service/stacks_test.cpp.
#include "heat/template_functions.hpp"

#include <array>
#include <limits>
#include <span>
#include <utility>

namespace strata::heat {
namespace {

/// Since 2014-10-16, each version of HOT has the functions of the one before it, with few exceptions. Versions count
/// from there; the first version (2013-05-23) and CFN have lists of their own.
enum Step : unsigned { k2014, k201504, k201510, k2016, kNewton, kOcata, kPike, kQueens, kRocky, kWallaby };
constexpr unsigned kNever = std::numeric_limits<unsigned>::max();

struct Row {
  TemplateFunction function;
  unsigned since;           ///< The first version that has it.
  unsigned until = kNever;  ///< The first one that has it no more.
};

constexpr TemplateFunction kGetParam{"get_param", "the value of a parameter, or what is at a path in it"};
constexpr TemplateFunction kGetResource{"get_resource", "the identity of a resource of the same template"};
constexpr TemplateFunction kGetAttribute{"get_attr", "an attribute of a resource, or what is at a path in it"};
constexpr TemplateFunction kGetFile{"get_file", "the contents of a file that is sent with the template"};
constexpr TemplateFunction kListJoin{"list_join", "the strings of lists, joined with a delimiter"};
constexpr TemplateFunction kReplace{"str_replace", "a string with keys replaced by their values"};
constexpr TemplateFunction kFacade{"resource_facade",
                                   "metadata or a policy of the resource that the template stands for"};
constexpr TemplateFunction kSelect{"Fn::Select", "an item of a list by its index, or of a mapping by its key"};
constexpr TemplateFunction kZones{"Fn::GetAZs", "the availability zones"};
constexpr TemplateFunction kRef{"Ref", "the value of a parameter, or the identity of a resource"};
constexpr TemplateFunction kJoin{"Fn::Join", "the strings of a list, joined with a delimiter"};
constexpr TemplateFunction kSplit{"Fn::Split", "the parts of a string between delimiters, as a list"};
constexpr TemplateFunction kFnReplace{"Fn::Replace", "a string with keys replaced by their values"};
constexpr TemplateFunction kBase64{"Fn::Base64", "a string as it is; the name is kept for compatibility"};
constexpr TemplateFunction kMemberList{"Fn::MemberListToMap", "a mapping made of a list of names and values"};
constexpr TemplateFunction kFnFacade{"Fn::ResourceFacade",
                                     "metadata or a policy of the resource that the template stands for"};
constexpr TemplateFunction kFindInMap{"Fn::FindInMap", "a value of the section Mappings"};
constexpr TemplateFunction kFnGetAttribute{"Fn::GetAtt", "an attribute of a resource"};
constexpr TemplateFunction kYaql{"yaql", "the result of a YAQL expression over data"};
constexpr TemplateFunction kContains{"contains", "whether a sequence has a value"};

constexpr std::array kFirst{kZones, kGetParam, kGetResource, kRef,    kGetAttribute, kSelect, kJoin,     kListJoin,
                            kSplit, kReplace,  kFnReplace,   kBase64, kMemberList,   kFacade, kFnFacade, kGetFile};

constexpr std::array kLater{
    Row{kGetAttribute, k2014},
    Row{kGetFile, k2014},
    Row{kGetParam, k2014},
    Row{kGetResource, k2014},
    Row{kListJoin, k2014},
    Row{{"repeat", "a list made by filling in a pattern for each item of lists"}, k201504},
    Row{kFacade, k2014},
    Row{kReplace, k2014},
    Row{kSelect, k2014, k201510},
    Row{{"digest", "the digest of a string, made by a named algorithm"}, k201504},
    Row{{"str_split", "the parts of a string between delimiters, as a list or one of them"}, k201510},
    Row{{"map_merge", "one mapping made of several, later ones winning"}, k2016},
    Row{kYaql, kNewton},
    Row{{"map_replace", "a mapping with keys and values replaced"}, kNewton},
    Row{{"if", "one of two values, as a condition decides"}, kNewton},
    Row{{"filter", "a list without the given values"}, kOcata},
    Row{{"str_replace_strict", "as str_replace, and a key that the string lacks is an error"}, kOcata},
    Row{{"make_url", "a URL made of its parts"}, kPike},
    Row{{"list_concat", "one list made of several"}, kPike},
    Row{{"str_replace_vstrict", "as str_replace_strict, and an empty value is an error"}, kPike},
    Row{{"list_concat_unique", "one list made of several, each value once"}, kPike},
    Row{kContains, kPike},
};
/// Functions for conditions only, in addition to `get_param`, and from Pike on to `yaql` and `contains`.
constexpr std::array kLaterConditions{
    Row{{"equals", "whether two values are equal"}, kNewton},
    Row{{"not", "whether a condition does not hold"}, kNewton},
    Row{{"and", "whether all conditions hold"}, kNewton},
    Row{{"or", "whether one of the conditions holds"}, kNewton},
};

constexpr std::array kCfn{kFindInMap, kZones,     kRef,    kFnGetAttribute, kSelect,  kJoin,
                          kSplit,     kFnReplace, kBase64, kMemberList,     kFnFacade};
constexpr TemplateFunction kFnIf{"Fn::If", "one of two values, as a condition decides"};
constexpr std::array<TemplateFunction, 4> kCfnConditions{{{"Fn::Equals", "whether two values are equal"},
                                                          {"Fn::Not", "whether a condition does not hold"},
                                                          {"Fn::And", "whether all conditions hold"},
                                                          {"Fn::Or", "whether one of the conditions holds"}}};

bool is_first(std::string_view version) { return version == "2013-05-23"; }

/// The position of a later version of HOT.
unsigned step_of(std::string_view version) {
  constexpr std::array<std::pair<std::string_view, Step>, 16> kSteps{{{"2014-10-16", k2014},
                                                                      {"2015-04-30", k201504},
                                                                      {"2015-10-15", k201510},
                                                                      {"2016-04-08", k2016},
                                                                      {"2016-10-14", kNewton},
                                                                      {"newton", kNewton},
                                                                      {"2017-02-24", kOcata},
                                                                      {"ocata", kOcata},
                                                                      {"2017-09-01", kPike},
                                                                      {"pike", kPike},
                                                                      {"2018-03-02", kQueens},
                                                                      {"queens", kQueens},
                                                                      {"2018-08-31", kRocky},
                                                                      {"rocky", kRocky},
                                                                      {"2021-04-16", kWallaby},
                                                                      {"wallaby", kWallaby}}};
  for (const auto& [name, step] : kSteps) {
    if (name == version) return step;
  }
  return kWallaby;
}

void add_rows(std::span<const Row> rows, unsigned step, std::vector<TemplateFunction>& out) {
  for (const Row& row : rows) {
    if (row.since <= step && step < row.until) out.push_back(row.function);
  }
}

}  // namespace

std::vector<TemplateFunction> template_functions(const TemplateVersion& version, bool with_conditions) {
  if (!version.is_hot) {
    std::vector<TemplateFunction> out(kCfn.begin(), kCfn.end());
    if (version.key != "AWSTemplateFormatVersion") return out;
    out.push_back(kFnIf);
    if (with_conditions) out.insert(out.end(), kCfnConditions.begin(), kCfnConditions.end());
    return out;
  }
  if (is_first(version.version)) return {kFirst.begin(), kFirst.end()};
  std::vector<TemplateFunction> out;
  const unsigned step = step_of(version.version);
  add_rows(kLater, step, out);
  if (with_conditions) add_rows(kLaterConditions, step, out);
  return out;
}

}  // namespace strata::heat
