#import "AMMethodExchange.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// Held while methods are looked at and changed.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// What has been exchanged: it is never undone, so the list only grows, by a handful in a process.
struct exchange {
  Class type;
  SEL selector;
  struct exchange *next;
};
static struct exchange *exchanges;

static BOOL isExchanged(Class type, SEL selector) {
  for (struct exchange *exchange = exchanges; exchange != NULL; exchange = exchange->next) {
    if (exchange->type == type && sel_isEqual(exchange->selector, selector)) return YES;
  }
  return NO;
}

static BOOL remember(Class type, SEL selector) {
  struct exchange *exchange = calloc(1, sizeof *exchange);
  if (exchange == NULL) return NO;
  exchange->type = type;
  exchange->selector = selector;
  exchange->next = exchanges;
  exchanges = exchange;
  return YES;
}

/// The class's own method; an inherited one is made its own first. NULL when there is none, or when the runtime does not
/// do that (GNU's does not for class methods).
static Method ownMethod(Class type, SEL selector) {
  Method method = class_getInstanceMethod(type, selector);
  if (method == NULL) return NULL;
  class_addMethod(type, selector, method_getImplementation(method), method_getTypeEncoding(method));
  method = class_getInstanceMethod(type, selector);
  Class parent = class_getSuperclass(type);
  return parent != Nil && class_getInstanceMethod(parent, selector) == method ? NULL : method;
}

static BOOL exchange(Class type, SEL original, SEL replacement) {
  if (type == Nil || original == NULL || replacement == NULL || sel_isEqual(original, replacement)) return NO;
  if (isExchanged(type, original) || isExchanged(type, replacement)) return NO;
  Method first = class_getInstanceMethod(type, original);
  Method second = class_getInstanceMethod(type, replacement);
  if (first == NULL || second == NULL) return NO;
  const char *types = method_getTypeEncoding(first);
  const char *otherTypes = method_getTypeEncoding(second);
  if (types == NULL || otherTypes == NULL || strcmp(types, otherTypes) != 0) return NO;
  first = ownMethod(type, original);
  second = ownMethod(type, replacement);
  if (first == NULL || second == NULL || !remember(type, original) || !remember(type, replacement)) return NO;
  method_exchangeImplementations(first, second);
  return YES;
}

BOOL AMExchangeMethods(Class type, SEL original, SEL replacement) {
  pthread_mutex_lock(&lock);
  BOOL done = exchange(type, original, replacement);
  pthread_mutex_unlock(&lock);
  return done;
}

BOOL AMReplaceMethod(Class type, SEL selector, IMP implementation, IMP *previous) {
  pthread_mutex_lock(&lock);
  Method method = type == Nil ? NULL : class_getInstanceMethod(type, selector);
  BOOL done = method != NULL && implementation != NULL && method_getImplementation(method) != implementation;
  if (done) method = ownMethod(type, selector);
  if (method == NULL) done = NO;
  if (done) {
    *previous = method_getImplementation(method);
    method_setImplementation(method, implementation);
  }
  pthread_mutex_unlock(&lock);
  return done;
}
