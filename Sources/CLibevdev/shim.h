// libevdev, and the few things of the kernel that Swift cannot import: macros with arguments and
// functions with a variable number of arguments.

#ifndef CLIBEVDEV_SHIM_H
#define CLIBEVDEV_SHIM_H

#include <errno.h>
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

static inline void clibevdev_log_nothing(
    const struct libevdev *device, enum libevdev_log_priority priority, void *data,
    const char *file, int line, const char *function, const char *format, va_list arguments) {}

/// A device that logs nothing: the reader must never wait for standard error.
static inline struct libevdev *clibevdev_new_silent(void) {
    struct libevdev *device = libevdev_new();
    if (device) {
        libevdev_set_device_log_function(
            device, clibevdev_log_nothing, LIBEVDEV_LOG_ERROR, NULL);
    }
    return device;
}

/// When the event happened, in microseconds of the device's clock.
static inline long long clibevdev_microseconds(const struct input_event *event) {
    return (long long)event->input_event_sec * 1000000 + (long long)event->input_event_usec;
}

/// The clock for the events of one who has the node open; what waits to be read is thrown away.
static inline int clibevdev_set_clock(int descriptor, int clock) {
    return ioctl(descriptor, EVIOCSCLOCKID, &clock);
}

/// Who a device is, asked of an open descriptor.
static inline int clibevdev_get_id(int descriptor, struct input_id *id) {
    return ioctl(descriptor, EVIOCGID, id);
}

/// Revokes a descriptor and all its copies: the claim ends, and nothing can be read any more.
static inline int clibevdev_revoke(int descriptor) { return ioctl(descriptor, EVIOCREVOKE, (void *)0); }

static inline int clibevdev_uinput_set_phys(int descriptor, const char *phys) {
    return ioctl(descriptor, UI_SET_PHYS, phys);
}

/// memfd_create(2), which glibc declares for GNU C alone.
static inline int clibevdev_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */);
}

static inline unsigned int clibevdev_major(dev_t device) { return major(device); }
static inline unsigned int clibevdev_minor(dev_t device) { return minor(device); }

static inline void clibevdev_name_this_thread(const char *name) {
    extern int pthread_setname_np(pthread_t, const char *);
    pthread_setname_np(pthread_self(), name);
}

#endif
