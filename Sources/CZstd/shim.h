// libzstd: compresses and decompresses the files of a feed piece by piece.

#ifndef CZSTD_SHIM_H
#define CZSTD_SHIM_H

#include <zstd.h>

#endif
