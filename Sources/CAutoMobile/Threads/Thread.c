#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CAutoMobileThread.h"

#include "CAutoMobileOwnWork.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct work {
  // Its own: the caller's may be gone when the thread runs, and then it is called by whatever lies there.
  char name[64];
  void (*body)(void *);
  void *context;
  enum am_thread_priority priority;
};

static void *run(void *argument) {
  struct work work = *(struct work *)argument;
  free(argument);
#if defined(__APPLE__)
  pthread_setname_np(work.name);
#else
  work.name[15] = 0;
  pthread_setname_np(pthread_self(), work.name);
  // When it wakes up it waits for a core that is free, or for its turn, and takes none away from the app's threads.
  if (work.priority == AM_THREAD_BACKGROUND) {
    const struct sched_param none = {0};
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
  }
#endif
  int32_t mark = am_own_work_begin();
  work.body(work.context);
  am_own_work_end(mark);
  return NULL;
}

int am_thread_start(
    const char *name, enum am_thread_priority priority, size_t stack, void (*body)(void *), void *context) {
  struct work *work = malloc(sizeof *work);
  if (!work) return ENOMEM;
  *work = (struct work){.body = body, .context = context, .priority = priority};
  strncpy(work->name, name, sizeof work->name - 1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#if defined(__APPLE__)
  pthread_attr_set_qos_class_np(
      &attributes, priority == AM_THREAD_ATTENTIVE ? QOS_CLASS_USER_INITIATED : QOS_CLASS_UTILITY, 0);
#endif
  pthread_t thread;
  int code = pthread_create(&thread, &attributes, run, work);
  pthread_attr_destroy(&attributes);
  if (code != 0) free(work);
  return code;
}
