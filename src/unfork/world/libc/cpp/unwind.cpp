// How exceptions find their handlers, in place of libunwind and of libc++abi's personality and default handlers: the
// Itanium C++ ABI's two phases. The engine knows the landing pads; libc++abi knows which type a handler takes.
#include <cstdint>
#include <exception>
#include <typeinfo>

#include "cxa_exception.h"
#include "cxa_handlers.h"
#include "private_typeinfo.h"
#include <unwind.h>

using namespace __cxxabiv1;

extern "C" {
// See engine/instructions/exceptions.py.
size_t unfork_landing(size_t below);
int unfork_clause(size_t depth, size_t number, const std::type_info **type);
[[noreturn]] void unfork_land(size_t depth, _Unwind_Exception *exception, int selector);
[[noreturn]] void unfork_terminated(const char *type, const char *what, int is_uncaught);
}

namespace {

enum { END = 0, CLEANUP = -1, FILTER = -2, PASSES = -3, TERMINATES = -4 };

thread_local bool is_uncaught;

__cxa_exception *header_of(_Unwind_Exception *exception) {
  return reinterpret_cast<__cxa_exception *>(exception + 1) - 1;
}

void *object_of(_Unwind_Exception *exception) {
  if (__getExceptionClass(exception) == kOurDependentExceptionClass)
    return reinterpret_cast<__cxa_dependent_exception *>(header_of(exception))->primaryException;
  return exception + 1;
}

bool takes(const std::type_info *type, _Unwind_Exception *exception, void *&adjusted) {
  adjusted = object_of(exception);
  if (!type)
    return true;
  auto *wanted = static_cast<const __shim_type_info *>(type);
  return wanted->can_catch(static_cast<const __shim_type_info *>(header_of(exception)->exceptionType), adjusted);
}

[[noreturn]] void terminate_with(_Unwind_Exception *exception) {
  __cxa_begin_catch(exception);
  std::terminate();
}

// The selector of the clause that takes the exception there, CLEANUP, or END where the landing pad has nothing to do.
// The first that takes it counts. Where that ends the program, it does so at once, while the stack is still that of the
// throw: what a filter does not let pass, and what is to leave a noexcept function.
int selector_at(size_t depth, _Unwind_Exception *exception, void *&adjusted) {
  const std::type_info *type = nullptr;
  for (size_t number = 0;;) {
    int code = unfork_clause(depth, number++, &type);
    if (code == FILTER) {
      bool passes = false;
      while ((code = unfork_clause(depth, number, &type)) == PASSES) {
        passes = passes || takes(type, exception, adjusted);
        number++;
      }
      if (!passes)
        terminate_with(exception);
    } else if (code == TERMINATES) {
      terminate_with(exception);
    } else if (code <= 0 || takes(type, exception, adjusted)) {
      return code;
    }
  }
}

bool has_handler(_Unwind_Exception *exception) {
  for (size_t depth = SIZE_MAX; (depth = unfork_landing(depth));) {
    void *adjusted;
    int selector = selector_at(depth, exception, adjusted);
    if (selector > 0) {
      header_of(exception)->adjustedPtr = adjusted;
      return true;
    }
  }
  return false;
}

}  // namespace

extern "C" {

_Unwind_Reason_Code _Unwind_RaiseException(_Unwind_Exception *exception) {
  if (!has_handler(exception)) {
    is_uncaught = true;
    return _URC_END_OF_STACK;
  }
  _Unwind_Resume(exception);
}

// The second phase: to the next landing pad that takes the exception or cleans up.
void _Unwind_Resume(_Unwind_Exception *exception) {
  for (size_t depth = SIZE_MAX; (depth = unfork_landing(depth));) {
    void *adjusted;
    int selector = selector_at(depth, exception, adjusted);
    if (selector != END)
      unfork_land(depth, exception, selector == CLEANUP ? 0 : selector);
  }
  std::terminate();
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(_Unwind_Exception *exception) {
  return _Unwind_RaiseException(exception);
}

void _Unwind_DeleteException(_Unwind_Exception *exception) {
  if (exception->exception_cleanup)
    exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

// Functions with landing pads name it; nobody calls it.
_Unwind_Reason_Code __gxx_personality_v0(int, int, uint64_t, _Unwind_Exception *, void *) {
  return _URC_FATAL_PHASE1_ERROR;
}

// Landing pads of filters name it (unexpected() is gone since C++17).
[[noreturn]] void __cxa_call_unexpected(void *exception) {
  terminate_with(static_cast<_Unwind_Exception *>(exception));
}

}  // extern "C"

[[noreturn]] static void end_program() {
  __cxa_eh_globals *globals = __cxa_get_globals();
  __cxa_exception *header = globals->caughtExceptions;
  if (!header)
    unfork_terminated(nullptr, nullptr, false);
  auto *exception = reinterpret_cast<_Unwind_Exception *>(header + 1) - 1;
  auto *type = header->exceptionType;
  const char *what = nullptr;
  void *object;
  if (takes(&typeid(std::exception), exception, object))
    what = static_cast<const std::exception *>(object)->what();
  unfork_terminated(type->name(), what, is_uncaught);
}

constinit std::terminate_handler __cxa_terminate_handler = end_program;
constinit std::terminate_handler __cxa_unexpected_handler = std::terminate;
constinit std::new_handler __cxa_new_handler = nullptr;

namespace std {

unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
  return __atomic_exchange_n(&__cxa_unexpected_handler, handler ? handler : std::terminate, __ATOMIC_SEQ_CST);
}

terminate_handler set_terminate(terminate_handler handler) noexcept {
  return __atomic_exchange_n(&__cxa_terminate_handler, handler ? handler : end_program, __ATOMIC_SEQ_CST);
}

new_handler set_new_handler(new_handler handler) noexcept {
  return __atomic_exchange_n(&__cxa_new_handler, handler, __ATOMIC_SEQ_CST);
}

}  // namespace std
