#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../Memory/CheckedMemory.h"
#include "CrashException.h"
#include "CrashLane.h"

// std::terminate, without a dependency on C++: what its runtime offers is looked up by name, and a process without one has
// nothing to be reported here. The layouts are those of the Itanium C++ ABI, which both runtimes follow.

typedef void (*terminate_handler)(void);

static struct {
  terminate_handler (*set_terminate)(terminate_handler);
  terminate_handler (*get_terminate)(void);
  const void *(*current_exception_type)(void);
  /// libc++abi's. Keeps the exception for ever, which is no matter now.
  void *(*current_primary_exception)(void);
  void *(*get_globals)(void);
  /// The runtime's descriptions of classes with one base, and of Objective-C classes: their virtual tables.
  const char *single_base_class;
  const char *objective_c_class;
} runtime;

static terminate_handler previous;
static bool is_enabled;

static void find_runtime(void) {
  *(void **)&runtime.set_terminate = dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE");
  *(void **)&runtime.get_terminate = dlsym(RTLD_DEFAULT, "_ZSt13get_terminatev");
  *(void **)&runtime.current_exception_type = dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
  *(void **)&runtime.current_primary_exception = dlsym(RTLD_DEFAULT, "__cxa_current_primary_exception");
  *(void **)&runtime.get_globals = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
  runtime.single_base_class = dlsym(RTLD_DEFAULT, "_ZTVN10__cxxabiv120__si_class_type_infoE");
  runtime.objective_c_class = dlsym(RTLD_DEFAULT, "objc_ehtype_vtable");
}

// MARK: Types

/// What a std::type_info begins with; one of a class with a single base goes on with that.
struct type_info {
  const char *table;
  const char *name;
  uint64_t base;
};

static bool read_type(uint64_t address, struct type_info *type, bool *hasBase) {
  memset(type, 0, sizeof *type);
  if (am_memory_read(address, type, 16) != 16) return false;
  // On arm64, Apple marks names that are not unique in the highest bit.
  type->name = (const char *)(uintptr_t)((uint64_t)(uintptr_t)type->name & ~((uint64_t)1 << 63));
  *hasBase = runtime.single_base_class && type->table == runtime.single_base_class + 16 &&
             am_memory_read(address + 16, &type->base, 8) == 8;
  return true;
}

// A class that has std::exception as its first base, or that of its first base, and so on.
static bool is_standard(uint64_t address) {
  for (int depth = 0; depth < 16; depth++) {
    struct type_info type;
    bool hasBase;
    char name[13] = {0};
    if (!read_type(address, &type, &hasBase)) return false;
    am_memory_read((uint64_t)(uintptr_t)type.name, name, sizeof name);
    if (memcmp(name, "St9exception", 13) == 0) return true;
    if (!hasBase) return false;
    address = type.base;
  }
  return false;
}

// The exception object that is being thrown.
static void *current_object(void) {
  if (runtime.current_primary_exception) return runtime.current_primary_exception();
  // libstdc++: the first word of its globals is the exception that was caught last; 80 bytes into that begins what the
  // unwinder knows it by, of 32 bytes: a class, the last letter of which says whether the object follows or is named.
  uint64_t caught = 0, kind = 0, object = 0;
  if (!runtime.get_globals) return NULL;
  if (am_memory_read((uint64_t)(uintptr_t)runtime.get_globals(), &caught, 8) != 8 || caught == 0) return NULL;
  if (am_memory_read(caught + 80, &kind, 8) != 8) return NULL;
  if (memcmp(&kind, "\0++CCUNG", 8) == 0) return (void *)(uintptr_t)(caught + 112);
  if (memcmp(&kind, "\1++CCUNG", 8) != 0 || am_memory_read(caught, &object, 8) != 8) return NULL;
  return (void *)(uintptr_t)object;
}

static const char *reason_of(uint64_t type) {
  if (!is_standard(type)) return NULL;
  void *object = current_object();
  uint64_t table = 0, what = 0;
  if (!object || am_memory_read((uint64_t)(uintptr_t)object, &table, 8) != 8) return NULL;
#if defined(__aarch64__)
  table &= ((uint64_t)1 << 47) - 1;
#endif
  // The virtual functions of std::exception: two destructors, then what().
  if (am_memory_read(table + 16, &what, 8) != 8 || what == 0) return NULL;
#if defined(__arm64e__)
  return NULL;
#else
  return ((const char *(*)(const void *))(uintptr_t)what)(object);
#endif
}

// MARK: The handler

static void report(const void *frame) {
  const void *type = runtime.current_exception_type ? runtime.current_exception_type() : NULL;
  struct type_info info = {.name = NULL};
  bool hasBase;
  bool isKnown = type && read_type((uint64_t)(uintptr_t)type, &info, &hasBase);
  // An Objective-C exception comes to the handler for those, which knows more of it.
  bool isObjectiveC = isKnown && runtime.objective_c_class && info.table == runtime.objective_c_class + 16;
  if (is_enabled && !isObjectiveC) {
    struct am_exception exception = {.language = AM_EXCEPTION_CPP, .type = isKnown ? info.name : ""};
    struct am_registers registers;
    am_registers_of_caller(&registers, frame);
    if (am_exception_begin(&exception, &registers)) {
      // The host's code, so it comes when everything else is written.
      const char *reason = isKnown ? reason_of((uint64_t)(uintptr_t)type) : NULL;
      am_exception_end(reason);
    }
  }
}

// Nothing else, so that its frame is as small as am_registers_of_caller wants it.
static __attribute__((noinline)) void on_terminate(void) {
  report(__builtin_frame_address(0));
  if (previous) previous();
  abort();
}

bool am_crash_terminate_enable(void) {
  if (!runtime.set_terminate) find_runtime();
  if (!runtime.set_terminate || !runtime.get_terminate) return false;
  is_enabled = true;
  terminate_handler current = runtime.get_terminate();
  if (current == on_terminate || previous) return true;
  previous = current;
  runtime.set_terminate(on_terminate);
  return true;
}

void am_crash_terminate_disable(void) {
  is_enabled = false;
  if (!runtime.get_terminate || runtime.get_terminate() != on_terminate) return;
  runtime.set_terminate(previous);
  previous = NULL;
}
