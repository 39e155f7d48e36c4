// A question in one state, asked by several threads: each borrows an asker, which keeps what it has read.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/question.hpp"

namespace strata::service::sites {

/// The name of the only subject of a question that has no fleet.
inline constexpr std::string_view kOnly = "default";

/// Thread-safe.
class Askers {
 public:
  /// `question` must outlive the object.
  Askers(const analysis::Question& question, analysis::State state);
  ~Askers();
  Askers(const Askers&) = delete;
  Askers& operator=(const Askers&) = delete;

  /// The names of the subjects, in the order of the fleet. Errors: as asking.
  [[nodiscard]] const std::vector<std::string>& names() const;
  [[nodiscard]] bool has(std::string_view name) const;

  using Use = std::function<void(analysis::Subject& subject)>;
  /// Lends the subject of a name; it must not be kept. False: there is none. Errors: those that end a run.
  bool with(std::string_view name, analysis::Question::History history, const Use& use) const;
  /// Lends all subjects, one after the other, until `use` returns false. Errors: as above.
  void each(analysis::Question::History history, const std::function<bool(const std::string& name, analysis::Subject& subject)>& use) const;

 private:
  struct Asker;
  [[nodiscard]] std::unique_ptr<Asker> borrow(analysis::Question::History history) const;
  void give_back(std::unique_ptr<Asker> asker, analysis::Question::History history) const;

  const analysis::Question& question_;
  analysis::State state_;
  mutable std::mutex mutex_;  ///< Of all below.
  mutable std::vector<std::unique_ptr<Asker>> plain_;
  mutable std::vector<std::unique_ptr<Asker>> recording_;
  mutable std::optional<std::vector<std::string>> names_;
};

}  // namespace strata::service::sites
