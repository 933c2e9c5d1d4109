// What is used of PostgreSQL's client library (libpq), which is looked for when the program runs: without it everything else works,
// and without its headers this is built. Each function is libpq's own of the same name, with `pq_` for `PQ`; its documentation is
// https://www.postgresql.org/docs/current/libpq.html
#ifndef C_POSTGRES_H
#define C_POSTGRES_H

#include <stdint.h>

/// A connection (`PGconn`) and a result (`PGresult`).
typedef struct pg_conn pq_connection;
typedef struct pg_result pq_result;

/// The values of libpq's enumerations, which are part of its binary interface.
enum { PQ_CONNECTION_OK = 0 };
enum {
  PQ_EMPTY_QUERY = 0,
  PQ_COMMAND_OK = 1,
  PQ_TUPLES_OK = 2,
};
enum { PQ_TRANSACTION_IDLE = 0 };

/// One of the parameters that a connection is made with (`PQconninfoOption`).
typedef struct {
  char *_Nonnull keyword;
  char *_Nullable environment;
  char *_Nullable compiled;
  char *_Nullable value;
  char *_Nullable label;
  char *_Nonnull dispatch;
  int dispatch_size;
} pq_option;

/// What somebody told those who listen (`PGnotify`).
typedef struct {
  char *_Nonnull channel;
  int process;
  char *_Nonnull payload;
} pq_notification;

/// Looks for libpq under the names, which end with NULL, and in it for all that is used here. To be called once, before anything
/// else, and not by two threads at a time.
///
/// Returns NULL when all is there. Else what is missing, in memory that `free` frees; nothing below may be called then.
char *_Nullable pq_load(const char *_Nullable const *_Nonnull names);

int pq_libVersion(void);

pq_option *_Nullable pq_conninfoParse(const char *_Nonnull conninfo, char *_Nullable *_Nonnull message);
void pq_conninfoFree(pq_option *_Nullable options);
void pq_freemem(void *_Nullable memory);

pq_connection *_Nullable pq_connectdbParams(const char *_Nullable const *_Nonnull keywords,
                                            const char *_Nullable const *_Nonnull values, int expands_dbname);
void pq_finish(pq_connection *_Nonnull connection);
int pq_status(const pq_connection *_Nonnull connection);
int pq_socket(const pq_connection *_Nonnull connection);
int pq_serverVersion(const pq_connection *_Nonnull connection);
int pq_transactionStatus(const pq_connection *_Nonnull connection);
int pq_setnonblocking(pq_connection *_Nonnull connection, int is_nonblocking);
const char *_Nonnull pq_errorMessage(const pq_connection *_Nonnull connection);
/// Has what the server remarks be dropped, which libpq writes to standard error else.
void pq_silence(pq_connection *_Nonnull connection);

int pq_sendQuery(pq_connection *_Nonnull connection, const char *_Nonnull text);
int pq_sendQueryParams(pq_connection *_Nonnull connection, const char *_Nonnull text, int count,
                       const uint32_t *_Nullable types, const char *_Nullable const *_Nullable values,
                       const int *_Nullable lengths, const int *_Nullable formats, int result_format);
int pq_flush(pq_connection *_Nonnull connection);
int pq_consumeInput(pq_connection *_Nonnull connection);
int pq_isBusy(pq_connection *_Nonnull connection);
pq_result *_Nullable pq_getResult(pq_connection *_Nonnull connection);
pq_notification *_Nullable pq_notifies(pq_connection *_Nonnull connection);

void pq_clear(pq_result *_Nonnull result);
int pq_resultStatus(const pq_result *_Nonnull result);
/// Letters of https://www.postgresql.org/docs/current/protocol-error-fields.html
char *_Nullable pq_resultErrorField(const pq_result *_Nonnull result, int field);
char *_Nonnull pq_resultErrorMessage(const pq_result *_Nonnull result);
int pq_ntuples(const pq_result *_Nonnull result);
int pq_nfields(const pq_result *_Nonnull result);
uint32_t pq_ftype(const pq_result *_Nonnull result, int column);
int pq_getisnull(const pq_result *_Nonnull result, int row, int column);
int pq_getlength(const pq_result *_Nonnull result, int row, int column);
char *_Nonnull pq_getvalue(const pq_result *_Nonnull result, int row, int column);
char *_Nonnull pq_cmdStatus(pq_result *_Nonnull result);
char *_Nonnull pq_cmdTuples(pq_result *_Nonnull result);

#endif
