#if defined(__linux__)
#define _GNU_SOURCE
#include <link.h>

#include "HangProps.h"

static int call(struct dl_phdr_info *info, size_t size, void *body) {
  (void)info;
  (void)size;
  ((void (*)(void))body)();
  return 1;
}

void with_loader_lock(void (*body)(void)) { dl_iterate_phdr(call, (void *)body); }
#else
#include "HangProps.h"

void with_loader_lock(void (*body)(void)) { body(); }
#endif
