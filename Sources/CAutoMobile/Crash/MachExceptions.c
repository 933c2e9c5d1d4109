#include "CAutoMobileCrash.h"

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__APPLE__) && !TARGET_OS_TV && !TARGET_OS_WATCH

#include <mach/mach.h>
#include <mach/ndr.h>
#include <pthread.h>
#include <string.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "CrashHandler.h"
#include "CrashLane.h"
#include "../Images/CrashModules.h"
#include "CrashThreads.h"
#include "CrashVerdict.h"
#include "../Memory/MappingGuard.h"
#include "../Stacks/ThreadState.h"

// The second way to hear of a fault. The kernel sends a message before it raises the signal, and a thread of our own takes
// it: whatever state the thread that faulted is in, there is a stack to work on. When the report is written, the exception
// goes to whoever had the port before, or becomes the signal, which then adds itself to the report.

#pragma pack(push, 4)
/// mach_exception_raise, as mach_exc.defs defines it.
struct request {
  mach_msg_header_t header;
  mach_msg_body_t body;
  mach_msg_port_descriptor_t thread;
  mach_msg_port_descriptor_t task;
  NDR_record_t record;
  exception_type_t exception;
  mach_msg_type_number_t code_count;
  int64_t codes[2];
  mach_msg_max_trailer_t trailer;
};
struct reply {
  mach_msg_header_t header;
  NDR_record_t record;
  kern_return_t code;
};
#pragma pack(pop)

static mach_port_t port = MACH_PORT_NULL;

/// What is ours: the exceptions that would become the signals that were asked for.
static exception_mask_t handled;

// A breakpoint is what a failed check of Swift raises on arm64. A macro, for the assertions.
#define BAD_ACCESS_OF(signals) ((signals) & (AM_CRASH_SEGV | AM_CRASH_BUS) ? EXC_MASK_BAD_ACCESS : 0)
#define BAD_INSTRUCTION_OF(signals) ((signals) & AM_CRASH_ILL ? EXC_MASK_BAD_INSTRUCTION : 0)
#define ARITHMETIC_OF(signals) ((signals) & AM_CRASH_FPE ? EXC_MASK_ARITHMETIC : 0)
#define BREAKPOINT_OF(signals) ((signals) & AM_CRASH_TRAP ? EXC_MASK_BREAKPOINT : 0)
#define BAD_CODE_OF(signals) (BAD_INSTRUCTION_OF(signals) | ARITHMETIC_OF(signals) | BREAKPOINT_OF(signals))
#define EXCEPTIONS_OF(signals) (exception_mask_t)(BAD_ACCESS_OF(signals) | BAD_CODE_OF(signals))
_Static_assert(EXCEPTIONS_OF(AM_CRASH_TRAP) == EXC_MASK_BREAKPOINT, "a failed check of Swift is an exception, too");
_Static_assert(EXCEPTIONS_OF(AM_CRASH_SEGV) == EXC_MASK_BAD_ACCESS, "so is an access to no memory");

/// Whose the exceptions were before.
static struct {
  mach_msg_type_number_t count;
  exception_mask_t masks[EXC_TYPES_COUNT];
  mach_port_t ports[EXC_TYPES_COUNT];
  exception_behavior_t behaviors[EXC_TYPES_COUNT];
  thread_state_flavor_t flavors[EXC_TYPES_COUNT];
} before;

static bool take_exceptions(void) {
  return task_set_exception_ports(
             mach_task_self(), handled, port, (exception_behavior_t)(EXCEPTION_DEFAULT | MACH_EXCEPTION_CODES),
             THREAD_STATE_NONE) == KERN_SUCCESS;
}

/// That they have been given back: whoever reports has to have it.
struct given_back {
  mach_msg_type_number_t count;
};

static struct given_back give_exceptions_back(void) {
  for (mach_msg_type_number_t index = 0; index < before.count; index++) {
    task_set_exception_ports(
        mach_task_self(), before.masks[index], before.ports[index], before.behaviors[index], before.flavors[index]);
  }
  return (struct given_back){before.count};
}

static bool had_owner(exception_type_t exception) {
  for (mach_msg_type_number_t index = 0; index < before.count; index++) {
    if (before.masks[index] >> exception & 1 && MACH_PORT_VALID(before.ports[index])) return true;
  }
  return false;
}

// MARK: The report

static void write_exception(const struct request *request) {
  struct am_lane_mach *section = (struct am_lane_mach *)am_lane_begin(sizeof *section);
  if (!section) return;
  memset(section, 0, sizeof *section);
  section->exception = request->exception;
  section->code_count = request->code_count < 2 ? request->code_count : 2;
  for (uint32_t index = 0; index < section->code_count; index++) section->codes[index] = request->codes[index];
  am_lane_end(AM_SECTION_MACH, sizeof *section);
}

static void write_report(const void *argument) {
  static const struct am_known_thread nobody[AM_KNOWN_THREADS];
  const struct request *request = argument;
  am_thread_id thread = request->thread.name;
  am_crash_note_verdict(thread);
  write_exception(request);
  am_lane_note_screen();
  struct am_registers registers;
  // The kernel holds the thread until it has our answer.
  am_thread_registers_outside(thread, &registers);
  am_crash_write_thread(thread, AM_THREAD_CRASHED, &registers);
  am_crash_stage(AM_LANE_CRASHED_THREAD);
  am_crash_write_other_threads(thread, nobody);
  am_crash_release_threads();
  am_crash_stage(AM_LANE_ALL_THREADS);
  am_modules_write_message();
  am_crash_stage(AM_LANE_COMPLETE);
}

