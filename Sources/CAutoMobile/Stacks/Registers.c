#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "StackWalk.h"

#include <string.h>
#include <sys/ucontext.h>

void am_registers_of_caller(struct am_registers *registers, const void *frame) {
  const uint64_t *pair = frame;
  memset(registers, 0, sizeof *registers);
  registers->known = (uint64_t)1 << AM_REGISTER_FP | (uint64_t)1 << AM_REGISTER_SP | (uint64_t)1 << AM_REGISTER_PC;
  registers->values[AM_REGISTER_FP] = pair[0];
  registers->values[AM_REGISTER_SP] = (uint64_t)(uintptr_t)(pair + 2);
  // In the call, not behind it.
  registers->values[AM_REGISTER_PC] = pair[1] - 1;
}

#if defined(__APPLE__) && defined(__aarch64__)

void am_registers_from_context(struct am_registers *registers, const void *context) {
  memset(registers, 0, sizeof *registers);
  _STRUCT_MCONTEXT64 *machine = ((const ucontext_t *)context)->uc_mcontext;
  for (int index = 0; index < 29; index++) registers->values[index] = machine->__ss.__x[index];
  registers->values[AM_ARM64_FP] = (uint64_t)__darwin_arm_thread_state64_get_fp(machine->__ss);
  registers->values[AM_ARM64_LR] = (uint64_t)__darwin_arm_thread_state64_get_lr(machine->__ss);
  registers->values[AM_ARM64_SP] = (uint64_t)__darwin_arm_thread_state64_get_sp(machine->__ss);
  registers->values[AM_ARM64_PC] = (uint64_t)__darwin_arm_thread_state64_get_pc(machine->__ss);
  registers->values[AM_ARM64_CPSR] = machine->__ss.__cpsr;
  registers->known = ((uint64_t)1 << AM_ARM64_COUNT) - 1;
}

#elif defined(__APPLE__)

void am_registers_from_context(struct am_registers *registers, const void *context) {
  memset(registers, 0, sizeof *registers);
  const _STRUCT_X86_THREAD_STATE64 *state = &((const ucontext_t *)context)->uc_mcontext->__ss;
  const uint64_t values[AM_X86_64_COUNT] = {
      state->__rax, state->__rdx, state->__rcx, state->__rbx, state->__rsi, state->__rdi,
      state->__rbp, state->__rsp, state->__r8,  state->__r9,  state->__r10, state->__r11,
      state->__r12, state->__r13, state->__r14, state->__r15, state->__rip, state->__rflags};
  memcpy(registers->values, values, sizeof values);
  registers->known = ((uint64_t)1 << AM_X86_64_COUNT) - 1;
}

#elif defined(__x86_64__)

void am_registers_from_context(struct am_registers *registers, const void *context) {
  memset(registers, 0, sizeof *registers);
  const greg_t *machine = ((const ucontext_t *)context)->uc_mcontext.gregs;
  static const uint8_t order[AM_X86_64_COUNT] = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL};
  for (int index = 0; index < AM_X86_64_COUNT; index++) registers->values[index] = (uint64_t)machine[order[index]];
  registers->known = ((uint64_t)1 << AM_X86_64_COUNT) - 1;
}

#else

void am_registers_from_context(struct am_registers *registers, const void *context) {
  memset(registers, 0, sizeof *registers);
  const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
  for (int index = 0; index < 31; index++) registers->values[index] = machine->regs[index];
  registers->values[AM_ARM64_SP] = machine->sp;
  registers->values[AM_ARM64_PC] = machine->pc;
  registers->values[AM_ARM64_CPSR] = machine->pstate;
  registers->known = ((uint64_t)1 << AM_ARM64_COUNT) - 1;
}

#endif
