/* The main of programs that have none of their own: each path runs one test. */
#include <cstring>

#define CATCH_CONFIG_NO_POSIX_SIGNALS
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

extern "C" void unfork_symbolic(void *pointer, std::size_t size, const char *name);

namespace {

/* The test that an input names by its number, as Catch2's command line has it. */
std::string chosen_test(const Catch::IConfig &config) {
  const std::vector<Catch::TestCase> &tests = Catch::getAllTestCasesSorted(config);
  int number = 0;
  if (tests.size() > 1)
    unfork_symbolic(&number, sizeof number, "test");
  for (const Catch::TestCase &test : tests)
    if (number-- == 0) {
      std::string text = "\"";
      for (char each : test.name)
        text += std::strchr("\"\\,", each) ? std::string("\\") + each : std::string(1, each);
      return text + '"';
    }
  std::exit(0);
}

} // namespace

int main(int argc, char **argv) {
  Catch::Session session;
  if (int status = session.applyCommandLine(argc, argv))
    return status;
  Catch::ConfigData data = session.configData();
  if (data.testsOrTags.empty()) {
    data.testsOrTags.push_back(chosen_test(session.config()));
    session.useConfigData(data);
  }
  return session.run();
}
