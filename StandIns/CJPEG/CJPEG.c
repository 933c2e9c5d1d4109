#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
// After stdio.h, which it needs and does not include.
#include <jpeglib.h>

struct trap {
  struct jpeg_error_mgr manager;
  jmp_buf place;
};

static void leave(j_common_ptr info) { longjmp(((struct trap *)info->err)->place, 1); }
static void keep_quiet(j_common_ptr info) { (void)info; }

static struct jpeg_error_mgr *errors(struct trap *trap) {
  jpeg_std_error(&trap->manager);
  trap->manager.error_exit = leave;
  trap->manager.output_message = keep_quiet;
  return &trap->manager;
}

uint8_t *cjpeg_encode(const uint8_t *pixels, int width, int height, int quality, size_t *length) {
  struct jpeg_compress_struct info;
  struct trap trap;
  unsigned char *bytes = NULL;
  unsigned long count = 0;
  info.err = errors(&trap);
  if (setjmp(trap.place)) {
    jpeg_destroy_compress(&info);
    free(bytes);
    return NULL;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &bytes, &count);
  info.image_width = (JDIMENSION)width;
  info.image_height = (JDIMENSION)height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_BGRX;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  // Small pictures: their tables would be most of them.
  info.optimize_coding = TRUE;
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * (size_t)width * 4);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  *length = count;
  return bytes;
}

int cjpeg_size(const uint8_t *bytes, size_t length, int *width, int *height) {
  struct jpeg_decompress_struct info;
  struct trap trap;
  info.err = errors(&trap);
  if (setjmp(trap.place)) {
    jpeg_destroy_decompress(&info);
    return 0;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, length);
  jpeg_read_header(&info, TRUE);
  *width = (int)info.image_width;
  *height = (int)info.image_height;
  jpeg_destroy_decompress(&info);
  return 1;
}

int cjpeg_decode(const uint8_t *bytes, size_t length, uint8_t *pixels, int width, int height) {
  struct jpeg_decompress_struct info;
  struct trap trap;
  info.err = errors(&trap);
  if (setjmp(trap.place)) {
    jpeg_destroy_decompress(&info);
    return 0;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, length);
  jpeg_read_header(&info, TRUE);
  if (info.image_width != (JDIMENSION)width || info.image_height != (JDIMENSION)height) {
    jpeg_destroy_decompress(&info);
    return 0;
  }
  info.out_color_space = JCS_EXT_BGRA;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels + (size_t)info.output_scanline * (size_t)width * 4;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return 1;
}
