// libmosquitto, and the two calls of the kernel that sinks need and Swift cannot import.

#ifndef CMOSQUITTO_SHIM_H
#define CMOSQUITTO_SHIM_H

#include <fcntl.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
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

#endif
