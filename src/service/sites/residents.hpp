// SPDX-License-Identifier: Apache-2.0
// What stays in memory because it may be asked again, besides answers.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "strata/resident_fleet.hpp"

namespace strata::service::sites {

/// The fleets that stay, the last used first. Thread-safe.
class Residents {
 public:
  /// One that stays. It is dropped where it takes too much.
  class Resident {
   public:
    Resident() = default;
    virtual ~Resident() = default;
    Resident(const Resident&) = delete;
    Resident& operator=(const Resident&) = delete;
    /// Takes what it holds, for its memory to be freed. Null: somebody uses it now.
    [[nodiscard]] virtual std::shared_ptr<const void> take() = 0;
  };

  /// It was used, and takes so many bytes. It must call `gone` before it ends.
  void used(Resident& resident, std::size_t bytes);
  void gone(const Resident& resident);
  /// Drops those that were not used for longest, until all take at most `bytes`, but for those that are in use.
  void shrink(std::size_t bytes);
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Entry {
    Resident* resident;
    std::size_t bytes;
  };
  std::mutex mutex_;  ///< Of the list.
  std::list<Entry> entries_;
  std::atomic<std::size_t> bytes_ = 0;  ///< Read without the mutex.
};

/// A fleet that stays as long as there is room for it.
class KeptFleet final : public Residents::Resident {
 public:
  /// `residents` must outlive the object. Null: nobody counts it, and it stays.
  explicit KeptFleet(Residents* residents) : residents_(residents) {}
  ~KeptFleet() override;

  /// Held while the fleet is used.
  [[nodiscard]] std::timed_mutex& mutex() noexcept { return mutex_; }
  /// The fleet, made if it is not there, or is another one: `which` says. With the mutex.
  [[nodiscard]] analysis::Fleet& get(const std::string& which,
                                     const std::function<std::shared_ptr<analysis::Fleet>()>& make);
  /// After a use, with the mutex: counts what it takes.
  void count();
  [[nodiscard]] std::shared_ptr<const void> take() override;

 private:
  Residents* residents_;
  std::timed_mutex mutex_;
  std::shared_ptr<analysis::Fleet> fleet_;
  std::string which_;
};

}  // namespace strata::service::sites
