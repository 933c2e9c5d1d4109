// Comparing, moving and filling rectangles of pictures of four bytes a pixel. No function checks a rectangle: whoever
// calls them has cut it to the picture.
#ifndef C_AUTOMOBILE_PIXELS_H
#define C_AUTOMOBILE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Marks the tiles, row-major, in which two pictures of the same size differ; `changed` has one byte for each.
/// Returns how many they are.
size_t am_pixels_changed_tiles(
    const uint32_t *_Nonnull left, const uint32_t *_Nonnull right, size_t width, size_t height, size_t edge,
    uint8_t *_Nonnull changed);

/// A hash of the pixels from column `from` up to, but not including, `to`, of each row.
void am_pixels_row_hashes(
    const uint32_t *_Nonnull pixels, size_t width, size_t height, size_t from, size_t to, uint64_t *_Nonnull hashes);

/// By how many rows the picture has moved down (negative: up) between the rows `top` and `bottom`, not including the
/// latter, as most rows say that occur once: 0 when too few say so. `table` has `slots` places, a power of two that is
/// at least twice the rows; `votes` has two for each row.
ptrdiff_t am_pixels_vertical_move(
    const uint64_t *_Nonnull before, const uint64_t *_Nonnull after, size_t top, size_t bottom, size_t least,
    uint32_t *_Nonnull table, size_t slots, uint32_t *_Nonnull votes);

/// The mean brightness, 0…255, of each row in `am_pixels_bands` bands side by side, of the columns from `from` up to, but
/// not including, `to`.
enum { am_pixels_bands = 8 };
void am_pixels_row_brightness(
    const uint32_t *_Nonnull pixels, size_t width, size_t height, size_t from, size_t to, uint8_t *_Nonnull bands);

/// As `am_pixels_vertical_move`, for rows that are like others without being equal, as they are when a screen scrolls by
/// parts of a pixel: what brings the brightness of rows nearest; 0 when it does not bring it at least twice as near as
/// no move does. At least `least` rows stay in the picture.
ptrdiff_t am_pixels_vertical_drift(
    const uint8_t *_Nonnull before, const uint8_t *_Nonnull after, size_t top, size_t bottom, size_t least);

/// Marks, among all tiles, those where `right` is more than `left` moved by up to a row: where more than one pixel in 32
/// lies farther than `tolerance` outside of what `left` has in that place and in the rows above and below. Returns how
/// many they are.
size_t am_pixels_unlike_tiles(
    const uint32_t *_Nonnull left, const uint32_t *_Nonnull right, size_t width, size_t height, size_t edge,
    int tolerance, uint8_t *_Nonnull unlike);

/// Copies the tiles that are marked.
void am_pixels_copy_tiles(
    const uint32_t *_Nonnull source, uint32_t *_Nonnull target, size_t width, size_t height, size_t edge,
    const uint8_t *_Nonnull marks);

/// Copies a rectangle of `source` to a place of `target`; the two are different pictures of the same width.
void am_pixels_copy(
    const uint32_t *_Nonnull source, uint32_t *_Nonnull target, size_t picture_width, size_t x, size_t y, size_t width,
    size_t height, size_t to_x, size_t to_y);

/// Fills a rectangle with one colour.
void am_pixels_fill(
    uint32_t *_Nonnull pixels, size_t picture_width, size_t x, size_t y, size_t width, size_t height, uint32_t colour);

/// Copies a tile out of a picture into an atlas. Where the tile sticks out of the picture, its last column and row are
/// repeated, so that nothing foreign is coded beside them.
void am_pixels_take_tile(
    const uint32_t *_Nonnull picture, size_t width, size_t height, size_t x, size_t y, size_t edge,
    uint32_t *_Nonnull atlas, size_t atlas_width, size_t to_x, size_t to_y);

/// Bytes that the two functions below need to work in.
size_t am_pixels_palette_memory(void);

/// Finds colours (`0xRRGGBB`) with which the pixels can be shown so that the squares of what they are off sum up to no more
/// than `tolerance`. Returns how many they are; 0 when more than `most` would be needed, or the colours are too many to count.
size_t am_pixels_palette(
    const uint32_t *_Nonnull pixels, size_t count, size_t most, uint64_t tolerance, uint32_t *_Nonnull palette,
    void *_Nonnull memory);

/// The pixels for which the palette was found last as numbers of its colours, of 1, 2, 4 or 8 bits each, the first in the
/// highest. Each row begins with a byte that is 0, as a PNG's rows without a filter do, and ends with a whole one.
void am_pixels_index(
    const uint32_t *_Nonnull pixels, size_t width, size_t height, size_t bits, uint8_t *_Nonnull rows,
    const void *_Nonnull memory);

/// A hash of what each tile holds, and of how much of it lies in the picture; of the marked ones only, or of all.
void am_pixels_tile_hashes(
    const uint32_t *_Nonnull pixels, size_t width, size_t height, size_t edge, const uint8_t *_Nullable marks,
    uint64_t *_Nonnull hashes);

#endif
