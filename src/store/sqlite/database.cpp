// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "store/encoding.hpp"
#include "store/failures.hpp"

namespace strata::store {
namespace {

constexpr std::size_t kLargestGroup = 128;  ///< Writes in one commit.
constexpr std::size_t kIdleReaders = 8;     ///< Connections that are kept open.

/// The lock is the kernel's: it goes with the process, whatever ends that.
detail::Descriptor locked(const std::string& path) {
  const std::string name = path + ".lock";
  detail::Descriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file)
    throw Error("store.unavailable", fmt::format("the store cannot be opened: {}", detail::system_message(errno)))
        .in(name);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    throw Error("store.in-use", "another process uses this store")
        .in(path)
        .hint("end it first; several processes can share a store in PostgreSQL");
  }
  return file;
}

}  // namespace

SqliteDatabase::SqliteDatabase(std::string path)
    : path_(std::move(path)),
      lock_(locked(path_)),
      writer_(std::make_unique<SqliteConnection>(path_, SqliteConnection::Use::write)) {}
SqliteDatabase::SqliteDatabase(std::string path, Looking /*tag*/) : path_(std::move(path)) {}

bool SqliteDatabase::is_in_use(const std::string& path) {
  const detail::Descriptor file(::open((path + ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return file && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

void SqliteDatabase::write(const Work& work, const WriteOptions& options) {
  if (writer_ == nullptr) throw Error("store.unavailable", "the store is looked at only").in(path_);
  // Shared with the thread that commits it, which wakes this one when it may be gone already.
  const auto mine = std::make_shared<Waiting>(work, options.deadline);
  std::unique_lock lock(writing_);
  queue_.push_back(mine);
  const auto is_my_turn = [&] { return mine->is_done || (!is_busy_ && queue_.front() == mine); };
  while (!is_my_turn()) {
    if (!mine->deadline || mine->is_taken) {
      mine->turn.wait(lock);
    } else if (mine->turn.wait_until(lock, *mine->deadline) == std::cv_status::timeout && !mine->is_taken &&
               !is_my_turn()) {
      std::erase(queue_, mine);
      wake_next();
      throw deadline_passed();
    }
  }
  if (!mine->is_done) {
    const Group group = take_group();
    is_busy_ = true;
    lock.unlock();
    commit(group);
    lock.lock();
    is_busy_ = false;
    for (const auto& one : group) one->is_done = true;
    wake_next();
    idle_.notify_all();
    lock.unlock();
    // Without the lock, which each of them takes.
    for (const auto& one : group) one->turn.notify_one();
  } else {
    lock.unlock();
  }
  // Whoever committed it may let go of the rest later, and must not hold what is thrown here.
  if (mine->failure) std::rethrow_exception(std::exchange(mine->failure, {}));
}

SqliteDatabase::Group SqliteDatabase::take_group() {
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), kLargestGroup));
  Group out;
  try {
    out.assign(queue_.begin(), end);
  } catch (const std::bad_alloc&) {  // The next one may find memory.
    queue_.pop_front();
    wake_next();
    throw;
  }
  queue_.erase(queue_.begin(), end);
  for (const auto& one : out) one->is_taken = true;
  return out;
}

void SqliteDatabase::wake_next() {
  if (!is_busy_ && !queue_.empty()) queue_.front()->turn.notify_one();
}

void SqliteDatabase::commit(const Group& group) {
  if (group.size() > 1 && commit_together(group)) return;
  // What failed for all may have been the fault of one: a write that is too large for the disk, for instance.
  for (const auto& one : group) commit_alone(*one);
}

bool SqliteDatabase::commit_together(const Group& group) {
  try {
    writer_->set_deadline({});
    writer_->run("BEGIN IMMEDIATE");
    for (const auto& one : group) {
      if (!run_in_savepoint(*one)) return false;
    }
    writer_->set_deadline({});
    writer_->run("COMMIT");
    return true;
  } catch (const std::exception&) {
    writer_->roll_back();
    return false;
  }
}

bool SqliteDatabase::run_in_savepoint(Waiting& one) {
  one.failure = nullptr;
  if (is_over(one.deadline)) {
    one.failure = std::make_exception_ptr(deadline_passed());
    return true;
  }
  writer_->run("SAVEPOINT one");
  try {
    writer_->set_deadline(one.deadline);
    SqliteTransaction transaction(*writer_);
    (*one.work)(transaction);
    transaction.check();
  } catch (...) {
    one.failure = std::current_exception();
  }
  writer_->set_deadline({});
  if (!writer_->is_in_transaction()) return false;
  if (one.failure) writer_->run("ROLLBACK TO one");
  writer_->run("RELEASE one");
  return true;
}

void SqliteDatabase::commit_alone(Waiting& one) {
  one.failure = nullptr;
  try {
    if (is_over(one.deadline)) throw deadline_passed();
    writer_->set_deadline(one.deadline);
    writer_->run("BEGIN IMMEDIATE");
    SqliteTransaction transaction(*writer_);
    (*one.work)(transaction);
    transaction.check();
    writer_->set_deadline({});
    writer_->run("COMMIT");
  } catch (...) {
    one.failure = std::current_exception();
    writer_->roll_back();
  }
}

std::unique_ptr<SqliteConnection> SqliteDatabase::take_reader() {
  {
    const std::lock_guard lock(reading_);
    if (!readers_.empty()) {
      auto reader = std::move(readers_.back());
      readers_.pop_back();
      return reader;
    }
  }
  return std::make_unique<SqliteConnection>(
      path_, writer_ == nullptr ? SqliteConnection::Use::look : SqliteConnection::Use::read);
}

void SqliteDatabase::read(const Work& work, const ReadOptions& options) {
  std::unique_ptr<SqliteConnection> reader = take_reader();
  const auto give_back = [this](SqliteConnection* used) {
    std::unique_ptr<SqliteConnection> connection(used);
    try {
      connection->roll_back();  // It has nothing to commit.
      connection->set_deadline({});
      const std::lock_guard lock(reading_);
      if (readers_.size() < kIdleReaders) readers_.push_back(std::move(connection));
    } catch (const std::exception&) {  // Memory is exhausted: it is closed instead.
    }
  };
  const std::unique_ptr<SqliteConnection, decltype(give_back)> in_use(reader.release(), give_back);
  in_use->set_deadline(options.deadline);
  in_use->run("BEGIN");
  SqliteTransaction transaction(*in_use);
  work(transaction);
  transaction.check();
}

void SqliteDatabase::copy_to(const std::string& path) {
  const std::string draft = path + ".new";
  ::unlink(draft.c_str());
  {
    std::unique_lock lock(writing_);
    idle_.wait(lock, [this] { return !is_busy_; });
    create_private(draft);  // SQLite takes an empty file.
    const std::array<Parameter, 1> parameters{Parameter(draft)};
    writer_->run("VACUUM INTO $1", parameters);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    throw Error("store.unavailable",
                fmt::format("the copy of the store cannot be written: {}", detail::system_message(errno)))
        .in(path);
  }
  sync_folder_of(path);
}

}  // namespace strata::store
