// SPDX-License-Identifier: Apache-2.0
#include "service/sites/folder_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace strata::service::sites {
namespace {

constexpr std::chrono::milliseconds kQuiet{100};
constexpr std::chrono::milliseconds kLongestBurst{1000};
constexpr std::size_t kMostFolders = 8192;
constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                   IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

}  // namespace

FolderWatch::FolderWatch()
    : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), woken_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

FolderWatch::~FolderWatch() {
  if (events_ >= 0) ::close(events_);
  if (woken_ >= 0) ::close(woken_);
}

void FolderWatch::follow(const std::string& name, const std::string& folder) {
  const auto add = [&](const std::string& path) {
    if (events_ < 0) return;
    const int descriptor = names_.size() >= kMostFolders ? -1 : inotify_add_watch(events_, path.c_str(), kChanges);
    if (descriptor >= 0) {
      names_[descriptor].insert(name);
    } else if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
      has_missed_ = true;
    }
  };
  add(folder);
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator
           at(folder, std::filesystem::directory_options::skip_permission_denied, error),
       end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!at->is_directory(ignored)) continue;
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
    } else {
      add(at->path().string());
    }
  }
}

void FolderWatch::read_events(std::set<std::string>& changed) {
  alignas(inotify_event) std::array<char, 16384> buffer{};
  for (;;) {
    const ssize_t size = ::read(events_, buffer.data(), buffer.size());
    if (size <= 0) return;
    for (std::size_t at = 0; at + sizeof(inotify_event) <= static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        for (const auto& [descriptor, names] : names_) changed.insert(names.begin(), names.end());
      }
      const auto found = names_.find(event.wd);
      if (found == names_.end()) continue;
      changed.insert(found->second.begin(), found->second.end());
      if ((event.mask & IN_IGNORED) != 0) names_.erase(found);
    }
  }
}

std::set<std::string> FolderWatch::wait(std::chrono::milliseconds time) {
  std::set<std::string> changed;
  const std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + time;
  std::chrono::steady_clock::time_point first{};
  for (;;) {
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    auto patience = std::chrono::ceil<std::chrono::milliseconds>(end - now);
    if (!changed.empty())
      patience = std::min(kQuiet, std::chrono::ceil<std::chrono::milliseconds>(first + kLongestBurst - now));
    if (patience.count() <= 0) return changed;
    std::array<pollfd, 2> both{pollfd{.fd = woken_, .events = POLLIN, .revents = 0},
                               pollfd{.fd = events_, .events = POLLIN, .revents = 0}};
    const int ready = ::poll(both.data(), both.size(), static_cast<int>(patience.count()));
    if (ready > 0 && both[0].revents != 0) {
      std::uint64_t ignored = 0;
      (void)!::read(woken_, &ignored, sizeof ignored);
      return changed;
    }
    if (ready > 0 && both[1].revents != 0) {
      if (changed.empty()) first = std::chrono::steady_clock::now();
      read_events(changed);
      continue;
    }
    if (!changed.empty()) return changed;  // It is quiet.
  }
}

void FolderWatch::wake() const noexcept {
  const std::uint64_t one = 1;
  (void)!::write(woken_, &one, sizeof one);
}

}  // namespace strata::service::sites
