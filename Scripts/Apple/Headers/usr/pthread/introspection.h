// libpthread, include/pthread/introspection.h, as it is published with Apple's open source. macOS 10.9, iOS 7.0.
#pragma once

#include <os/availability.h>
#include <pthread.h>

typedef void (*pthread_introspection_hook_t)(unsigned int event, pthread_t thread, void *addr, size_t size);

enum {
  PTHREAD_INTROSPECTION_THREAD_CREATE = 1,
  PTHREAD_INTROSPECTION_THREAD_START,
  PTHREAD_INTROSPECTION_THREAD_TERMINATE,
  PTHREAD_INTROSPECTION_THREAD_DESTROY,
};

API_AVAILABLE(macos(10.9), ios(7.0))
extern pthread_introspection_hook_t pthread_introspection_hook_install(pthread_introspection_hook_t hook);
