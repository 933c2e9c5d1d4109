// How much memory an Apple platform lets this process have. In C, because Swift cannot name the task without a global
// variable that its concurrency checking refuses.
#ifndef C_AUTOMOBILE_MEMORY_H
#define C_AUTOMOBILE_MEMORY_H

#if defined(__APPLE__)
#include <TargetConditionals.h>
#include <mach/mach.h>
#include <stdint.h>
#if TARGET_OS_IPHONE && !TARGET_OS_SIMULATOR && !TARGET_OS_MACCATALYST
#include <os/proc.h>
#endif

/// The bytes that count against the limit, as Xcode's gauge shows them; 0 when the kernel does not say.
static inline uint64_t am_memory_footprint(void) {
  task_vm_info_data_t info;
  mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
  if (task_info(mach_task_self(), TASK_VM_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return 0;
  return info.phys_footprint;
}

/// The bytes that the process may still take; 0 where there is no limit or none is told.
static inline uint64_t am_memory_available(void) {
#if TARGET_OS_IPHONE && !TARGET_OS_SIMULATOR && !TARGET_OS_MACCATALYST
  return os_proc_available_memory();
#else
  return 0;
#endif
}
#endif

#endif