static void report(struct given_back ours, const struct request *request) {
  // A fault of this thread's own comes as a signal, and back to here: as an exception it would wait for itself.
  (void)ours;
  if (!am_crash_begin()) return;
  if (!am_crash_write_guarded(write_report, request)) am_crash_release_threads();
  am_crash_end_fault(request->thread.name);
}

/// Returns what to answer: success lets the thread try again, failure makes the exception a signal.
static kern_return_t handle(const struct request *request) {
  // Forks inherit the port.
  if (request->task.name != mach_task_self()) return KERN_FAILURE;
  bool isMissing = request->exception == EXC_BAD_ACCESS && request->code_count > 1 &&
                   request->codes[0] != KERN_PROTECTION_FAILURE;
  if (isMissing && am_guard_mend((const void *)(uintptr_t)request->codes[1])) return KERN_SUCCESS;
  report(give_exceptions_back(), request);
  return had_owner(request->exception) ? KERN_SUCCESS : KERN_FAILURE;
}

// MARK: The port

static void *listen(void *nothing) {
  (void)nothing;
  pthread_setname_np("AutoMobile exceptions");
  for (;;) {
    struct request request;
    memset(&request, 0, sizeof request);
    request.header.msgh_local_port = port;
    request.header.msgh_size = sizeof request;
    if (mach_msg(&request.header, MACH_RCV_MSG, 0, sizeof request, port, MACH_MSG_TIMEOUT_NONE, MACH_PORT_NULL) !=
        KERN_SUCCESS) {
      return NULL;
    }
    struct reply reply;
    memset(&reply, 0, sizeof reply);
    reply.header.msgh_bits = MACH_MSGH_BITS(MACH_MSGH_BITS_REMOTE(request.header.msgh_bits), 0);
    reply.header.msgh_remote_port = request.header.msgh_remote_port;
    reply.header.msgh_size = sizeof reply;
    reply.header.msgh_id = request.header.msgh_id + 100;
    reply.record = NDR_record;
    reply.code = handle(&request);
    mach_msg(
        &reply.header, MACH_SEND_MSG, sizeof reply, 0, MACH_PORT_NULL, MACH_MSG_TIMEOUT_NONE, MACH_PORT_NULL);
  }
}

static bool is_debugged(void) {
  int query[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  struct kinfo_proc info;
  size_t size = sizeof info;
  memset(&info, 0, sizeof info);
  return sysctl(query, 4, &info, &size, NULL, 0) == 0 && (info.kp_proc.p_flag & P_TRACED) != 0;
}

static bool start_listening(void) {
  // Not by `am_thread_start`: what that starts counts as the SDK's own work, and this one works for whoever has crashed.
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool isStarted = pthread_create(&thread, &attributes, listen, NULL) == 0;
  pthread_attr_destroy(&attributes);
  return isStarted;
}

/// A port that nobody reads must take no exceptions: their threads would wait for ever. So it is there whole, or not at all.
static bool open_port(void) {
  mach_port_t opened = MACH_PORT_NULL;
  if (mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, &opened) != KERN_SUCCESS) return false;
  bool canSend = mach_port_insert_right(mach_task_self(), opened, opened, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS;
  port = opened;
  if (canSend && start_listening()) return true;
  port = MACH_PORT_NULL;
  if (canSend) mach_port_deallocate(mach_task_self(), opened);
  mach_port_mod_refs(mach_task_self(), opened, MACH_PORT_RIGHT_RECEIVE, -1);
  return false;
}

static bool is_enabled;

bool am_crash_mach_enable(uint32_t signals) {
  exception_mask_t wanted = EXCEPTIONS_OF(signals);
  if (is_enabled && (handled & wanted) == wanted) return true;
  // A debugger wants the exceptions for itself.
  if (is_debugged()) return is_enabled;
  // More than before: first as it was, so that what was before us is asked for all of them.
  if (is_enabled) am_crash_mach_disable();
  handled |= wanted;
  if (port == MACH_PORT_NULL && !open_port()) return false;
  before.count = EXC_TYPES_COUNT;
  if (task_get_exception_ports(
          mach_task_self(), handled, before.masks, &before.count, before.ports, before.behaviors, before.flavors) !=
      KERN_SUCCESS) {
    return false;
  }
  is_enabled = take_exceptions();
  return is_enabled;
}

void am_crash_mach_disable(void) {
  if (!is_enabled) return;
  is_enabled = false;
  // Only if nobody has taken them since.
  mach_msg_type_number_t count = EXC_TYPES_COUNT;
  exception_mask_t masks[EXC_TYPES_COUNT];
  mach_port_t ports[EXC_TYPES_COUNT];
  exception_behavior_t behaviors[EXC_TYPES_COUNT];
  thread_state_flavor_t flavors[EXC_TYPES_COUNT];
  if (task_get_exception_ports(mach_task_self(), handled, masks, &count, ports, behaviors, flavors) != KERN_SUCCESS) {
    return;
  }
  if (count == 1 && ports[0] == port) give_exceptions_back();
}

#else

bool am_crash_mach_enable(uint32_t signals) {
  (void)signals;
  return false;
}

void am_crash_mach_disable(void) {}

#endif
