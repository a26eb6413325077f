// System calls that Swift cannot make itself.

#ifndef CLINUX_H
#define CLINUX_H

#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
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

// Starts a program, searched for in PATH, in a session of its own, with these standard descriptors and no
// others, and with the default signals; without `errors` (-1) its standard error is discarded.
static inline int clinux_spawn(
    pid_t *process, char *const arguments[], int input, int output, int errors) {
    // For GNU sources only: a flag, a function and a variable of the C library.
    const short session = 0x80; // POSIX_SPAWN_SETSID
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
    extern char **environ;

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (errors >= 0) {
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session);

    int result = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result;
}

// Sends a datagram to a Unix socket without waiting, with a copy of a descriptor unless that is negative.
// A path that begins with `@` is a name in Linux's abstract namespace.
static inline void clinux_notify(const char *path, const char *text, int passed) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = 0;

    struct iovec part = {.iov_base = (void *)text, .iov_len = strlen(text)};
    struct msghdr message = {
        .msg_name = &address,
        .msg_namelen = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length),
        .msg_iov = &part,
        .msg_iovlen = 1,
    };
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof passed)] = {0};
    if (passed >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return;
    sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    close(descriptor);
}

// The arguments of the process. Swift reads them from /proc, which a container need not have.
int clinux_argument_count(void);
char *clinux_argument(int index);

#endif
