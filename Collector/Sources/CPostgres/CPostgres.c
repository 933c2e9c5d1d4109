// The C library declares what is used here only to those who ask for it.
#define _GNU_SOURCE
#include "CPostgres.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What it answers, its name behind PQ, what it takes.
#define SYMBOLS(X)                                                                                                       \
  X(int, libVersion, (void))                                                                                             \
  X(pq_option *, conninfoParse, (const char *, char **))                                                                 \
  X(void, conninfoFree, (pq_option *))                                                                                   \
  X(void, freemem, (void *))                                                                                             \
  X(pq_connection *, connectdbParams, (const char *const *, const char *const *, int))                                   \
  X(void, finish, (pq_connection *))                                                                                     \
  X(int, status, (const pq_connection *))                                                                                \
  X(int, socket, (const pq_connection *))                                                                                \
  X(int, serverVersion, (const pq_connection *))                                                                         \
  X(int, transactionStatus, (const pq_connection *))                                                                     \
  X(int, setnonblocking, (pq_connection *, int))                                                                         \
  X(char *, errorMessage, (const pq_connection *))                                                                       \
  X(notice_receiver, setNoticeReceiver, (pq_connection *, notice_receiver, void *))                                      \
  X(int, sendQuery, (pq_connection *, const char *))                                                                     \
  X(int, sendQueryParams,                                                                                                \
    (pq_connection *, const char *, int, const uint32_t *, const char *const *, const int *, const int *, int))          \
  X(int, flush, (pq_connection *))                                                                                       \
  X(int, consumeInput, (pq_connection *))                                                                                \
  X(int, isBusy, (pq_connection *))                                                                                      \
  X(pq_result *, getResult, (pq_connection *))                                                                           \
  X(pq_notification *, notifies, (pq_connection *))                                                                      \
  X(void, clear, (pq_result *))                                                                                          \
  X(int, resultStatus, (const pq_result *))                                                                              \
  X(char *, resultErrorField, (const pq_result *, int))                                                                  \
  X(char *, resultErrorMessage, (const pq_result *))                                                                     \
  X(int, ntuples, (const pq_result *))                                                                                   \
  X(int, nfields, (const pq_result *))                                                                                   \
  X(uint32_t, ftype, (const pq_result *, int))                                                                           \
  X(int, getisnull, (const pq_result *, int, int))                                                                       \
  X(int, getlength, (const pq_result *, int, int))                                                                       \
  X(char *, getvalue, (const pq_result *, int, int))                                                                     \
  X(char *, cmdStatus, (pq_result *))                                                                                    \
  X(char *, cmdTuples, (pq_result *))

typedef void (*notice_receiver)(void *, const pq_result *);

struct library {
#define FIELD(answer, name, arguments) answer(*name) arguments;
  SYMBOLS(FIELD)
#undef FIELD
};

static struct library pq;

static char *formatted(const char *format, const char *first, const char *second) {
  char *text = NULL;
  return asprintf(&text, format, first, second) < 0 ? strdup("memory is short") : text;
}

char *pq_load(const char *const *names) {
  void *handle = NULL;
  const char *name = NULL;
  char *reason = NULL;
  for (; !handle && *names; names++) {
    name = *names;
    handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    // Of several the first one's reason: it is the usual name.
    const char *error = handle ? NULL : dlerror();
    if (error && !reason) reason = strdup(error);
  }
  if (!handle) {
    char *message = formatted("%s%s", reason ? reason : "no name of a library was given", "");
    free(reason);
    return message;
  }
  free(reason);
  // Taken over when it is complete.
  struct library found;
#define FIND(answer, symbol, arguments)                                                                                  \
  *(void **)&found.symbol = dlsym(handle, "PQ" #symbol);                                                                 \
  if (!found.symbol) {                                                                                                   \
    char *message = formatted("%s has no function %s", name, "PQ" #symbol);                                              \
    dlclose(handle);                                                                                                     \
    return message;                                                                                                      \
  }
  SYMBOLS(FIND)
#undef FIND
  pq = found;
  return NULL;
}

static void drop(void *nothing, const pq_result *result) {
  (void)nothing;
  (void)result;
}

void pq_silence(pq_connection *connection) { pq.setNoticeReceiver(connection, drop, NULL); }

int pq_libVersion(void) { return pq.libVersion(); }
pq_option *pq_conninfoParse(const char *conninfo, char **message) { return pq.conninfoParse(conninfo, message); }
void pq_conninfoFree(pq_option *options) { pq.conninfoFree(options); }
void pq_freemem(void *memory) { pq.freemem(memory); }

pq_connection *pq_connectdbParams(const char *const *keywords, const char *const *values, int expands_dbname) {
  return pq.connectdbParams(keywords, values, expands_dbname);
}
void pq_finish(pq_connection *connection) { pq.finish(connection); }
int pq_status(const pq_connection *connection) { return pq.status(connection); }
int pq_socket(const pq_connection *connection) { return pq.socket(connection); }
int pq_serverVersion(const pq_connection *connection) { return pq.serverVersion(connection); }
int pq_transactionStatus(const pq_connection *connection) { return pq.transactionStatus(connection); }
int pq_setnonblocking(pq_connection *connection, int is_nonblocking) {
  return pq.setnonblocking(connection, is_nonblocking);
}
const char *pq_errorMessage(const pq_connection *connection) { return pq.errorMessage(connection); }

int pq_sendQuery(pq_connection *connection, const char *text) { return pq.sendQuery(connection, text); }
int pq_sendQueryParams(pq_connection *connection, const char *text, int count, const uint32_t *types,
                       const char *const *values, const int *lengths, const int *formats, int result_format) {
  return pq.sendQueryParams(connection, text, count, types, values, lengths, formats, result_format);
}
int pq_flush(pq_connection *connection) { return pq.flush(connection); }
int pq_consumeInput(pq_connection *connection) { return pq.consumeInput(connection); }
int pq_isBusy(pq_connection *connection) { return pq.isBusy(connection); }
pq_result *pq_getResult(pq_connection *connection) { return pq.getResult(connection); }
pq_notification *pq_notifies(pq_connection *connection) { return pq.notifies(connection); }

void pq_clear(pq_result *result) { pq.clear(result); }
int pq_resultStatus(const pq_result *result) { return pq.resultStatus(result); }
char *pq_resultErrorField(const pq_result *result, int field) { return pq.resultErrorField(result, field); }
char *pq_resultErrorMessage(const pq_result *result) { return pq.resultErrorMessage(result); }
int pq_ntuples(const pq_result *result) { return pq.ntuples(result); }
int pq_nfields(const pq_result *result) { return pq.nfields(result); }
uint32_t pq_ftype(const pq_result *result, int column) { return pq.ftype(result, column); }
int pq_getisnull(const pq_result *result, int row, int column) { return pq.getisnull(result, row, column); }
int pq_getlength(const pq_result *result, int row, int column) { return pq.getlength(result, row, column); }
char *pq_getvalue(const pq_result *result, int row, int column) { return pq.getvalue(result, row, column); }
char *pq_cmdStatus(pq_result *result) { return pq.cmdStatus(result); }
char *pq_cmdTuples(pq_result *result) { return pq.cmdTuples(result); }
