#define _GNU_SOURCE
#include "CrashWays.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAY __attribute__((noinline, optnone))

WAY void die_of_null_pointer(void) {
  volatile int *nowhere = NULL;
  *nowhere = 1;  // dies: die_of_null_pointer
}

WAY void die_of_wild_pointer(void) {
  volatile int *nowhere = (volatile int *)(uintptr_t)0x500000001230;
  *nowhere = 1;  // dies: die_of_wild_pointer
}

WAY void die_of_bus_error(const char *path) {
  int file = open(path, O_RDWR | O_CREAT, 0600);
  if (ftruncate(file, 8192) != 0) return;
  volatile char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (ftruncate(file, 0) != 0) return;
  bytes[4096] = 1;  // dies: die_of_bus_error
}

WAY void die_of_division(void) {
  volatile int zero = 0, one = 1;
  one = one / zero;  // dies: die_of_division
}

WAY void die_of_illegal_instruction(void) {
#if defined(__x86_64__)
  __asm__ volatile("ud2");  // dies: die_of_illegal_instruction
#else
  __asm__ volatile("udf #0");
#endif
}

WAY void die_of_abort(void) {
  abort();  // dies: die_of_abort
}

WAY void die_of_trap(void) {
  raise(SIGTRAP);  // dies: die_of_trap
}

WAY static int recurse(volatile char *above, int depth) {
  volatile char frame[512];
  frame[depth % 512] = above[0];
  return recurse(frame, depth + 1) + frame[0];
}

WAY void die_of_stack_overflow(void) {
  volatile char first = 0;
  recurse(&first, 0);
}

// Both damage a block that the allocator has on a list, and then ask for one; it looks at the list under its lock. What is
// damaged decides whether it notices, or falls into it itself.
WAY static void damage(uintptr_t next, uintptr_t previous) {
  char *block = malloc(0x600);
  char *guard = malloc(0x600);
  if (!block || !guard) return;
  free(block);
  uintptr_t *links = (uintptr_t *)block;
  if (next) links[0] = next;
  if (previous) links[1] = previous;
}

WAY void die_of_corrupt_heap(void) {
  uintptr_t other[8] = {0};
  damage((uintptr_t)other, (uintptr_t)other);
  free(malloc(0x900));  // dies: die_of_corrupt_heap
}

WAY void die_with_heap_locked(void) {
  damage(0, 0x500000004560);
  free(malloc(0x900));  // dies: die_with_heap_locked
}

static int die_in_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)info;
  (void)size;
  (void)context;
  die_of_null_pointer();
  return 0;
}

WAY void die_with_loader_locked(void) { dl_iterate_phdr(die_in_callback, NULL); }

WAY void die_in_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  void (*function)(void) = library ? (void (*)(void))dlsym(library, "die_in_plugin") : NULL;
  if (function) function();
}

void do_not_buffer_output(void) { setvbuf(stdout, NULL, _IONBF, 0); }

// MARK: Threads

static pthread_barrier_t barrier;

static void *call_together(void *function) {
  pthread_barrier_wait(&barrier);
  ((void (*)(void))function)();
  return NULL;
}

void call_on_threads(int count, void (*function)(void)) {
  pthread_barrier_init(&barrier, NULL, (unsigned)count);
  pthread_t thread;
  for (int index = 0; index < count; index++) pthread_create(&thread, NULL, call_together, (void *)function);
  for (;;) pause();
}

static void *wait_for_ever(void *nothing) {
  (void)nothing;
  pthread_barrier_wait(&barrier);
  for (;;) pause();
}

static void *compute_for_ever(void *nothing) {
  (void)nothing;
  pthread_barrier_wait(&barrier);
  for (volatile uint64_t number = 0;; number++) {
  }
}

void start_threads(int count, int compute) {
  pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
  pthread_t thread;
  for (int index = 0; index < count; index++) {
    pthread_create(&thread, NULL, compute ? compute_for_ever : wait_for_ever, NULL);
  }
  pthread_barrier_wait(&barrier);
}

static void (*to_prepare)(void);

static void *call_prepared(void *function) {
  if (to_prepare) to_prepare();
  ((void (*)(void))function)();
  return NULL;
}

void call_on_thread(void (*prepare)(void), void (*function)(void)) {
  to_prepare = prepare;
  pthread_t thread;
  pthread_create(&thread, NULL, call_prepared, (void *)function);
  pthread_join(thread, NULL);
}

// MARK: Handlers

static void (*after)(int number);

static void say(const char *what, int number, const void *address, int has_context) {
  char text[128];
  size_t length = 0;
  for (; *what; what++) text[length++] = *what;
  text[length++] = ' ';
  if (number >= 10) text[length++] = (char)('0' + number / 10);
  text[length++] = (char)('0' + number % 10);
  memcpy(text + length, " 0x", 3);
  length += 3;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text[length++] = "0123456789abcdef"[(uintptr_t)address >> shift & 15];
  }
  text[length++] = ' ';
  text[length++] = has_context ? 'c' : '-';
  text[length++] = '\n';
  if (write(STDOUT_FILENO, text, length) < 0) _exit(99);
}

static void on_signal_of_three(int number, siginfo_t *info, void *context) {
  say("host3", info->si_signo == number ? number : 0, info->si_code > 0 ? info->si_addr : NULL, context != NULL);
  if (after) after(number);
}

static void on_signal_of_one(int number) {
  say("host1", number, NULL, 0);
  if (after) after(number);
}

static const int crash_signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

void install_host_handlers(int takes_three, int restarts, void (*then)(int number)) {
  after = then;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  // Gone after the first call: then the system's own action ends the process.
  action.sa_flags = (takes_three ? SA_SIGINFO : 0) | (restarts ? 0 : (int)SA_RESETHAND) | SA_ONSTACK;
  if (takes_three) {
    action.sa_sigaction = on_signal_of_three;
  } else {
    action.sa_handler = on_signal_of_one;
  }
  for (int index = 0; index < 6; index++) sigaction(crash_signals[index], &action, NULL);
}

void ignore_crash_signals(void) {
  for (int index = 0; index < 6; index++) signal(crash_signals[index], SIG_IGN);
}

static void (*in_handler)(void);
static void on_user_signal(int number) {
  (void)number;
  in_handler();
}

void call_in_signal_handler(void (*function)(void)) {
  in_handler = function;
  signal(SIGUSR1, on_user_signal);
  raise(SIGUSR1);
}

static void *page;

static void mend(int number, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)page;
  if (offset < 4096) {
    say("mended", number, NULL, 0);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
  } else {
    signal(number, SIG_DFL);
  }
}

void install_mending_handler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = mend;
  sigaction(SIGSEGV, &action, NULL);
}

void *protected_page(void) {
  page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

int call_in_fork(void (*function)(void)) {
  pid_t child = fork();
  if (child == 0) {
    function();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}
