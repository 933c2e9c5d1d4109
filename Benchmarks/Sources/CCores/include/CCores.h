#ifndef C_CORES_H
#define C_CORES_H

/// Keeps the calling thread on one core, where the system allows it.
void run_on_core(int core);

/// Returns when `count` threads have called it with the same counter, at first 0: to all of them at the same moment, for they do
/// not sleep meanwhile.
void meet(int *_Nonnull counter, int count);

#endif
