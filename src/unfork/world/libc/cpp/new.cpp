// new and delete in all their forms, so that the engine knows which of them made a block. Programs may have their own.
#include <cstddef>
#include <new>

extern "C" {
// See library/memory_functions.py: null where there is no memory.
void *unfork_new(size_t size, size_t alignment, int is_array);
void unfork_delete(void *block, int is_array);
int unfork_is_of_library(void *function);
void unfork_check_size(void *block, size_t size, int is_array);
}

namespace {

void *made(size_t size, std::align_val_t alignment, bool is_array) {
  for (;;) {
    if (void *block = unfork_new(size ? size : 1, static_cast<size_t>(alignment), is_array))
      return block;
    std::new_handler handler = std::get_new_handler();
    if (!handler)
      throw std::bad_alloc();
    handler();
  }
}

template <class Make> void *made_or_null(Make make) noexcept {
  try {
    return make();
  } catch (...) {
    return nullptr;
  }
}

// The forms for arrays are those for single objects unless a program has its own of these.
using New = void *(size_t);
using AlignedNew = void *(size_t, std::align_val_t);
using Delete = void(void *) noexcept;
using AlignedDelete = void(void *, std::align_val_t) noexcept;

template <class Function> bool is_replaced(Function *function) {
  return !unfork_is_of_library(reinterpret_cast<void *>(function));
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
WEAK void *operator new[](size_t size) {
  return is_replaced<New>(operator new) ? operator new(size) : made(size, USUAL, true);
}
WEAK void *operator new(size_t size, std::align_val_t alignment) { return made(size, alignment, false); }
WEAK void *operator new[](size_t size, std::align_val_t alignment) {
  return is_replaced<AlignedNew>(operator new) ? operator new(size, alignment) : made(size, alignment, true);
}
WEAK void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return made_or_null([=] { return operator new(size); });
}
WEAK void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return made_or_null([=] { return operator new[](size); });
}
WEAK void *operator new(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return made_or_null([=] { return operator new(size, alignment); });
}
WEAK void *operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return made_or_null([=] { return operator new[](size, alignment); });
}

WEAK void operator delete(void *block) noexcept { unfork_delete(block, false); }
WEAK void operator delete[](void *block) noexcept {
  is_replaced<Delete>(operator delete) ? operator delete(block) : unfork_delete(block, true);
}
WEAK void operator delete(void *block, size_t size) noexcept { operator delete(of_size(block, size, false)); }
WEAK void operator delete[](void *block, size_t size) noexcept { operator delete[](of_size(block, size, true)); }
WEAK void operator delete(void *block, const std::nothrow_t &) noexcept { operator delete(block); }
WEAK void operator delete[](void *block, const std::nothrow_t &) noexcept { operator delete[](block); }
WEAK void operator delete(void *block, std::align_val_t) noexcept { unfork_delete(block, false); }
WEAK void operator delete[](void *block, std::align_val_t alignment) noexcept {
  is_replaced<AlignedDelete>(operator delete) ? operator delete(block, alignment) : unfork_delete(block, true);
}
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
