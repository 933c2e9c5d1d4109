#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#include "CrashLane.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "CAutoMobileCRC32C.h"
#include "CheckedMemory.h"
#include "CrashImages.h"
#include "CrashModules.h"
#include "ThreadStop.h"

static struct am_lane_header *lane;
static int64_t owner;

struct am_lane_header *am_lane(void) { return __atomic_load_n(&lane, __ATOMIC_ACQUIRE); }
int64_t am_lane_pid(void) { return __atomic_load_n(&owner, __ATOMIC_RELAXED); }

// MARK: Opening

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

static void write_header(struct am_lane_header *header, const struct am_crash_identity *identity) {
  memcpy(header->magic, "AMCRASH1", 8);
  memcpy(header->launch, identity->launch, 16);
  memcpy(header->boot, identity->boot, 16);
  header->pid = identity->pid;
  header->process_start = identity->process_start;
  header->created = identity->created;
  header->created_monotonic = am_monotonic_now();
#if defined(__x86_64__)
  header->architecture = AM_ARCHITECTURE_X86_64;
#else
  header->architecture = AM_ARCHITECTURE_ARM64;
#endif
  header->page_size = (uint32_t)getpagesize();
  header->size = AM_LANE_SIZE;
  header->checksum = am_crc32c(0, header, offsetof(struct am_lane_header, checksum));
  if (identity->process) strncpy(header->process, identity->process, sizeof header->process - 1);
}

int am_crash_lane_open(const char *path, const struct am_crash_identity *identity) {
  am_memory_prepare();
  am_modules_prepare();
  int file = create(path);
  if (file < 0) return errno;
  struct am_lane_header *old = am_lane();
  am_crash_lane_close();
  // Over the lane before, whose address a handler may be holding.
  void *address = mmap(old, AM_LANE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | (old ? MAP_FIXED : 0), file, 0);
  int code = address == MAP_FAILED ? errno : 0;
  close(file);
  if (code != 0) {
    unlink(path);
    return code;
  }
  // A page at a time: else the first touch has the kernel fill a great many, and the caller waits for it.
  madvise(address, AM_LANE_SIZE, MADV_RANDOM);
  write_header(address, identity);
  __atomic_store_n(&owner, identity->pid, __ATOMIC_RELAXED);
  __atomic_store_n(&lane, address, __ATOMIC_RELEASE);
  am_guard_add(address, AM_LANE_SIZE, NULL);
  am_images_start();
  return 0;
}

void am_crash_lane_close(void) { __atomic_store_n(&owner, 0, __ATOMIC_RELAXED); }

void am_crash_lane_touch(void) {
  struct am_lane_header *header = am_lane();
  if (!header) return;
  uint8_t *bytes = (uint8_t *)header;
  // Adds nothing, atomically: the handler may be writing there.
  for (size_t at = 0; at < AM_LANE_SIZE; at += 4096) {
    __atomic_fetch_add((uint64_t *)(bytes + at), 0, __ATOMIC_RELAXED);
  }
}

void am_crash_set_screen(const char *screen) {
  struct am_lane_header *header = am_lane();
  if (!header || am_lane_pid() != getpid()) return;
  uint32_t next = header->screen == 1 ? 2 : 1;
  if (screen) {
    char *name = header->screens[next - 1];
    strncpy(name, screen, sizeof header->screens[0] - 1);
    name[sizeof header->screens[0] - 1] = 0;
  }
  __atomic_store_n(&header->screen, screen ? next : 0, __ATOMIC_RELEASE);
}

static const uint64_t *navigated;
void am_crash_set_navigated(const uint64_t *words) { __atomic_store_n(&navigated, words, __ATOMIC_RELEASE); }

void am_lane_note_screen(void) {
  struct am_lane_header *header = am_lane();
  uint64_t words = (uint64_t)(uintptr_t)__atomic_load_n(&navigated, __ATOMIC_ACQUIRE), length = 0;
  if (header->screen != 0 || words == 0 || am_memory_read(words, &length, 8) != 8 || length == 0) return;
  if (length >= sizeof header->screens[0]) length = sizeof header->screens[0] - 1;
  if (am_memory_read(words + 8, header->screens[0], (size_t)length) != length) return;
  header->screens[0][length] = 0;
  __atomic_store_n(&header->screen, 1, __ATOMIC_RELEASE);
}

// MARK: The report

void am_lane_clear(void) {
  am_lane_set_stage(AM_LANE_IDLE);
  __atomic_store_n(&am_lane()->report_end, 0, __ATOMIC_RELEASE);
}

void am_lane_set_stage(uint32_t stage) {
  struct am_lane_header *header = am_lane();
  if (stage >= AM_LANE_ENTERED && stage <= AM_LANE_COMPLETE) {
    header->stage_times[stage - AM_LANE_ENTERED] = am_monotonic_now();
  }
  __atomic_store_n(&header->stage, stage, __ATOMIC_RELEASE);
}

static uint64_t end_of_report(void) {
  uint64_t end = am_lane()->report_end;
  return end <= AM_LANE_REPORT_SIZE ? end : AM_LANE_REPORT_SIZE;
}

size_t am_lane_room(void) {
  size_t rest = AM_LANE_REPORT_SIZE - (size_t)end_of_report();
  return rest > sizeof(struct am_lane_section) + 8 ? rest - sizeof(struct am_lane_section) - 8 : 0;
}

uint8_t *am_lane_begin(size_t length) {
  if (length > am_lane_room()) return NULL;
  return (uint8_t *)am_lane() + AM_LANE_REPORT + end_of_report() + sizeof(struct am_lane_section);
}

void am_lane_end(uint32_t tag, size_t length) {
  uint64_t end = end_of_report();
  struct am_lane_section section = {tag, (uint32_t)length};
  memcpy((uint8_t *)am_lane() + AM_LANE_REPORT + end, &section, sizeof section);
  uint64_t next = end + sizeof section + ((length + 7) & ~(size_t)7);
  __atomic_store_n(&am_lane()->report_end, next, __ATOMIC_RELEASE);
}

void am_lane_text(uint32_t tag, const char *text) {
  size_t length = 0, most = am_lane_room();
  if (most > 2048) most = 2048;
  uint8_t *target = am_lane_begin(most);
  if (!target) return;
  // The text may be anywhere, also where nothing is.
  char byte;
  while (length < most && am_memory_read((uint64_t)(uintptr_t)(text + length), &byte, 1) == 1 && byte) {
    target[length++] = (uint8_t)byte;
  }
  am_lane_end(tag, length);
}

// MARK: Text

void am_text_add(struct am_text *text, const char *more) {
  while (*more && text->length < sizeof text->bytes - 1) text->bytes[text->length++] = *more++;
  text->bytes[text->length] = 0;
}

static void add_digits(struct am_text *text, uint64_t number, unsigned base) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number);
  while (count) {
    char digit[2] = {digits[--count], 0};
    am_text_add(text, digit);
  }
}

void am_text_add_number(struct am_text *text, int64_t number) {
  if (number < 0) am_text_add(text, "-");
  add_digits(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

void am_text_add_hex(struct am_text *text, uint64_t number) {
  am_text_add(text, "0x");
  add_digits(text, number, 16);
}

int64_t am_wall_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
