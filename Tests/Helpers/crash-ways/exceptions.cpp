#include <stdexcept>

#include "CrashWays.h"

namespace shop {
struct OutOfStock : std::runtime_error {
  OutOfStock() : std::runtime_error("no more of article 4711") {}
};
struct Silly {
  int number = 42;
};
}  // namespace shop

extern "C" {

__attribute__((noinline)) void die_of_cpp_exception() {
  throw shop::OutOfStock();  // dies: die_of_cpp_exception
}

__attribute__((noinline)) void die_of_silly_exception() {
  throw shop::Silly();  // dies: die_of_silly_exception
}

__attribute__((noinline)) void die_of_foreign_exception() {
  try {
    throw std::logic_error("thrown again");
  } catch (...) {
    auto caught = std::current_exception();
    std::rethrow_exception(caught);  // dies: die_of_foreign_exception
  }
}

static void promise() noexcept {
  die_of_cpp_exception();  // dies: die_of_throwing_noexcept
}

__attribute__((noinline)) void die_of_throwing_noexcept() { promise(); }
}
