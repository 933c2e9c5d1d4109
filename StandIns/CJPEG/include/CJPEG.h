// JPEG through libjpeg-turbo, for tests, benchmarks and the stand-ins: on Apple's systems ImageIO does this.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// Codes pixels of four bytes (blue, green, red, one that is ignored), rows from the top, without gaps. Returns
/// memory for `free`, and its length in `*length`; NULL when it could not.
uint8_t *_Nullable cjpeg_encode(
    const uint8_t *_Nonnull pixels, int width, int height, int quality, size_t *_Nonnull length);

/// Size of a picture; 0 when it is none.
int cjpeg_size(const uint8_t *_Nonnull bytes, size_t length, int *_Nonnull width, int *_Nonnull height);

/// Decodes into `width` × `height` pixels as above; 0 when it could not, or when the picture has another size.
int cjpeg_decode(const uint8_t *_Nonnull bytes, size_t length, uint8_t *_Nonnull pixels, int width, int height);

#endif
