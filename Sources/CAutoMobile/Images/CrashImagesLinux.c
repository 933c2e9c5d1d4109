#if defined(__linux__)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "CrashImages.h"
#include "../Crash/CrashLane.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// How often the loader had loaded and unloaded something when the images were noted.
static unsigned long long adds, subs;
static bool is_first;
/// Not 0: the images are to be noted for a new lane.
static uint32_t is_new = 1;

static void find_build_id(struct am_image *image, const uint8_t *notes, size_t length) {
  while (length >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name = (note.n_namesz + 3) & ~(size_t)3, text = (note.n_descsz + 3) & ~(size_t)3;
    if (name > length || text > length || sizeof note + name + text > length) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + sizeof note, "GNU", 4) == 0) {
      image->id = notes + sizeof note + name;
      image->id_length = note.n_descsz;
      return;
    }
    notes += sizeof note + name + text;
    length -= sizeof note + name + text;
  }
}

static int note_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)context;
  bool countsAreKnown = size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs;
  bool wasFirst = is_first;
  is_first = false;
  if (wasFirst && countsAreKnown) {
    if (adds == info->dlpi_adds && subs == info->dlpi_subs) return 1;
    adds = info->dlpi_adds;
    subs = info->dlpi_subs;
  }
  struct am_image image = {.slide = info->dlpi_addr, .path = info->dlpi_name ? info->dlpi_name : ""};
  uint64_t low = UINT64_MAX, high = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_LOAD) {
      uint64_t start = header->p_vaddr & ~(uint64_t)4095, end = header->p_vaddr + header->p_memsz;
      if (start < low) low = start;
      if (end > high) high = end;
    } else if (header->p_type == PT_NOTE && !image.id) {
      find_build_id(&image, (const uint8_t *)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
    }
  }
  if (low >= high) return 0;
  image.base = info->dlpi_addr + low;
  image.size = high - low;
  char program[1024];
  if (image.path[0] == 0) {
    // The loader names the program by nothing, and the kernel's own page as well in some versions.
    if (!wasFirst) return 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    image.path = program;
    image.is_executable = true;
  }
  am_images_add(&image);
  return 0;
}

static void note(bool anew) {
  if (anew) adds = subs = 0;
  is_first = true;
  am_images_begin();
  // 1: nothing was loaded or unloaded.
  if (dl_iterate_phdr(note_image, NULL) == 0) am_images_end();
}

void am_images_prepare(void) { __atomic_store_n(&is_new, 1, __ATOMIC_RELEASE); }

// The handler reads /proc/self/maps.
void am_images_note_program(void) {}

void am_crash_images_refresh(void) {
  if (!am_lane_is_open()) return;
  pthread_mutex_lock(&lock);
  note(__atomic_exchange_n(&is_new, 0, __ATOMIC_ACQ_REL));
  pthread_mutex_unlock(&lock);
}

#endif
