// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <unistd.h>

#include <utility>

namespace strata::c {

Threads::Threads(unsigned threads, cli::Ground ground)
    : ground_(std::move(ground)), process_(getpid()), pool_(std::make_unique<cli::ThreadPool>(threads)) {}

Threads::~Threads() {
  // Threads that were left in another process cannot be waited for.
  if (is_forked()) (void)pool_.release();
}

bool Threads::is_forked() const noexcept { return getpid() != process_; }

void Threads::post(std::function<void()> work) {
  if (is_forked()) return;
  pool_->post([this, work = std::move(work)] {
    const cli::OnGround ground(ground_);
    work();
  });
}

std::size_t Threads::width() const noexcept { return is_forked() ? 0 : pool_->width(); }

}  // namespace strata::c
