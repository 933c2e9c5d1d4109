// The C that AutoMobile needs and Swift cannot say on the systems it supports.
#ifndef C_AUTOMOBILE_H
#define C_AUTOMOBILE_H

#include "CAutoMobileAtomics.h"
#include "CAutoMobileCRC32C.h"
#include "CAutoMobileCallerStack.h"
#include "CAutoMobileClock.h"
#include "CAutoMobileCrash.h"
#include "CAutoMobileCrashLane.h"
#include "CAutoMobileCrashVerdict.h"
#include "CAutoMobileDebugger.h"
#include "CAutoMobileFiles.h"
#include "CAutoMobileJournal.h"
#include "CAutoMobileLaunch.h"
#include "CAutoMobileMainQueue.h"
#include "CAutoMobileMemory.h"
#include "CAutoMobileOwnWork.h"
#include "CAutoMobilePixels.h"
#include "CAutoMobileStack.h"
#include "CAutoMobileTextSearch.h"
#include "CAutoMobileThread.h"
#include "CAutoMobileThreadTick.h"
#include "CAutoMobileThreadWait.h"

#endif
