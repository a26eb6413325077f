// libmosquitto, and what sinks need of the kernel and the C library that Swift cannot import.

#ifndef CMOSQUITTO_SHIM_H
#define CMOSQUITTO_SHIM_H

#include <fcntl.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A file without a name, in memory, that is closed in commands that are run.
static inline int cmosquitto_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1U);
}

/// A pipe that is closed in commands that are run.
static inline int cmosquitto_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

/// Becomes readable when a process has ended; closed in commands that are run.
static inline int cmosquitto_process(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0U);
}

/// Closes, in a command that is run, every descriptor from one on; <spawn.h> has it for GNU programs alone.
static inline int cmosquitto_close_from(posix_spawn_file_actions_t *actions, int first) {
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Has a command that is run begin a session; glibc's POSIX_SPAWN_SETSID, for GNU programs alone.
static const short cmosquitto_spawn_session = 0x80;

/// The environment of this process.
static inline char **cmosquitto_environment(void) {
    extern char **environ;
    return environ;
}

#endif
