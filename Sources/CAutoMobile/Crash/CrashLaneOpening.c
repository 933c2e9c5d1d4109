#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "CAutoMobileCRC32C.h"
#include "../Memory/CheckedMemory.h"
#include "../Images/CrashImages.h"
#include "CrashLane.h"
#include "../Images/CrashModules.h"
#include "../Stacks/ThreadStop.h"

// The lane is planned by whoever initializes, and made by a thread in the background, because making a file takes longer than
// all else that a crash needs. A crash that comes before has its handler make the file.

/// The mapping. Its address stays the same for every lane of the process.
static struct am_lane_header *lane;

/// What is to be made. Belongs to whoever has moved `state` to OPENING; nobody touches it after that.
static struct {
  struct am_crash_identity identity;
  char process[sizeof((struct am_lane_header *)0)->process];
  char path[1024];
} plan;

enum { NONE, PLANNED, OPENING, OPEN, FAILED };
static uint32_t state;
/// The process that planned it, and the thread that makes it.
static int64_t owner;
static am_thread_id opener;
/// Why it could not be made.
static int failure;

static const struct timespec moment = {0, 1000000};
/// How long to wait for another thread that is making the lane, in nanoseconds.
static const uint64_t longest_wait = 1000000000;

struct am_lane_header *am_lane(void) { return __atomic_load_n(&lane, __ATOMIC_ACQUIRE); }

static uint32_t state_now(void) { return __atomic_load_n(&state, __ATOMIC_ACQUIRE); }

static bool is_ours(void) { return __atomic_load_n(&owner, __ATOMIC_RELAXED) == getpid(); }

bool am_lane_is_open(void) { return state_now() == OPEN && is_ours(); }

// MARK: Planning

int am_crash_lane_plan(const char *path, const struct am_crash_identity *identity) {
  am_crash_lane_close();
  if (strlen(path) >= sizeof plan.path) return ENAMETOOLONG;
  am_modules_prepare();
  am_images_prepare();
  plan.identity = *identity;
  plan.identity.process = NULL;
  strncpy(plan.process, identity->process ? identity->process : "", sizeof plan.process - 1);
  strcpy(plan.path, path);
  __atomic_store_n(&owner, identity->pid, __ATOMIC_RELAXED);
  __atomic_store_n(&state, PLANNED, __ATOMIC_RELEASE);
  return 0;
}

void am_crash_lane_close(void) {
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  while (state_now() == OPENING) nanosleep(&moment, NULL);
  __atomic_store_n(&state, NONE, __ATOMIC_RELEASE);
}

// MARK: Making

static int create(const char *path) {
#if defined(__APPLE__) && TARGET_OS_IPHONE
  // Protection class C, as the journal's files.
  int file = open_dprotected_np(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 3, 0, 0600);
#else
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
#endif
  if (file < 0) return -1;
#if defined(__APPLE__)
  fstore_t request = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = AM_LANE_SIZE};
  int code = 0;
  if (fcntl(file, F_PREALLOCATE, &request) != 0 && errno == ENOSPC) code = ENOSPC;
  if (code == 0 && ftruncate(file, AM_LANE_SIZE) != 0) code = errno;
#else
  int code = posix_fallocate(file, 0, AM_LANE_SIZE);
#endif
  if (code == 0) return file;
  close(file);
  unlink(path);
  errno = code;
  return -1;
}

static void write_header(struct am_lane_header *header) {
  memcpy(header->magic, "AMCRASH1", 8);
  memcpy(header->launch, plan.identity.launch, 16);
  memcpy(header->boot, plan.identity.boot, 16);
  header->pid = plan.identity.pid;
  header->process_since = plan.identity.process_since;
  header->created = plan.identity.created;
  header->created_monotonic = am_monotonic_now();
#if defined(__x86_64__)
  header->architecture = AM_ARCHITECTURE_X86_64;
#else
  header->architecture = AM_ARCHITECTURE_ARM64;
#endif
  header->page_size = (uint32_t)getpagesize();
  header->size = AM_LANE_SIZE;
  header->checksum = am_crc32c(0, header, offsetof(struct am_lane_header, checksum));
  memcpy(header->process, plan.process, sizeof header->process);
}

static int map_file(void) {
  int file = create(plan.path);
  if (file < 0) return errno;
  struct am_lane_header *old = am_lane();
  // Over the lane before, whose address a handler may be holding.
  void *address = mmap(old, AM_LANE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | (old ? MAP_FIXED : 0), file, 0);
  int code = address == MAP_FAILED ? errno : 0;
  close(file);
  if (code != 0) {
    unlink(plan.path);
    return code;
  }
  // A page at a time: else the first touch has the kernel fill a great many, and a handler waits for it.
  madvise(address, AM_LANE_SIZE, MADV_RANDOM);
  write_header(address);
  __atomic_store_n(&lane, address, __ATOMIC_RELEASE);
  am_guard_add(address, AM_LANE_SIZE, NULL);
  return 0;
}

/// Makes what is planned, unless somebody else does or has. Async-signal-safe.
static bool make(void) {
  uint32_t planned = PLANNED;
  if (!__atomic_compare_exchange_n(&state, &planned, OPENING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return false;
  __atomic_store_n(&opener, am_thread_current(), __ATOMIC_RELAXED);
  am_memory_prepare();
  int code = map_file();
  __atomic_store_n(&failure, code, __ATOMIC_RELAXED);
  // From here on another launch may plan a lane of its own, and another thread make it.
  __atomic_store_n(&state, code == 0 ? OPEN : FAILED, __ATOMIC_RELEASE);
  if (code == 0) am_images_note_program();
  return code == 0;
}

/// Until another thread has made it. One that crashes while it makes it itself has no lane.
static void wait_until_made(void) {
  for (uint64_t end = am_monotonic_now() + longest_wait; state_now() == OPENING && am_monotonic_now() < end;) {
    if (__atomic_load_n(&opener, __ATOMIC_RELAXED) == am_thread_current()) return;
    nanosleep(&moment, NULL);
  }
}

int am_crash_lane_open(void) {
  if (!make()) wait_until_made();
  return state_now() == FAILED ? __atomic_load_n(&failure, __ATOMIC_RELAXED) : 0;
}

bool am_lane_ensure(void) {
  if (!is_ours()) return false;
  if (!make()) wait_until_made();
  return am_lane_is_open();
}
