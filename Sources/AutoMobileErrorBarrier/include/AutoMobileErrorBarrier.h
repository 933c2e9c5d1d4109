// What AutoMobile needs of the Objective-C runtime, and Swift cannot say.
#ifndef AUTOMOBILE_ERROR_BARRIER_H
#define AUTOMOBILE_ERROR_BARRIER_H

#include "AMBarrierFailure.h"
#include "AMBlockTarget.h"
#include "AMErrorBarrier.h"
#include "AMErrorBarrierRun.h"
#include "AMGetterReplacement.h"
#include "AMMethodExchange.h"
#include "AMMethodObservation.h"

#endif
