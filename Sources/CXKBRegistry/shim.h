// libxkbregistry: which keyboard layouts there are, and what people call them.

#ifndef CXKBREGISTRY_SHIM_H
#define CXKBREGISTRY_SHIM_H

#include <xkbcommon/xkbregistry.h>

#endif
