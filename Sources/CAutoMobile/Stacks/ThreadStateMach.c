#if defined(__APPLE__)
#include <mach/mach.h>
#include <string.h>

#include "ThreadState.h"

uint32_t am_thread_list(am_thread_id *threads, uint32_t limit) {
  thread_act_array_t list = NULL;
  mach_msg_type_number_t total = 0;
  if (task_threads(mach_task_self(), &list, &total) != KERN_SUCCESS) return 0;
  uint32_t count = 0;
  // The rights to the ports are kept: the process is about to end.
  for (mach_msg_type_number_t index = 0; index < total && count < limit; index++) threads[count++] = list[index];
  vm_deallocate(mach_task_self(), (vm_address_t)list, total * sizeof *list);
  return count;
}

void am_thread_name(am_thread_id thread, char *name, size_t capacity) {
  // From the kernel: pthread_getname_np takes a lock.
  thread_extended_info_data_t info;
  mach_msg_type_number_t count = THREAD_EXTENDED_INFO_COUNT;
  name[0] = 0;
  if (thread_info((thread_act_t)thread, THREAD_EXTENDED_INFO, (thread_info_t)&info, &count) != KERN_SUCCESS) return;
  size_t length = strnlen(info.pth_name, sizeof info.pth_name);
  if (length >= capacity) length = capacity - 1;
  memcpy(name, info.pth_name, length);
  name[length] = 0;
}

#if defined(__aarch64__)

bool am_thread_registers_outside(am_thread_id thread, struct am_registers *registers) {
  memset(registers, 0, sizeof *registers);
  arm_thread_state64_t state;
  mach_msg_type_number_t count = ARM_THREAD_STATE64_COUNT;
  if (thread_get_state((thread_act_t)thread, ARM_THREAD_STATE64, (thread_state_t)&state, &count) != KERN_SUCCESS) {
    return false;
  }
  for (int index = 0; index < 29; index++) registers->values[index] = state.__x[index];
  registers->values[AM_ARM64_FP] = (uint64_t)arm_thread_state64_get_fp(state);
  registers->values[AM_ARM64_LR] = (uint64_t)arm_thread_state64_get_lr(state);
  registers->values[AM_ARM64_SP] = (uint64_t)arm_thread_state64_get_sp(state);
  registers->values[AM_ARM64_PC] = (uint64_t)arm_thread_state64_get_pc(state);
  registers->values[AM_ARM64_CPSR] = state.__cpsr;
  registers->known = ((uint64_t)1 << AM_ARM64_COUNT) - 1;
  return true;
}

#else

bool am_thread_registers_outside(am_thread_id thread, struct am_registers *registers) {
  memset(registers, 0, sizeof *registers);
  x86_thread_state64_t state;
  mach_msg_type_number_t count = x86_THREAD_STATE64_COUNT;
  if (thread_get_state((thread_act_t)thread, x86_THREAD_STATE64, (thread_state_t)&state, &count) != KERN_SUCCESS) {
    return false;
  }
  const uint64_t values[AM_X86_64_COUNT] = {
      state.__rax, state.__rdx, state.__rcx, state.__rbx, state.__rsi, state.__rdi,
      state.__rbp, state.__rsp, state.__r8,  state.__r9,  state.__r10, state.__r11,
      state.__r12, state.__r13, state.__r14, state.__r15, state.__rip, state.__rflags};
  memcpy(registers->values, values, sizeof values);
  registers->known = ((uint64_t)1 << AM_X86_64_COUNT) - 1;
  return true;
}

#endif
#endif
