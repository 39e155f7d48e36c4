// SPDX-License-Identifier: Apache-2.0
// An Engine that stays: edits of a site, each followed by one question, beside readers of older Snapshots; and many
// requests of all five systems.
//
//     resident_bench [edits|requests|all] [COUNT] [READERS]     10,000 edits beside 8 readers, and 1,000,000 requests
//     by default
//
// Prints ratios: an edit with its question to the cold start, and the memory of the last tenth to that of the first.
// Exit status 1 where an answer was wrong.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "strata/builder.hpp"
#include "strata/cloudinit.hpp"
#include "strata/deckhand.hpp"
#include "strata/heat.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"

namespace strata {
namespace {

constexpr int kNodes = 1000;
constexpr int kKeys = 500;
constexpr int kRoles = 20;

/// Processor time of this thread in seconds: readers beside it do not count.
double thread_seconds() {
  struct timespec now {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double resident_megabytes() {
  long pages = 0;
  long resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;  // NOLINT(cert-err34-c)
    std::fclose(file);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "resident: wrong answer: {}\n", what);
  std::exit(1);
}

/// Mean of what is measured in the first and in the last tenth of a run.
class Flatness {
 public:
  explicit Flatness(std::size_t count) : tenth_(count / 10) {}
  void add(std::size_t turn, std::size_t count) {
    if (turn % 16 != 0) return;
    if (turn < tenth_) first_.add();
    if (turn >= count - tenth_) last_.add();
  }
  void print(std::string_view name) const {
    fmt::print("{:<44} resident {:.1f} MB -> {:.1f} MB ({:.3f})\n", name, first_.get(), last_.get(),
               last_.get() / first_.get());
  }

 private:
  class Mean {
   public:
    void add() {
      sum_ += resident_megabytes();
      ++count_;
    }
    [[nodiscard]] double get() const { return sum_ / count_; }

   private:
    double sum_ = 0;
    double count_ = 0;
  };
  std::size_t tenth_;
  Mean first_;
  Mean last_;
};

std::string value_of(int key, int salt) {
  switch (key % 5) {
    case 3:
      return fmt::format(R"({{"enabled": true, "port": {}, "limits": {{"cpu": {}, "mem": 4096, "name": "n{}"}}}})",
                         key + salt, salt % 64, key);
    case 4:
      return fmt::format(R"(["a{}", "b{}", "c", "d"])", key, salt);
    default:
      return fmt::format("\"text {} {}\"", key, salt);
  }
}

std::string level(int first, int step, int salt) {
  std::string out;
  for (int key = first; key < kKeys; key += step) out += fmt::format("key_{:03}: {}\n", key, value_of(key, salt));
  return out;
}

// ---- Hiera

std::string node_path(int node) { return fmt::format("/code/environments/production/data/nodes/n{}.yaml", node); }
std::string node_text(int node, int version) {
  return fmt::format("own: \"{} of {:06}\"\n{}", node, version, level(node % 50, 50, node));
}

std::map<std::string, std::string> hiera_site() {
  std::map<std::string, std::string> files;
  const std::string data = "/code/environments/production/data/";
  files["/code/environments/production/hiera.yaml"] =
      "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: node, path: "
      "\"nodes/%{facts.nodename}.yaml\"}\n"
      "  - {name: role, path: \"roles/%{facts.role}.yaml\"}\n  - {name: common, path: common.yaml}\n";
  files[data + "common.yaml"] = level(0, 1, 0);
  for (int role = 0; role < kRoles; ++role)
    files[data + fmt::format("roles/r{}.yaml", role)] = level(role % 5, 5, role);
  for (int node = 0; node < kNodes; ++node) files[node_path(node)] = node_text(node, 0);
  return files;
}

/// What one key of one node is: the key `own` says which version of the node's file was read.
std::string own_of(const std::shared_ptr<Snapshot>& snapshot, int node) {
  Session session(snapshot);
  hiera::Request request{.settings = {.codedir = "/code"}, .facts = {}, .query = {}};
  request.facts.arena = std::make_shared<Arena>();
  Arena& arena = *request.facts.arena;
  MappingBuilder facts(arena);
  facts.insert("nodename", arena.text(fmt::format("n{}", node)));
  facts.insert("role", arena.text(fmt::format("r{}", node % kRoles)));
  request.facts.values = facts.finish();
  request.query.names = {"own"};
  request.query.merge = Value();
  const hiera::Result result = hiera::lookup(request, session);
  return std::string(result.value.value.text());
}

// ---- Bindings

constexpr int kModules = 200;
constexpr int kBindings = 100;

std::string module_text(int module, int version) {
  std::string out =
      fmt::format("bindings m{0:03}::default {{\n  bind 'm{0:03}::own' to '{0} of {1:06}'\n", module, version);
  for (int key = 0; key < kBindings; ++key)
    out += fmt::format("  bind 'm{:03}::key_{:03}' to 'value {}'\n", module, key, key * module);
  return out + "}\n";
}
std::string module_path(int module) { return fmt::format("/site/modules/m{0:03}/bindings/default.pp", module); }

std::map<std::string, std::string> bindings_site() {
  std::map<std::string, std::string> files;
  files["/site/environments.pp"] = "";
  for (int module = 0; module < kModules; ++module) files[module_path(module)] = module_text(module, 0);
  return files;
}

std::string own_of_module(const std::shared_ptr<Snapshot>& snapshot, int module) {
  Session session(snapshot);
  site::Node node(
      {.confdir = "/site"},
      {.name = "kermit.example.com", .facts = site::NamedText{"facts.yaml", "clientcert: kermit.example.com\n"}},
      session);
  return std::string(node.injector().inject(fmt::format("m{:03}::own", module)).value.text());
}

// ---- Edits

struct EditedSite {
  std::string_view name;
  std::map<std::string, std::string> files;
  int edited;  ///< How many files can be edited.
  std::string (*path)(int);
  std::string (*text)(int, int);
  std::string (*answer)(const std::shared_ptr<Snapshot>&, int);
};

/// Snapshots with the version of each edited file.
struct State {
  std::shared_ptr<Snapshot> snapshot;
  std::vector<int> versions;
};

void run_edits(const EditedSite& site, std::size_t count, unsigned reader_count) {
  const auto expected = [](int item, int version) { return fmt::format("{} of {:06}", item, version); };
  // The cold start: everything is read, and everybody is answered once.
  double cold = 0;
  for (int run = 0; run < 3; ++run) {
    const std::shared_ptr<const FileTree> tree = memory_tree(site.files);
    const double begin = thread_seconds();
    const auto snapshot = Snapshot::make(Engine::make(), tree);
    for (int item = 0; item < site.edited; ++item) {
      if (site.answer(snapshot, item) != expected(item, 0)) fail(fmt::format("{}: {}", site.name, item));
      if (site.answer == &own_of_module) break;  // One answer composes all of it.
    }
    const double took = thread_seconds() - begin;
    cold = run == 0 ? took : std::min(cold, took);
  }

  const auto engine = Engine::make();
  std::shared_ptr<const FileTree> tree = memory_tree(site.files);
  std::mutex mutex;
  State now{.snapshot = Snapshot::make(engine, tree),
            .versions = std::vector<int>(static_cast<std::size_t>(site.edited))};
  for (int item = 0; item < site.edited; ++item) {
    if (site.answer != &own_of_module || item == 0) (void)site.answer(now.snapshot, item);
  }
  std::atomic<bool> done = false;
  std::atomic<std::size_t> read = 0;
  std::vector<std::thread> readers;
  for (unsigned reader = 0; reader < reader_count; ++reader) {
    readers.emplace_back([&, reader] {
      unsigned turn = reader;
      while (!done) {
        State own;
        {
          const std::lock_guard lock(mutex);
          own = now;
        }
        // For a while this Snapshot is an older one.
        for (int i = 0; i < 20 && !done; ++i, turn += 7) {
          const int item = static_cast<int>(turn % static_cast<unsigned>(site.edited));
          if (site.answer(own.snapshot, item) != expected(item, own.versions[static_cast<std::size_t>(item)]))
            fail(fmt::format("{}: a reader's {}", site.name, item));
          ++read;
        }
      }
    });
  }
  const double begin_resident = resident_megabytes();
  // The first edits fill what the allocator keeps for each thread: a few thousand until that is full. They are not
  // measured.
  const std::size_t unmeasured = count / 2;
  Flatness flatness(count);
  double edits = 0;
  for (std::size_t turn = 0; turn < unmeasured + count; ++turn) {
    const int item = static_cast<int>(turn * 7919 % static_cast<std::size_t>(site.edited));
    const int version = static_cast<int>(turn + 1);
    std::string text = site.text(item, version);
    const double begin = thread_seconds();
    tree = edited_tree(tree, {{site.path(item), std::move(text)}});
    const auto snapshot = Snapshot::make(engine, tree);
    const std::string answer = site.answer(snapshot, item);
    if (turn >= unmeasured) edits += thread_seconds() - begin;
    if (answer != expected(item, version)) fail(fmt::format("{}: {} is '{}'", site.name, item, answer));
    {
      const std::lock_guard lock(mutex);
      now.snapshot = snapshot;
      now.versions[static_cast<std::size_t>(item)] = version;
    }
    if (turn >= unmeasured) flatness.add(turn - unmeasured, count);
  }
  done = true;
  for (std::thread& thread : readers) thread.join();
  fmt::print(
      "{:<44} {:.2f} ms cold, {:.3f} ms an edit and its answer: {:.2f} %; {} answers of older snapshots beside\n",
      site.name, cold * 1e3, edits / static_cast<double>(count) * 1e3, 100 * edits / static_cast<double>(count) / cold,
      read.load());
  flatness.print(fmt::format("{}: memory of the first and last tenth", site.name));
  fmt::print("{:<44} {:.1f} MB resident before the first edit\n", "", begin_resident);
  const Engine::Usage usage = engine->usage();
  fmt::print("{:<44} {} files, {:.1f} MB in the cache, {:.1f} MB of locations, {} readings\n", "", usage.files,
             static_cast<double>(usage.bytes) / 1e6, static_cast<double>(usage.locations) / 1e6, usage.reads);
}

// ---- Requests of all five systems in turn, each in a Session of its own over one Snapshot

std::string lookup_request(const std::shared_ptr<Snapshot>& snapshot, std::size_t turn) {
  return own_of(snapshot, static_cast<int>(turn % 100));
}

std::string inject_request(const std::shared_ptr<Snapshot>& snapshot, std::size_t turn) {
  Session session(snapshot);
  const std::string facts = fmt::format("{{\"clientcert\": \"n{}.example.com\", \"turn\": {}}}", turn % 1000, turn);
  site::Node node({.confdir = "/small"}, {.name = "n.example.com", .facts = site::NamedText{"facts.json", facts}},
                  session);
  return std::string(node.injector().inject("m::own").value.text());
}

std::string merge_request(const std::shared_ptr<Snapshot>& snapshot, std::size_t turn) {
  Session session(snapshot);
  cloudinit::Request request;
  request.user_data.push_back(
      {.name = "one.yaml", .bytes = fmt::format("#cloud-config\nhostname: h{}\npackages: [curl, nginx]\n", turn)});
  const cloudinit::Result result = cloudinit::merge(std::move(request), session);
  return std::string(result.config.value.find("hostname")->text());
}

std::string render_request(const std::shared_ptr<Snapshot>& snapshot, std::size_t turn) {
  Session session(snapshot);
  deckhand::Request request;
  request.streams.push_back(
      {.name = "site.yaml",
       .text = fmt::format(
           "schema: deckhand/LayeringPolicy/v1\nmetadata: {{schema: metadata/Control/v1, name: p, "
           "storagePolicy: cleartext}}\ndata: {{layerOrder: [site]}}\n---\nschema: a/B/v1\nmetadata: {{schema: "
           "metadata/Document/v1, name: n, "
           "storagePolicy: cleartext, layeringDefinition: {{abstract: false, layer: site}}}}\ndata: {{turn: t{}}}\n",
           turn)});
  const deckhand::Result result = deckhand::render(std::move(request), session);
  for (const Value& document : result.documents.value.items()) {
    if (document.find("schema")->text() == "a/B/v1") return std::string(document.find("data")->find("turn")->text());
  }
  return {};
}

std::string compose_request(const std::shared_ptr<Snapshot>& snapshot, std::size_t turn) {
  Session session(snapshot);
  heat::Request request;
  request.environment_files = {"env.yaml"};
  request.files = {
      {.name = "env.yaml",
       .source = session.sources().add("env.yaml", fmt::format("parameter_defaults: {{turn: t{}}}\n", turn))}};
  const heat::Composition composition = heat::compose(request, session);
  return std::string(composition.environment.parameter_defaults.value.find("turn")->text());
}

void run_requests(std::size_t count) {
  std::map<std::string, std::string> files = hiera_site();
  files["/small/environments.pp"] = "";
  files["/small/modules/m/bindings/default.pp"] = "bindings m::default {\n  bind 'm::own' to \"fact $turn\"\n}\n";
  const auto engine = Engine::make();
  const auto snapshot = Snapshot::make(engine, memory_tree(files));
  Flatness flatness(count);
  const double begin = thread_seconds();
  for (std::size_t turn = 0; turn < count; ++turn) {
    std::string answer;
    std::string expected = fmt::format("t{}", turn);
    switch (turn % 5) {
      case 0:
        answer = lookup_request(snapshot, turn);
        expected = fmt::format("{} of {:06}", turn % 100, 0);
        break;
      case 1:
        answer = inject_request(snapshot, turn);
        expected = fmt::format("fact {}", turn);
        break;
      case 2:
        answer = merge_request(snapshot, turn);
        expected = fmt::format("h{}", turn);
        break;
      case 3:
        answer = render_request(snapshot, turn);
        break;
      default:
        answer = compose_request(snapshot, turn);
    }
    if (answer != expected) fail(fmt::format("request {}: '{}' instead of '{}'", turn, answer, expected));
    flatness.add(turn, count);
  }
  fmt::print("{:<44} {:.1f} us each\n", fmt::format("{} requests of five systems in turn", count),
             (thread_seconds() - begin) / static_cast<double>(count) * 1e6);
  flatness.print("requests: memory of the first and last tenth");
  fmt::print("{:<44} {} locations are leased\n", "", engine->usage().locations);
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  using namespace strata;  // NOLINT(google-build-using-namespace): a program of its own
  const std::string_view what = argc > 1 ? argv[1] : "all";
  const std::size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const unsigned readers = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 8;
  if (what == "edits" || what == "all") {
    run_edits({.name = "Hiera, 1,000 nodes of 500 keys",
               .files = hiera_site(),
               .edited = kNodes,
               .path = node_path,
               .text = node_text,
               .answer = own_of},
              count == 0 ? 10'000 : count, readers);
    run_edits({.name = "bindings, 200 modules of 100 keys",
               .files = bindings_site(),
               .edited = kModules,
               .path = module_path,
               .text = module_text,
               .answer = own_of_module},
              count == 0 ? 10'000 : count, readers);
  }
  if (what == "requests" || what == "all") run_requests(count == 0 ? 1'000'000 : count);
  return 0;
}
