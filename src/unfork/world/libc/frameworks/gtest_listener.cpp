/* What fails in a test of GoogleTest is an assertion that fails there. */
#undef NDEBUG
#include <cassert>
#include <cctype>
#include <string>

#include <gtest/gtest.h>

extern "C" {
void unfork_gtest() {}

#ifdef UNFORK_ENGINE
void unfork_unsupported(const char *what);

int fork() {
  unfork_unsupported("fork, which death tests of GoogleTest call");
  return -1;
}
#endif
}

namespace {

class Listener : public testing::EmptyTestEventListener {
  std::string test;

  void OnTestStart(const testing::TestInfo &info) override { test = std::string(info.test_suite_name()) + '.' + info.name(); }

  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (!result.failed())
      return;
    std::string message;
    for (const char *at = result.message(); *at; at++)
      if (std::isspace(*at) == 0)
        message += *at;
      else if (!message.empty() && message.back() != ' ')
        message += ' ';
    const char *file = result.file_name();
    __assert_fail(message.c_str(), file ? file : "unknown", result.line_number(), test.c_str());
  }
};

bool is_listening = [] {
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Listener);
  return true;
}();

} // namespace
