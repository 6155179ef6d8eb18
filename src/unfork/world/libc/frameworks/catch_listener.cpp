/* What fails in a test of Catch2 is an assertion that fails there. */
#undef NDEBUG
#include <cassert>
#include <string>

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>

extern "C" void unfork_catch() {}

namespace {

struct Listener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  std::string test;

  void testCaseStarting(const Catch::TestCaseInfo &info) override { test = info.name; }

  bool assertionEnded(const Catch::AssertionStats &stats) override {
    const Catch::AssertionResult &result = stats.assertionResult;
    if (result.isOk() || result.getResultType() == Catch::ResultWas::FatalErrorCondition)
      return false;
    std::string text = result.hasExpression() ? result.getExpressionInMacro() : std::string(result.getTestMacroName());
    if (result.hasExpandedExpression())
      text += " with expansion: " + result.getExpandedExpression();
    for (const Catch::MessageInfo &info : stats.infoMessages)
      text += ", " + info.message;
    for (char &each : text)
      each = each == '\n' ? ' ' : each;
    Catch::SourceLineInfo place = result.getSourceInfo();
    __assert_fail(text.c_str(), place.file, static_cast<int>(place.line), test.c_str());
  }
};

} // namespace

CATCH_REGISTER_LISTENER(Listener)
