// The viewer's files (Collector/Web), inside the binary.
#ifndef C_WEB_ASSETS_H
#define C_WEB_ASSETS_H

#include <stddef.h>

/// One file. All pointers live as long as the process.
struct am_web_asset {
  /// Below Collector/Web, with slashes: "index.html", "js/main.js".
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t length;
};

/// Ordered as in assets.c.
extern const struct am_web_asset *_Nonnull const am_web_assets;
extern const size_t am_web_asset_count;

#endif
