#include "CWebAssets.h"

// `#embed` is C23; clang has it in every mode and says so. A file that changes is noticed by the build: the compiler
// lists it among this file's dependencies. A new file gets two lines here.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../../Web/index.html"
};

#define ASSET(path, bytes) {path, bytes, sizeof(bytes)}

static const struct am_web_asset assets[] = {
    ASSET("index.html", index_html),
};

const struct am_web_asset *const am_web_assets = assets;
const size_t am_web_asset_count = sizeof(assets) / sizeof(assets[0]);
