// System calls that Swift cannot make itself.

#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <linux/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// When a file was made, which no program can set; 0 if the file system does not keep it.
static inline struct timespec clinux_birth(int descriptor) {
    const int ofDescriptor = 0x1000; // AT_EMPTY_PATH, which is for GNU sources only
    struct timespec birth = {0, 0};
    struct statx status;
    if (syscall(SYS_statx, descriptor, "", ofDescriptor, STATX_BTIME, &status) == 0
        && status.stx_mask & STATX_BTIME) {
        birth.tv_sec = status.stx_btime.tv_sec;
        birth.tv_nsec = status.stx_btime.tv_nsec;
    }
    return birth;
}

#endif
