// SPDX-License-Identifier: Apache-2.0
// Memory for `new`, in programs with an allocator of their own. The allocator's `operator new` ends the process where
// there is no memory: it is compiled as C, and looks at no new-handler. Its `malloc` says so.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

// NOLINTBEGIN(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory): this is what is under them
namespace {

/// Asks for huge pages in a process that has taken many large blocks: the texts of its files, tables, output. The
/// kernel's work for pages of 4 KiB is a tenth of such a run. Small runs keep small pages: what of a huge page is not
/// filled is memory for nothing.
void advise(const void* memory, std::size_t size) noexcept {
  constexpr std::size_t kMany = std::size_t{1} << 22U;
  constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21U;
  // A page that has been touched stays small: the next blocks' pages are asked for before the allocator writes into
  // them.
  constexpr std::uintptr_t kAhead = 2 * kHugePage;
  static std::atomic<std::size_t> taken = 0;
  static thread_local std::uintptr_t advised_begin = 0;
  static thread_local std::uintptr_t advised_end = 0;
  if (taken.load(std::memory_order_relaxed) < kMany) {
    taken.fetch_add(size, std::memory_order_relaxed);
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = address / kHugePage * kHugePage;
  const std::uintptr_t end = (address + size + kHugePage - 1) / kHugePage * kHugePage;
  if (begin >= advised_begin && end + kAhead / 2 <= advised_end) return;
  advised_begin = begin;
  advised_end = end + kAhead;
  // Advice changes no memory. Where there is none, or the kernel takes no advice, nothing is lost.
  const int error = errno;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the huge page that `memory` is in
  (void)madvise(reinterpret_cast<void*>(begin), advised_end - begin, MADV_HUGEPAGE);
  errno = error;
}

void* allocate(std::size_t size) noexcept {
  constexpr std::size_t kLarge = 4096;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (size >= kLarge && memory != nullptr) advise(memory, size);
  return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t rounded = (size + step - 1) / step * step;
  return rounded < size ? nullptr : std::aligned_alloc(step, rounded == 0 ? step : rounded);
}

std::atomic<bool> is_exhausted = false;

void* checked(void* memory) {
  if (memory != nullptr) return memory;
  is_exhausted.store(true, std::memory_order_relaxed);
  throw std::bad_alloc();
}

/// Whether it is for lack of memory that nothing can go on: there is none for the exception either, or it met a
/// function that must not throw.
bool is_for_memory() noexcept {
  const std::exception_ptr error = std::current_exception();
  if (!error) return is_exhausted.load(std::memory_order_relaxed);
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::terminate_handler handler_before = nullptr;

[[noreturn]] void end() noexcept {
  if (!is_for_memory()) handler_before();
  constexpr std::string_view kMessage = "strata: error: out of memory\n";
  (void)!::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(1);
}

/// Before all other objects are made.
constexpr int kFirst = 101;
[[gnu::constructor(kFirst)]] void set_handler() noexcept { handler_before = std::set_terminate(end); }

}  // namespace

void* operator new(std::size_t size) { return checked(allocate(size)); }
void* operator new[](std::size_t size) { return checked(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) { return checked(allocate(size, alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return checked(allocate(size, alignment)); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size, alignment);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
