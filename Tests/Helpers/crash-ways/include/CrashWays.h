// Ways to die that Swift does not have. The line that dies is marked with a comment, `dies:` and the function's name, which
// the tests look for.
#ifndef CRASH_WAYS_H
#define CRASH_WAYS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void die_of_null_pointer(void);
void die_of_wild_pointer(void);
void die_of_bus_error(const char *path);
void die_of_division(void);
void die_of_illegal_instruction(void);
void die_of_abort(void);
void die_of_trap(void);
void die_of_stack_overflow(void);
void die_of_corrupt_heap(void);
void die_with_heap_locked(void);
void die_with_loader_locked(void);
void die_of_cpp_exception(void);
void die_of_foreign_exception(void);
void die_of_silly_exception(void);
void die_of_throwing_noexcept(void);

/// Dies of a null pointer, which another thread reports that dies while it writes.
///
/// - Parameter note: the tag of a section that it writes before.
void die_reported_by_a_dying_listener(uint32_t note);

/// Has output written at once: whoever dies flushes nothing.
void do_not_buffer_output(void);

/// Calls a function on a number of threads as nearly at once as possible; does not return.
void call_on_threads(int count, void (*function)(void));

/// Starts threads that wait or that compute, for ever.
void start_threads(int count, int compute);

/// Calls a function on a new thread, and waits for it.
void call_on_thread(void (*prepare)(void), void (*function)(void));

/// Installs handlers for the crash signals that say on standard output what they are given: with three arguments, or one.
/// `then` is called by it; may be nil.
void install_host_handlers(int takes_three, int restarts, void (*then)(int number));
void ignore_crash_signals(void);

/// Calls a function in a handler of SIGUSR1.
void call_in_signal_handler(void (*function)(void));

/// Forks; the child calls the function, and the parent waits and says how the child ended.
int call_in_fork(void (*function)(void));

/// Loads a library and calls its function.
void die_in_library(const char *path);

/// Makes the next fault in this memory page good, as a runtime with write barriers does.
void *protected_page(void);
void install_mending_handler(void);

#ifdef __cplusplus
}
#endif

#endif
