// The C library declares what is used here only to those who ask for it.
#define _GNU_SOURCE
#include "CChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

static int make_pipe(int ends[2]) {
#ifdef __APPLE__
  // Other files are kept from programs by POSIX_SPAWN_CLOEXEC_DEFAULT below.
  return pipe(ends) == 0 ? 0 : errno;
#else
  return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#endif
}

int am_child_start(const char *executable, char *const *arguments, char *const *environment, const char *directory,
                   bool joins_errors, struct am_child *child) {
  int questions[2], answers[2];
  int error = make_pipe(questions);
  if (error) return error;
  error = make_pipe(answers);
  if (error) {
    close(questions[0]);
    close(questions[1]);
    return error;
  }

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (directory) posix_spawn_file_actions_addchdir_np(&actions, directory);
  posix_spawn_file_actions_adddup2(&actions, questions[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers[1], STDOUT_FILENO);
  if (joins_errors) posix_spawn_file_actions_adddup2(&actions, answers[1], STDERR_FILENO);
  else posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
  posix_spawnattr_setflags(&attributes, flags);

  error = posix_spawn(&child->pid, executable, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(questions[0]);
  close(answers[1]);
  if (error) {
    close(questions[1]);
    close(answers[0]);
    return error;
  }
  child->input = questions[1];
  child->output = answers[0];
  return 0;
}

int am_child_limit(pid_t child, uint64_t memory, uint64_t seconds) {
#ifdef __linux__
  const struct rlimit data = {memory, memory}, time = {seconds, seconds}, none = {0, 0};
  if (prlimit(child, RLIMIT_DATA, &data, NULL)) return errno;
  if (prlimit(child, RLIMIT_CPU, &time, NULL)) return errno;
  if (prlimit(child, RLIMIT_CORE, &none, NULL)) return errno;
  if (prlimit(child, RLIMIT_FSIZE, &none, NULL)) return errno;
#else
  (void)child, (void)memory, (void)seconds;
#endif
  return 0;
}
