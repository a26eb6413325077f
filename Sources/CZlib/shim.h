// zlib, for what is compressed and decompressed piece by piece.

#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

#endif
