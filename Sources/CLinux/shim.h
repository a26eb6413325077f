// System calls that Swift cannot make itself.

#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <linux/stat.h>
#include <spawn.h>
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

// A file without a name, in memory.
static inline int clinux_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */);
}

// A descriptor that becomes readable when a child process has ended.
static inline int clinux_process_descriptor(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0U);
}

// Closes every descriptor from `first` on in the new process; <spawn.h> has it for GNU sources only.
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// The new process begins a session: POSIX_SPAWN_SETSID, which is for GNU sources only.
static const short clinux_spawn_session = 0x80;

// The environment of this process.
static inline char **clinux_environment(void) {
    extern char **environ;
    return environ;
}

#endif
