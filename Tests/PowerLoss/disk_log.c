/* A preloaded library that logs, in order, what a process does to the files of a folder, and can make the
 * process's calls fail as those of a broken disk do.
 *
 *   DISK_LOG_FOLDER   the folder whose files are watched
 *   DISK_LOG          the log file; without it, nothing is logged
 *   DISK_FAULT        a file with one line CALL ERRNO, which makes CALL (read, write, truncate, sync) fail with
 *                     that number as long as the file exists
 *
 * A record of the log is a line of text with its kind, the file's name, an offset and a length. A write is followed by
 * its bytes, and a rename by the new name. A write to standard output has the kind "said".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_descriptor = -1;
static const char *folder;
static size_t folder_length;
static const char *fault_path;

static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

__attribute__((constructor)) static void start(void) {
    real_read = dlsym(RTLD_NEXT, "read");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    folder = getenv("DISK_LOG_FOLDER");
    folder_length = folder ? strlen(folder) : 0;
    fault_path = getenv("DISK_FAULT");
    const char *path = getenv("DISK_LOG");
    if (path) log_descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Returns the name of a file in the folder; "." for the folder itself, and NULL for other paths. */
static const char *name_in_folder(const char *path) {
    if (!folder || strncmp(path, folder, folder_length)) return NULL;
    if (!path[folder_length]) return ".";
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *name_of(int descriptor, char *room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, room, PATH_MAX);
    if (length <= 0) return NULL;
    room[length] = 0;
    return name_in_folder(room);
}

/* Writes a record; the caller holds the lock. */
static void put(const char *kind, const char *name, long long offset, const void *bytes,
                long long length) {
    if (log_descriptor < 0) return;
    char line[PATH_MAX + 64];
    int count = snprintf(line, sizeof line, "%s %s %lld %lld\n", kind, name, offset, length);
    if (real_write(log_descriptor, line, count) != count) abort();
    if (bytes && real_write(log_descriptor, bytes, length) != length) abort();
}

/* Returns whether a call must fail now, and sets errno if so. */
static int fails(const char *call) {
    if (!fault_path) return 0;
    int descriptor = open(fault_path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    char text[64] = "";
    ssize_t length = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    char wanted[32];
    int number;
    if (length <= 0 || sscanf(text, "%31s %d", wanted, &number) != 2) return 0;
    if (strcmp(wanted, call)) return 0;
    errno = number;
    return 1;
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    char room[PATH_MAX + 1];
    return name_of(descriptor, room) && fails("read") ? -1 : real_read(descriptor, bytes, count);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    char room[PATH_MAX + 1];
    if (name_of(descriptor, room) && fails("read")) return -1;
    return real_pread(descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return pread64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    char room[PATH_MAX + 1];
    const char *name = name_of(descriptor, room);
    if (!name && descriptor != STDOUT_FILENO) return real_write(descriptor, bytes, count);
    if (name && fails("write")) return -1;
    pthread_mutex_lock(&lock);
    long long offset = name ? lseek(descriptor, 0, SEEK_CUR) : 0;
    ssize_t result = real_write(descriptor, bytes, count);
    if (result > 0) put(name ? "write" : "said", name ? name : "-", offset, bytes, result);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    char room[PATH_MAX + 1];
    const char *name = name_of(descriptor, room);
    if (!name) return real_pwrite(descriptor, bytes, count, offset);
    if (fails("write")) return -1;
    pthread_mutex_lock(&lock);
    ssize_t result = real_pwrite(descriptor, bytes, count, offset);
    if (result > 0) put("write", name, offset, bytes, result);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

int ftruncate64(int descriptor, off64_t length) {
    char room[PATH_MAX + 1];
    const char *name = name_of(descriptor, room);
    if (!name) return real_ftruncate(descriptor, length);
    /* The start truncates the index of SQLite's log first; if that failed, it would not get to the log. */
    if (!strstr(name, "-shm") && fails("truncate")) return -1;
    pthread_mutex_lock(&lock);
    int result = real_ftruncate(descriptor, length);
    if (!result) put("truncate", name, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

/* All earlier writes to the file in the log are on the disk, because only one thread writes to a file, and that
 * thread waits here. */
static int synchronise(int descriptor, int (*real)(int)) {
    char room[PATH_MAX + 1];
    const char *name = name_of(descriptor, room);
    if (!name) return real(descriptor);
    if (fails("sync")) return -1;
    int result = real(descriptor);
    if (result) return result;
    pthread_mutex_lock(&lock);
    put("sync", name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int descriptor) { return synchronise(descriptor, real_fsync); }
int fdatasync(int descriptor) { return synchronise(descriptor, real_fdatasync); }

int unlink(const char *path) {
    const char *name = name_in_folder(path);
    if (!name) return real_unlink(path);
    pthread_mutex_lock(&lock);
    int result = real_unlink(path);
    if (!result) put("unlink", name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *old, const char *new) {
    const char *name = name_in_folder(old);
    const char *other = name_in_folder(new);
    if (!name || !other) return real_rename(old, new);
    pthread_mutex_lock(&lock);
    int result = real_rename(old, new);
    if (!result) put("rename", name, 0, other, strlen(other));
    pthread_mutex_unlock(&lock);
    return result;
}
