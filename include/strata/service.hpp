// SPDX-License-Identifier: Apache-2.0
// The service: answers over HTTP what commands answer, and keeps revisions and stacks. Rules: docs/service/run.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/identity.hpp"
#include "strata/limits.hpp"

namespace strata {
class Engine;
class Executor;
class FileTree;
}  // namespace strata
namespace strata::analysis {
class Question;
}  // namespace strata::analysis
namespace strata::workspace {
struct Project;
struct VerbForm;
}  // namespace strata::workspace

namespace strata::service {

/// Files of this machine with the keys that open encrypted values of a site.
struct SiteKeys {
  std::string private_key;
  std::string public_key = {};  ///< A certificate. Empty: none.
};

/// A site of the configuration: a folder of this machine, or a repository at a revision.
struct SiteSettings {
  std::string name;
  std::string dialect;
  std::string path;
  std::string ref = {};  ///< Of a repository. Empty: the folder as it is.
  std::string options =
      {};  ///< The members of a project of `.strata.yaml`, as JSON. Empty: the files say what is asked.
  bool keep_last_good = false;  ///< While it is broken, it answers as it was before.
  SiteKeys eyaml_keys =
      {};  ///< Absolute paths. Empty: the files of the site name key files, which are files of the site.
};
/// Reads `NAME=DIALECT:PATH[@REF]`. Errors: `service.config`, `site.dialect`.
[[nodiscard]] SiteSettings read_site(const std::string& text);

/// What clients may take of the service. Every member is a key of `limits` in the configuration file.
struct ServerLimits {
  std::size_t request_line = std::size_t{8} << 10U;
  std::size_t headers = std::size_t{16} << 10U;  ///< Bytes of all.
  std::size_t fields = 100;                      ///< Number of headers.
  std::size_t body =
      std::size_t{32}
      << 20U;  ///< Bytes of a body, also when it is unpacked; uploads and Heat's face have limits of their own.
  std::size_t body_memory = std::size_t{256} << 20U;  ///< Of bodies in flight.
  std::size_t connections = 4096;
  std::size_t per_address = 1024;  ///< Connections.
  std::size_t per_principal = 64;  ///< Requests in flight.
  std::size_t rate = 0;            ///< Requests a second of one principal. 0: as many as it likes.
  std::size_t queue = 256;         ///< Requests that wait for a worker.
  std::size_t streams = 1024;      ///< Answers that go on: watches, snapshots, exports.
  std::chrono::seconds head_time{10};
  std::chrono::seconds idle_time{75};
  std::chrono::seconds write_time{30};
  std::chrono::seconds request_time{30};
};

/// How a service runs. Every member is a key of its configuration file.
struct Settings {
  std::vector<std::string> listen =
      {};  ///< `ADDRESS:PORT[,tls][,faces=A+B]`, `unix:PATH`. Empty: kListen, or the sockets of systemd.
  std::string store = {};                         ///< `sqlite:PATH` or `postgresql://…`. Empty: a file of the user.
  std::vector<std::string> keys = {};             ///< `file:PATH` or `env:NAME`; the first seals.
  std::vector<AuthWay> auth = {};                 ///< Methods of authentication, in their order. Empty: `none`.
  std::vector<std::string> anonymous_roles = {};  ///< Of `none`. Empty: `admin`.
  // TLS of listeners with `,tls`: files in PEM.
  std::vector<std::string> tls_certificates = {};  ///< Chains; the first is for clients that ask for no name.
  std::vector<std::string> tls_keys = {};          ///< In the same order.
  std::string client_ca = {};                      ///< Who signs certificates of clients.
  std::string client_auth = {};  ///< `none`, `request` or `require`; empty: `request` with `client_ca`, else `none`.
  std::chrono::milliseconds ticket_time{3'600'000};  ///< How long a key of session tickets lives.
  std::vector<SiteSettings> sites = {};
  std::vector<std::string> repositories = {};  ///< Folders with the repositories that clients may make sites of.
  std::size_t cache = std::size_t{1} << 30U;   ///< Bytes of states of sites, documents and answers in memory.
  std::string policy = {};                     ///< A file. Empty: the rules that are built in.
  std::vector<std::string> public_hosts =
      {};  ///< Names by which browsers may reach the explorer, besides addresses in digits and `localhost`.
  std::string log = {};     ///< A file. Empty: standard error.
  std::size_t loops = 0;    ///< Threads that read and write; 0: one a core.
  std::size_t workers = 0;  ///< Threads for longer work; 0: one a core.
  ServerLimits server = {};
  /// Proxies whose `Forwarded` and `X-Forwarded-…` are believed: networks as `10.0.0.0/8`, addresses, or `unix` for
  /// sockets of this machine.
  std::vector<std::string> trusted_proxies = {};
  std::string deckhand_project =
      "default";            ///< Of requests of Deckhand that name none, and whose credential is for none.
  std::string compat = {};  ///< `promised` or `shipped`: how Deckhand's and Heat's faces answer. Empty: as promised.
  bool requires_if_match = false;  ///< Writes to trees of sites that are there must have `If-Match`.
  std::chrono::milliseconds drain_delay{0};
  std::chrono::milliseconds drain{30'000};
  std::vector<int> unused_sockets =
      {};                   ///< Inherited, and not among `listen`: they are closed, and the log tells of them.
  bool only_looks = false;  ///< Changes nothing and serves no client: for what `Program` says of itself.
  bool echoes = false;      ///< `/echo` answers a fixed text: what measurements compare with.
  Limits limits = {};
};
inline constexpr std::string_view kListen = "127.0.0.1:8787";

/// What the question of a site stands on.
struct QuestionGround {
  const FileTree& tree;  ///< The files of the site; `/` is its root.
  std::shared_ptr<Engine> engine;
  const Limits& limits;
  std::string nodes = {};  ///< An input that lists nodes, instead of those of the project. Empty: those of the project.
  std::vector<std::string> options = {};  ///< Words of the command line besides those of the project.
};
/// A project as a question.
struct SiteQuestion {
  std::unique_ptr<analysis::Question> question;
  std::string dialect = {};  ///< For people: `Hiera 5`.
  /// The input in which the question looks for nodes that were guessed, with its text. Empty: it looks for none.
  std::string assumed_nodes = {};
  std::string assumed_text = {};
  const workspace::VerbForm* form = nullptr;  ///< Of the project's verb. It outlives the question.
};
/// Makes questions of projects: the program knows how. The question must not outlive the engine. Errors: `workspace.…`.
using QuestionMaker = std::function<SiteQuestion(const workspace::Project& project, const QuestionGround& ground)>;

/// Reads a configuration file. Members that it has replace those of `under`. Errors: `service.config`, and those of the
/// YAML reader.
[[nodiscard]] Settings read_settings(const std::string& file, std::string text, Settings under = {});

/// The policy that is built in, or that of a file, as YAML. Errors: `service.policy`.
[[nodiscard]] std::string policy_text(const std::string& file, const Limits& limits);

/// A service that runs, from its construction on, except with `only_looks`. The process should ignore SIGPIPE and
/// SIGXFSZ: a closed connection and a full disk are then errors of those who write.
class Program {
 public:
  /// `executor`: threads for the parts of large requests; may be null.
  /// Errors: those of the store; `service.listen`, `service.auth`, `service.policy`, `service.log`.
  Program(Settings settings, QuestionMaker questions, std::shared_ptr<Executor> executor = nullptr);
  /// Ends what is still in flight.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Where it listens, with the ports that the system gave.
  [[nodiscard]] const std::vector<std::string>& addresses() const noexcept;
  /// What it would say of itself: the store, the listeners, the ways of identity, the policy, the sites; a line each.
  [[nodiscard]] std::string description() const;
  /// Whether each site of the configuration can be read.
  [[nodiscard]] bool has_whole_sites() const;
  /// What is wrong with what the sites of the configuration give machines of cloud-init.
  [[nodiscard]] std::vector<Diagnostic> seed_problems() const;
  /// `FACE METHOD PATTERN`: a line for each route, sorted.
  [[nodiscard]] std::string routes() const;
  /// Reads the policy and other files again; a wrong file leaves the old one, and is logged. Opens the log again.
  void reload();
  /// Reads again what has changed of the files that `reload` reads. Call it about once a second.
  void look_at_files();
  /// Whether all threads that read requests have turned in the last five seconds.
  [[nodiscard]] bool is_turning() const noexcept;
  /// No new requests from now on. Returns when those in flight are answered; false if their time was over.
  [[nodiscard]] bool stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace strata::service
