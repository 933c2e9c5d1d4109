#define _GNU_SOURCE
#include "StackCapture.h"

#ifdef __linux__
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static void copy_registers(struct stack_capture *out, const ucontext_t *context) {
#if defined(__x86_64__)
  static const int order[] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
    REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
  };
  for (int i = 0; i < 17; i++) out->registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
  out->register_count = 17;
  uint64_t sp = out->registers[7];
#elif defined(__aarch64__)
  for (int i = 0; i < 31; i++) out->registers[i] = context->uc_mcontext.regs[i];
  out->registers[31] = context->uc_mcontext.sp;
  out->registers[32] = context->uc_mcontext.pc;
  out->register_count = 33;
  uint64_t sp = out->registers[31];
#endif
  pthread_attr_t attributes;
  void *base;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  out->stack_start = sp;
  size_t length = (uintptr_t)base + size - sp;
  out->stack_length = length < STACK_CAPTURE_BYTES ? length : STACK_CAPTURE_BYTES;
  memcpy(out->stack, (void *)sp, out->stack_length);
}

__attribute__((noinline)) static void capture(struct stack_capture *out) {
  ucontext_t context;
  // The frame's contents are copied after the call, so nothing on it changes in between that matters.
  out->truth_count = backtrace(out->truth, STACK_CAPTURE_FRAMES);
  getcontext(&context);
  copy_registers(out, &context);
}

static _Thread_local struct stack_capture *current;

static int compare(const void *a, const void *b) {
  if (!current->truth_count) capture(current);
  return *(const int *)a - *(const int *)b;
}

bool stack_capture_in_qsort(struct stack_capture *out) {
  int numbers[] = {3, 1, 2, 9, 4, 7};
  out->truth_count = 0;
  current = out;
  qsort(numbers, 6, sizeof numbers[0], compare);
  return out->truth_count > 0;
}

static void handler(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  capture(current);
}

bool stack_capture_in_signal(struct stack_capture *out) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO}, before;
  out->truth_count = 0;
  current = out;
  if (sigaction(SIGUSR2, &action, &before) != 0) return false;
  sigset_t signals, blocked;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &signals, &blocked);
  raise(SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  sigaction(SIGUSR2, &before, NULL);
  return out->truth_count > 0;
}

static atomic_int done;

static void interrupted(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  struct stack_capture *out = current;
  if (!out || out->truth_count) return;
  void *frames[STACK_CAPTURE_FRAMES];
  int count = backtrace(frames, STACK_CAPTURE_FRAMES);
  copy_registers(out, context);
  // What is above the handler and the trampoline is the sleeper's own stack.
  uint64_t pc = out->registers[out->register_count - 1];
  for (int i = 0; i < count; i++) {
    if ((uint64_t)frames[i] != pc) continue;
    memcpy(out->truth, frames + i, (size_t)(count - i) * sizeof *frames);
    out->truth_count = count - i;
    break;
  }
  atomic_store(&done, 1);
}

static void *sleeper(void *out) {
  // Threads inherit what is blocked, and those of dispatch block nearly everything.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  current = out;
  while (!atomic_load(&done)) usleep(1000000);
  return NULL;
}

bool stack_capture_of_sleeper(struct stack_capture *out) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  struct sigaction action = {.sa_sigaction = interrupted, .sa_flags = SA_SIGINFO}, before;
  void *warm[1];
  pthread_t thread;
  backtrace(warm, 1);
  pthread_mutex_lock(&one_at_a_time);
  out->truth_count = 0;
  atomic_store(&done, 0);
  sigaction(SIGURG, &action, &before);
  bool started = pthread_create(&thread, NULL, sleeper, out) == 0;
  while (started && !atomic_load(&done)) {
    usleep(1000);
    pthread_kill(thread, SIGURG);
  }
  if (started) pthread_join(thread, NULL);
  sigaction(SIGURG, &before, NULL);
  pthread_mutex_unlock(&one_at_a_time);
  return out->truth_count > 0;
}

__attribute__((noinline)) bool stack_capture_in_recursion(struct stack_capture *out, int depth) {
  volatile char room[64];
  room[depth & 63] = 1;
  out->truth_count = 0;
  if (depth > 0) {
    bool result = stack_capture_in_recursion(out, depth - 1);
    return room[depth & 63] && result;
  }
  capture(out);
  return room[0] == 1;
}
#else
bool stack_capture_in_qsort(struct stack_capture *out) { return false; }
bool stack_capture_in_signal(struct stack_capture *out) { return false; }
bool stack_capture_of_sleeper(struct stack_capture *out) { return false; }
bool stack_capture_in_recursion(struct stack_capture *out, int depth) { return false; }
#endif
