// In place of libc++'s header, whose loop counts its turns and looks at clocks until it asks the system to wait.
#ifndef _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#define _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#include <__chrono/duration.h>
#include <__config>

// See world/library/thread_models.py.
extern "C" void unfork_ask(void);
extern "C" void unfork_asked(int is_over);

_LIBCPP_BEGIN_NAMESPACE_STD

// A wait that may time out does so at once, as for locks in C: in between nothing can tell the two apart.
template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI bool __libcpp_thread_poll_with_backoff(
    _Poll &&__poll, _Backoff &&, chrono::nanoseconds __max_elapsed = chrono::nanoseconds::zero()) {
  for (;;) {
    ::unfork_ask();
    bool const __succeeds = __poll();
    bool const __is_over = __succeeds || __max_elapsed != chrono::nanoseconds::zero();
    ::unfork_asked(__is_over);
    if (__is_over)
      return __succeeds;
  }
}

// What the other headers name.
struct __spinning_backoff_policy {};

_LIBCPP_END_NAMESPACE_STD

#endif
