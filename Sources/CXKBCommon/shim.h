// libxkbcommon: keymaps, and the compose tables that say what dead keys give.

#ifndef CXKBCOMMON_SHIM_H
#define CXKBCOMMON_SHIM_H

#include <xkbcommon/xkbcommon-compose.h>
#include <xkbcommon/xkbcommon.h>

#endif
