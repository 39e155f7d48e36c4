#include "text/yaml/parallel_stream.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "strata/error.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/reader.hpp"
#include "value/lent_threads.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kLeast = std::size_t{1} << 18U;  ///< Bytes of a text. Fewer are not worth a thread.
constexpr std::size_t kPart = std::size_t{1} << 16U;   ///< Bytes of a part, or somewhat more.

bool ends_marker(char c) { return c == ' ' || c == '\n'; }

/// Parts that begin with `---`, but for the first one. Empty: the text is for one thread.
std::vector<Stretch> parts_of(std::string_view text) {
  std::vector<Stretch> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find("\n---", kPart); at != std::string_view::npos; at = text.find("\n---", begin + kPart)) {
    // A longer row of them is something else: look for the next one.
    while (at != std::string_view::npos && (at + 4 >= text.size() || !ends_marker(text[at + 4]))) at = text.find("\n---", at + 1);
    if (at == std::string_view::npos) break;
    parts.push_back({.begin = begin, .end = at + 1});
    begin = at + 1;
  }
  if (!parts.empty()) parts.push_back({.begin = begin, .end = text.size()});
  return parts;
}

/// The parts of one text while threads read them.
class Parts {
 public:
  Parts(std::shared_ptr<Executor> executor, Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
        std::vector<Stretch> stretches)
      : sources_(sources),
        source_(source),
        profile_(profile),
        limits_(limits),
        stretches_(std::move(stretches)),
        documents_(stretches_.size()),
        threads_(std::move(executor), [this] { read(); }) {}

  /// No value: a part is not for this.
  std::optional<std::vector<Document>> run() {
    for (std::size_t i = 1; i < stretches_.size() && i <= threads_.width(); ++i) threads_.call();
    read();
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return done_ == stretches_.size() || (has_failed_ && reading_ == 0); });
    if (has_failed_) return std::nullopt;
    std::vector<Document> all;
    for (std::vector<Document>& some : documents_) std::ranges::move(some, std::back_inserter(all));
    return all;
  }

 private:
  /// What each thread does.
  void read() noexcept {
    std::unique_lock lock(mutex_);
    while (!has_failed_ && next_ < stretches_.size()) {
      const std::size_t part = next_++;
      ++reading_;
      lock.unlock();
      const bool is_read = read(part);
      lock.lock();
      --reading_;
      ++done_;
      if (!is_read) has_failed_ = true;
      ended_.notify_one();
    }
  }

  bool read(std::size_t part) noexcept {
    try {
      const Stretch& stretch = stretches_[part];
      DocumentPool pool(std::make_shared<Arena>((stretch.end - stretch.begin) * 5 / 2));
      documents_[part] = read_scanned_part(sources_, source_, stretch, profile_, limits_, pool);
      return true;
    } catch (...) {
      // Whatever it is, reading in order finds it at its place.
      return false;
    }
  }

  Sources& sources_;
  SourceId source_;
  const Profile& profile_;
  const Limits& limits_;
  std::vector<Stretch> stretches_;
  std::vector<std::vector<Document>> documents_;  ///< Of each part.

  std::mutex mutex_;  ///< Of all below.
  std::condition_variable ended_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::size_t reading_ = 0;
  bool has_failed_ = false;
  detail::LentThreads threads_;  ///< Ends before all others.
};

}  // namespace

std::vector<Document> read_yaml_stream(const std::shared_ptr<Executor>& executor, Sources& sources, SourceId source, const Profile& profile,
                                       const Limits& limits, DocumentPool& pool) {
  const std::string_view text = sources.text(source);
  const bool is_large = executor != nullptr && executor->width() != 0 && text.size() >= kLeast && text.size() <= limits.input;
  // A tab, a directive or the end of a stream: rare, and for one thread.
  const bool may_be_parted = is_large && profile.stream == Stream::all && !limits.libyaml_alone && text.find('\t') == std::string_view::npos &&
                             text.find("\n%") == std::string_view::npos && text.find("\n...") == std::string_view::npos;
  if (may_be_parted) {
    std::vector<Stretch> parts = parts_of(text);
    if (parts.size() > 1) {
      if (auto documents = Parts(executor, sources, source, profile, limits, std::move(parts)).run()) return std::move(*documents);
    }
  }
  return read_yaml_stream(sources, source, profile, limits, pool);
}

}  // namespace strata::text
