// SHA-256 (FIPS 180-4). A package for it would bring, and build, all of BoringSSL a second time.
#ifndef C_SHA256_H
#define C_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct am_sha256 {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
};

void am_sha256_begin(struct am_sha256 *_Nonnull hash);

/// More of the message; `bytes` may be NULL when `count` is 0.
void am_sha256_add(struct am_sha256 *_Nonnull hash, const void *_Nullable bytes, size_t count);

/// Writes the 32 bytes of the digest. Nothing may be added after that.
void am_sha256_end(struct am_sha256 *_Nonnull hash, uint8_t *_Nonnull digest);

#endif
