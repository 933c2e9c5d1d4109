#ifndef C_CORES_H
#define C_CORES_H

/// Keeps the calling thread on one core, where the system allows it.
void run_on_core(int core);

#endif
