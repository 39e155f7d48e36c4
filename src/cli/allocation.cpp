// Memory for `new`, in programs with an allocator of their own. The allocator's `operator new` ends the process where there is no memory: it is
// compiled as C, and looks at no new-handler. Its `malloc` says so.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

// NOLINTBEGIN(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory): this is what is under them
namespace {

void* allocate(std::size_t size) noexcept { return std::malloc(size == 0 ? 1 : size); }

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

/// Whether it is for lack of memory that nothing can go on: there is none for the exception either, or it met a function that must not throw.
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
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept { return allocate(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept { return allocate(size, alignment); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
