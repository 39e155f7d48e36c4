// SPDX-License-Identifier: Apache-2.0
// strata token …: the tokens of a service's store. Rules: docs/service/secure.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "command.hpp"
#include "output.hpp"
#include "store_options.hpp"
#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

constexpr unsigned kPlaceOfTokens = 830;
constexpr std::string_view kTokenPage = "service/secure.md";

std::string date_of_day(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// The day of a time of the store.
std::string date_of(std::int64_t microseconds) {
  constexpr std::int64_t kDay = std::int64_t{86'400} * 1'000'000;
  return date_of_day(microseconds / kDay);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : ",").append(word);
  return out;
}

/// What the commands below share.
class TokenCommand : public Command {
 public:
  TokenCommand(std::string name, std::string about) : name_(std::move(name)), about_(std::move(about)) {}

  void add_to(Arguments& program) final {
    command_ =
        program.subcommand("token", "create, list and revoke the tokens of a service").add_subcommand(name_, about_);
    add_options_to(command_);
    choice_.add_to(command_, false);
    options_.add_common_to(command_);
  }
  [[nodiscard]] bool is_chosen() const final { return command_.is_given(); }
  SharedOptions& options() final { return options_; }
  [[nodiscard]] int error_status() final { return 1; }
  int execute(const std::vector<std::string>& /*words*/) final {
    run();
    flush_output();
    return 0;
  }

 protected:
  virtual void add_options_to(Arguments& command) = 0;
  virtual void run() = 0;
  [[nodiscard]] store::StoreAddress named_store() const { return choice_.store(); }

 private:
  std::string name_;
  std::string about_;
  Arguments command_;
  StoreChoice choice_;
  SharedOptions options_;
};

class TokenCreateCommand final : public TokenCommand {
 public:
  TokenCreateCommand() : TokenCommand("create", "create a token and print it, once") {}

 private:
  void add_options_to(Arguments& command) override {
    command.add_option("--project", wanted_.project, "whose data it opens").type_name("NAME").capture_default_str();
    command.add_option("--role", wanted_.roles, "reader, editor, admin, secret-reader or node")
        .type_name("ROLE")
        .one_word();
    command.add_option("--policy-role", policy_roles_, "a role that only a policy names").type_name("ROLE").one_word();
    command.add_option("--node", wanted_.node, "the only node that it opens; its role is node").type_name("NAME");
    command.add_option("--days", days_, "how long it is valid; 0: always")
        .type_name("NUMBER")
        .within(0, 36'500)
        .capture_default_str();
    command.add_flag("--for-file", is_for_file_,
                     "store nothing: print also the line for a file of tokens, --auth tokens:FILE");
    command.add_option("--id", wanted_.id, "the part that lists and logs show; without it, a random one")
        .type_name("TEXT");
  }
  void run() override {
    store::NewToken wanted = wanted_;
    wanted.days = days_;
    check_roles(wanted.roles);
    wanted.roles.insert(wanted.roles.end(), policy_roles_.begin(), policy_roles_.end());
    if (!wanted.node.empty() && wanted.roles.empty()) wanted.roles.emplace_back("node");
    if (is_for_file_) {
      const store::FileToken made = store::create_file_token(wanted);
      print(made.token + "\n" + made.entry + "\n");
      return;
    }
    print(store::create_token(named_store(), wanted) + "\n");
  }

  /// A token with a misspelt role would permit nothing, or what a policy happens to say.
  static void check_roles(const std::vector<std::string>& roles) {
    constexpr std::array<std::string_view, 5> kOwn{"reader", "editor", "admin", "secret-reader", "node"};
    for (const std::string& role : roles) {
      if (std::ranges::find(kOwn, role) != kOwn.end()) continue;
      throw UsageError(Usage::value,
                       fmt::format("--role: unknown role '{}': {}; --policy-role takes a role that only a policy names",
                                   role, name_hint(kOwn, role, "reader, editor, admin, secret-reader or node")));
    }
  }

  store::NewToken wanted_;
  std::vector<std::string> policy_roles_;
  unsigned days_ = 90;
  bool is_for_file_ = false;
};

class TokenListCommand final : public TokenCommand {
 public:
  TokenListCommand() : TokenCommand("list", "list the tokens, without their secrets") {}

 private:
  void add_options_to(Arguments& command) override {
    project_option_ = command.add_option("--project", project_, "only those of a project").type_name("NAME");
    command.add_option("--output", output_, "the form of the list")
        .type_name("FORMAT")
        .one_of({"text", "json"})
        .capture_default_str();
  }
  void run() override {
    const auto tokens =
        store::list_tokens(named_store(), project_option_.is_given() ? std::optional(project_) : std::nullopt);
    if (output_ == "json") {
      Arena arena;
      print(text::write_json(data(arena, tokens)));
      return;
    }
    std::string out;
    for (const store::ListedToken& token : tokens) {
      out += fmt::format("{}: {} of {}", token.id, joined(token.roles), token.project);
      if (!token.node.empty()) out += fmt::format(", node {}", token.node);
      if (token.expires_at)
        out += fmt::format(", {} {}", token.is_expired ? "expired" : "until", date_of(*token.expires_at));
      out += token.last_used_day ? fmt::format(", used {}\n", date_of_day(*token.last_used_day)) : ", never used\n";
    }
    print(out);
  }

  static Value data(Arena& arena, const std::vector<store::ListedToken>& tokens) {
    SequenceBuilder list(arena, tokens.size());
    for (const store::ListedToken& token : tokens) {
      MappingBuilder item(arena);
      item.insert("id", arena.text(token.id));
      item.insert("project", arena.text(token.project));
      SequenceBuilder roles(arena, token.roles.size());
      for (const std::string& role : token.roles) roles.append(arena.text(role));
      item.insert("roles", roles.finish());
      if (!token.node.empty()) item.insert("node", arena.text(token.node));
      item.insert("created", arena.text(date_of(token.created_at)));
      item.insert("expires", token.expires_at ? arena.text(date_of(*token.expires_at)) : Value::null());
      item.insert("last_used", token.last_used_day ? arena.text(date_of_day(*token.last_used_day)) : Value::null());
      item.insert("expired", Value::boolean(token.is_expired));
      list.append(item.finish());
    }
    MappingBuilder out(arena);
    out.insert("format", arena.text("strata-tokens/1"));
    out.insert("tokens", list.finish());
    return out.finish();
  }

  std::string project_;
  Option project_option_;
  std::string output_ = "text";
};

class TokenRevokeCommand final : public TokenCommand {
 public:
  TokenRevokeCommand() : TokenCommand("revoke", "remove a token: a second later, services refuse it") {}

 private:
  void add_options_to(Arguments& command) override {
    command.add_option("ID", id_, "the second part of strata_ID_…").required();
  }
  void run() override { store::revoke_token(named_store(), id_); }

  std::string id_;
};

template <class Made>
std::unique_ptr<Command> made_token_command() {
  return std::make_unique<Made>();
}

const Registration token_create_registration(
    {.name = "token create",
     .place = kPlaceOfTokens,
     .make = made_token_command<TokenCreateCommand>,
     .examples = {"strata token create --id pipeline --role editor --store sqlite:demo.db",
                  "strata token create --id web01 --node web01 --days 365 --store sqlite:demo.db"},
     .page = kTokenPage});
const Registration token_list_registration(
    {.name = "token list",
     .place = kPlaceOfTokens + 1,
     .make = made_token_command<TokenListCommand>,
     .examples = {"strata token list --store sqlite:demo.db",
                  "strata token list --project default --output json --store sqlite:demo.db"},
     .page = kTokenPage});
const Registration token_revoke_registration({.name = "token revoke",
                                              .place = kPlaceOfTokens + 2,
                                              .make = made_token_command<TokenRevokeCommand>,
                                              .examples = {"strata token revoke --store sqlite:demo.db pipeline",
                                                           "strata token revoke --store sqlite:demo.db web01"},
                                              .page = kTokenPage});

}  // namespace

}  // namespace strata::cli
