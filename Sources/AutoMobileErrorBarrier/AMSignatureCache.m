#import "AMSignatureCache.h"
#import "AMRuntime.h"

@implementation AMSignatureCache

- (instancetype)init {
  if ((self = [super init])) pthread_mutex_init(&_lock, NULL);
  return self;
}

- (void)dealloc {
  for (size_t index = 0; index < AM_SIGNATURE_CAPACITY; index++) {
    if (_entries[index].signature == NULL) continue;
#if __has_feature(objc_arc)
    (void)(__bridge_transfer NSMethodSignature *)_entries[index].signature;
#else
    [(NSMethodSignature *)_entries[index].signature release];
#endif
  }
  pthread_mutex_destroy(&_lock);
  AM_SUPER_DEALLOC;
}

/// The selector's entry, or the free one that it would get; NULL when all are taken. Selectors are compared by address:
/// one that has two (GNU's runtime types them) has two entries.
static struct am_signature_entry *entryFor(struct am_signature_entry *entries, SEL selector) {
  size_t start = ((uintptr_t)(const void *)selector >> 4) % AM_SIGNATURE_CAPACITY;
  for (size_t step = 0; step < AM_SIGNATURE_CAPACITY; step++) {
    struct am_signature_entry *entry = &entries[(start + step) % AM_SIGNATURE_CAPACITY];
    SEL there = __atomic_load_n(&entry->selector, __ATOMIC_ACQUIRE);
    if (there == selector || there == NULL) return entry;
  }
  return NULL;
}

- (NSMethodSignature *)signatureForSelector:(SEL)selector {
  struct am_signature_entry *entry = entryFor(_entries, selector);
  if (entry == NULL || __atomic_load_n(&entry->selector, __ATOMIC_ACQUIRE) != selector) return nil;
#if __has_feature(objc_arc)
  return (__bridge NSMethodSignature *)entry->signature;
#else
  return (NSMethodSignature *)entry->signature;
#endif
}

- (void)keep:(NSMethodSignature *)signature forSelector:(SEL)selector {
  pthread_mutex_lock(&_lock);
  struct am_signature_entry *entry = entryFor(_entries, selector);
  if (entry != NULL && entry->selector == NULL) {
#if __has_feature(objc_arc)
    entry->signature = (__bridge_retained void *)signature;
#else
    entry->signature = (void *)[signature retain];
#endif
    __atomic_store_n(&entry->selector, selector, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&_lock);
}

@end
