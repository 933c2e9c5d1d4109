#include "CRC32CHardware.h"

#include "CAutoMobileCRC32C.h"

#if defined(__aarch64__) && defined(__APPLE__)
#include <stddef.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

int am_crc32c_answer = AM_CRC32C_UNKNOWN;

static bool inquire(void) {
#if defined(__x86_64__)
  // Every processor since 2010 has both.
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
#elif defined(__APPLE__)
  // The A10 was the first to have it. An iPhone 6s, a first SE or an iPad Air 2 runs iOS 15 without it, and an instruction
  // that is not there ends the app.
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname("hw.optional.armv8_crc32", &value, &size, NULL, 0) == 0 && value != 0;
#else
  enum { HAS_CRC32 = 1 << 7 };
  return (getauxval(AT_HWCAP) & HAS_CRC32) != 0;
#endif
}

__attribute__((cold, noinline)) bool am_crc32c_ask_hardware(void) {
  bool isPresent = inquire();
  __atomic_store_n(&am_crc32c_answer, isPresent ? AM_CRC32C_PRESENT : AM_CRC32C_ABSENT, __ATOMIC_RELAXED);
  return isPresent;
}

#ifdef AM_JOURNAL_HOOKS
bool am_crc32c_pretend_absent(bool isAbsent) {
  __atomic_store_n(&am_crc32c_answer, isAbsent ? AM_CRC32C_ABSENT : AM_CRC32C_UNKNOWN, __ATOMIC_RELAXED);
  return true;
}
#else
bool am_crc32c_pretend_absent(bool isAbsent) { return !isAbsent; }
#endif
