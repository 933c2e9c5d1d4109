#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CAutoMobileCrash.h"

// A stack that overflowed has no room for a signal handler. The handlers that were there before ours run on the same
// alternate stack, so it is larger than ours needs; what is not used takes no memory.
enum { STACK_SIZE = 128 * 1024, ENOUGH = 32 * 1024 };

static pthread_key_t key;
static bool has_key;

static void make_key(void);

static void unmap(void *mapping) { munmap(mapping, STACK_SIZE + (size_t)getpagesize()); }

// At the thread's end.
static void give_back(void *mapping) {
  stack_t current;
  char *base = (char *)mapping + getpagesize();
  if (sigaltstack(NULL, &current) == 0 && current.ss_sp == base) {
    // Apple's kernel checks the size also when there is none.
    stack_t none = {.ss_flags = SS_DISABLE, .ss_size = STACK_SIZE};
    if (sigaltstack(&none, NULL) != 0) return;
  }
  unmap(mapping);
}

static void make_key(void) { has_key = pthread_key_create(&key, give_back) == 0; }

bool am_crash_prepare_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  stack_t current;
  if (!has_key || sigaltstack(NULL, &current) != 0) return false;
  if (!(current.ss_flags & SS_DISABLE) && current.ss_size >= ENOUGH) return true;
  if (current.ss_flags & SS_ONSTACK || pthread_getspecific(key)) return false;
  size_t page = (size_t)getpagesize();
  void *mapping = mmap(NULL, STACK_SIZE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return false;
  // The page below ends an overflow of this stack, too.
  stack_t stack = {.ss_sp = (char *)mapping + page, .ss_size = STACK_SIZE};
  if (mprotect(mapping, page, PROT_NONE) != 0 || pthread_setspecific(key, mapping) != 0) {
    unmap(mapping);
    return false;
  }
  if (sigaltstack(&stack, NULL) == 0) return true;
  pthread_setspecific(key, NULL);
  unmap(mapping);
  return false;
}

#if defined(__APPLE__)

#include <pthread/introspection.h>

static pthread_introspection_hook_t next_hook;

static void on_thread_event(unsigned int event, pthread_t thread, void *address, size_t size) {
  // On the new thread itself.
  if (event == PTHREAD_INTROSPECTION_THREAD_START) am_crash_prepare_thread();
  if (next_hook) next_hook(event, thread, address, size);
}

static void install_hook(void) { next_hook = pthread_introspection_hook_install(on_thread_event); }

void am_crash_prepare_threads_to_come(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_hook);
}

#else

void am_crash_prepare_threads_to_come(void) {}

#endif
