/* Records what is written to files, and when it is fsynced, for tests/soak/disk.py: LD_PRELOAD on Linux, 64 bits.
 *
 * RECORD_OF: the beginning of the files' paths; RECORD_IN: the file that takes the record, appended by all processes.
 * One record: kind, length of the path, offset, length of the data; path; data. Written by one call, so that records
 * of several processes never mix. A write is recorded after it is done and an fsync before it is begun: what counts as
 * fsynced was written before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PARTS 1024

static void note(char kind, const char *path, off_t offset, const struct iovec *data, int n_parts, size_t length) {
    struct __attribute__((packed)) { char kind; uint16_t n_path; uint64_t offset, length; } head = {
        kind, (uint16_t)strlen(path), (uint64_t)offset, length};
    struct iovec parts[PARTS + 2] = {{&head, sizeof head}, {(void *)path, head.n_path}};
    size_t left = length;
    int n = 2;
    for (int i = 0; i < n_parts && left; i++, n++) { /* of a short write the part that was written */
        size_t here = data[i].iov_len < left ? data[i].iov_len : left;
        parts[n] = (struct iovec){data[i].iov_base, here};
        left -= here;
    }
    int before = errno;
    int record = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORD_IN"), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (syscall(SYS_writev, record, parts, n) != (ssize_t)(sizeof head + head.n_path + length))
        abort(); /* half a record is none */
    syscall(SYS_close, record);
    errno = before;
}

static int is_ours(const char *path) {
    const char *of = getenv("RECORD_OF");
    return of && strncmp(path, of, strlen(of)) == 0;
}

/* The path of an open file of ours that has still a name. */
static int path_of(int fd, char *path) {
    char link[64];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    errno = before;
    if (n <= 0)
        return 0;
    path[n] = 0;
    return is_ours(path) && !strstr(path, " (deleted)");
}

static ssize_t written(int fd, ssize_t n, off_t offset, const struct iovec *data, int n_parts) {
    char path[PATH_MAX];
    if (n > 0 && path_of(fd, path))
        note('w', path, offset, data, n_parts, (size_t)n);
    return n;
}

ssize_t write(int fd, const void *data, size_t length) {
    struct iovec part = {(void *)data, length};
    char path[PATH_MAX];
    ssize_t n = syscall(SYS_write, fd, data, length);
    if (n > 0 && path_of(fd, path))
        note('w', path, lseek(fd, 0, SEEK_CUR) - n, &part, 1, (size_t)n);
    return n;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    struct iovec part = {(void *)data, length};
    return written(fd, syscall(SYS_pwrite64, fd, data, length, offset), offset, &part, 1);
}

ssize_t pwritev(int fd, const struct iovec *data, int n, off_t offset) {
    return written(fd, syscall(SYS_pwritev, fd, data, n, offset, 0), offset, data, n);
}

static void synced(int fd) {
    char path[PATH_MAX];
    if (path_of(fd, path))
        note('s', path, 0, NULL, 0, 0);
}

int fsync(int fd) {
    synced(fd);
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    synced(fd);
    return (int)syscall(SYS_fdatasync, fd);
}

static void resized(int fd) {
    char path[PATH_MAX];
    struct stat now;
    if (path_of(fd, path) && fstat(fd, &now) == 0)
        note('t', path, now.st_size, NULL, 0, 0);
}

int ftruncate(int fd, off_t length) {
    int failed = (int)syscall(SYS_ftruncate, fd, length);
    if (!failed)
        resized(fd);
    return failed;
}

int truncate(const char *path, off_t length) {
    int failed = (int)syscall(SYS_truncate, path, length);
    char whole[PATH_MAX];
    if (!failed && realpath(path, whole) && is_ours(whole))
        note('t', whole, length, NULL, 0, 0);
    return failed;
}

int posix_fallocate(int fd, off_t offset, off_t length) {
    if (syscall(SYS_fallocate, fd, 0, offset, length))
        return errno;
    resized(fd);
    return 0;
}

static int opened(int fd, int flags) {
    char path[PATH_MAX];
    if (fd >= 0 && flags & (O_CREAT | O_TRUNC) && path_of(fd, path))
        note(flags & O_TRUNC ? 'e' : 'c', path, 0, NULL, 0, 0); /* empty, or there */
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), flags);
}

/* A name goes, or gets to be another's; paths are made whole while the file is still there. */
int unlink(const char *path) {
    char whole[PATH_MAX];
    int ours = realpath(path, whole) && is_ours(whole);
    int failed = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (!failed && ours)
        note('u', whole, 0, NULL, 0, 0);
    return failed;
}

int rename(const char *from, const char *to) {
    char before[PATH_MAX], now[PATH_MAX];
    int ours = realpath(from, before) && is_ours(before);
    int failed = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    struct iovec part = {now, 0};
    if (!failed && ours && realpath(to, now)) {
        part.iov_len = strlen(now);
        note('r', before, 0, &part, 1, part.iov_len);
    }
    return failed;
}

ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
ssize_t pwritev64(int, const struct iovec *, int, off_t) __attribute__((alias("pwritev")));
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
int truncate64(const char *, off_t) __attribute__((alias("truncate")));
int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));
int open64(const char *, int, ...) __attribute__((alias("open")));
