// In place of libc++'s header, whose loop counts its turns and looks at clocks until it asks the system to wait.
#ifndef _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#define _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#include <__chrono/duration.h>
#include <__config>

// What is read next waits until another thread has written there (see library/threads.py).
extern "C" void unfork_reads_again(void);

_LIBCPP_BEGIN_NAMESPACE_STD

// A wait that may time out does so at once, as for locks in C: in between nothing can tell the two apart.
template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI bool __libcpp_thread_poll_with_backoff(
    _Poll &&__poll, _Backoff &&, chrono::nanoseconds __max_elapsed = chrono::nanoseconds::zero()) {
  while (!__poll()) {
    if (__max_elapsed != chrono::nanoseconds::zero())
      return false;
    ::unfork_reads_again();
  }
  return true;
}

// What the other headers name.
struct __spinning_backoff_policy {};

_LIBCPP_END_NAMESPACE_STD

#endif
