/* Catch2's own header, without the main that it would define: that of unfork takes its place. */
#undef CATCH_CONFIG_MAIN
#include_next <catch2/catch.hpp>
