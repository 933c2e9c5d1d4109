#include "CAutoMobileStack.h"
#include "ThreadState.h"

bool am_thread_wait_place(am_thread_id thread, struct am_wait_place *place) {
  struct am_registers registers;
  if (!am_thread_registers_outside(thread, &registers)) return false;
  place->stack = registers.values[AM_REGISTER_SP];
  place->code = registers.values[AM_REGISTER_PC];
  return place->stack != 0;
}
