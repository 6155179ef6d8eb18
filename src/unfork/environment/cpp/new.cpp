// new and delete in all their forms, so that the engine knows which of them made a block. Programs may have their own.
#include <cstddef>
#include <new>

extern "C" {
// See library/memory_functions.py: null where there is no memory.
void *unfork_new(size_t size, size_t alignment, int is_array);
void unfork_delete(void *block, int is_array);
void unfork_check_size(void *block, size_t size, int is_array);
}

namespace {

void *made_or_null(size_t size, std::align_val_t alignment, bool is_array) {
  for (;;) {
    if (void *block = unfork_new(size ? size : 1, static_cast<size_t>(alignment), is_array))
      return block;
    std::new_handler handler = std::get_new_handler();
    if (!handler)
      return nullptr;
    handler();
  }
}

void *made(size_t size, std::align_val_t alignment, bool is_array) {
  if (void *block = made_or_null(size, alignment, is_array))
    return block;
  throw std::bad_alloc();
}

// The size that a delete states is that of the block: another one means an object of another class.
void *of_size(void *block, size_t size, bool is_array) {
  unfork_check_size(block, size ? size : 1, is_array);
  return block;
}

constexpr std::align_val_t USUAL{__STDCPP_DEFAULT_NEW_ALIGNMENT__};

}  // namespace

#define WEAK __attribute__((weak))

WEAK void *operator new(size_t size) { return made(size, USUAL, false); }
WEAK void *operator new[](size_t size) { return made(size, USUAL, true); }
WEAK void *operator new(size_t size, std::align_val_t alignment) { return made(size, alignment, false); }
WEAK void *operator new[](size_t size, std::align_val_t alignment) { return made(size, alignment, true); }

WEAK void *operator new(size_t size, const std::nothrow_t &) noexcept {
  try {
    return made_or_null(size, USUAL, false);
  } catch (...) {
    return nullptr;
  }
}
WEAK void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  try {
    return made_or_null(size, USUAL, true);
  } catch (...) {
    return nullptr;
  }
}
WEAK void *operator new(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  try {
    return made_or_null(size, alignment, false);
  } catch (...) {
    return nullptr;
  }
}
WEAK void *operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  try {
    return made_or_null(size, alignment, true);
  } catch (...) {
    return nullptr;
  }
}

WEAK void operator delete(void *block) noexcept { unfork_delete(block, false); }
WEAK void operator delete[](void *block) noexcept { unfork_delete(block, true); }
WEAK void operator delete(void *block, size_t size) noexcept { operator delete(of_size(block, size, false)); }
WEAK void operator delete[](void *block, size_t size) noexcept { operator delete[](of_size(block, size, true)); }
WEAK void operator delete(void *block, const std::nothrow_t &) noexcept { operator delete(block); }
WEAK void operator delete[](void *block, const std::nothrow_t &) noexcept { operator delete[](block); }
WEAK void operator delete(void *block, std::align_val_t) noexcept { unfork_delete(block, false); }
WEAK void operator delete[](void *block, std::align_val_t) noexcept { unfork_delete(block, true); }
WEAK void operator delete(void *block, size_t size, std::align_val_t alignment) noexcept {
  operator delete(of_size(block, size, false), alignment);
}
WEAK void operator delete[](void *block, size_t size, std::align_val_t alignment) noexcept {
  operator delete[](of_size(block, size, true), alignment);
}
WEAK void operator delete(void *block, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete(block, alignment);
}
WEAK void operator delete[](void *block, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete[](block, alignment);
}
