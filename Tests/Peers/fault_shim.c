// Fails, kills or stops a program at one of its calls to the system, counted over all its threads; and moves its clock.
//
// Loaded into the program (LD_PRELOAD, Linux). Counts the calls that can change what is on a disk; of write(2) only those
// to files. Says nothing and changes nothing but what the environment asks for:
//
//   FAULT_AT N       the call with this number, from 1
//   FAULT_UNTIL N    up to this one; default: the same; 0: for ever
//   FAULT_ERRNO E    the call fails with this error; 0 or absent: the process is killed before the call
//   FAULT_SIGNAL S   the process gets this signal before the call, and the call goes on
//   FAULT_SYNCED FILE what each fsync made safe is written here: the file's inode and its size, a line each
//   FAULT_COUNT FILE the number of calls is written here when the process ends by itself
//   FAULT_CLOCK S    the clock is so many seconds ahead
//   FAULT_STEP N:S   from call N on by so many more
//   FAULT_OPENS 1    the opening of files to read counts, too
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls;
static long at, until, error, sent, ahead, step_at, step, opens;
static const char *count_path;
static int synced = -1;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    at = number("FAULT_AT");
    until = getenv("FAULT_UNTIL") ? number("FAULT_UNTIL") : at;
    error = number("FAULT_ERRNO");
    sent = number("FAULT_SIGNAL");
    ahead = number("FAULT_CLOCK");
    count_path = getenv("FAULT_COUNT");
    const char *log = getenv("FAULT_SYNCED");
    if (log) synced = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    opens = number("FAULT_OPENS");
    const char *text = getenv("FAULT_STEP");
    if (text) sscanf(text, "%ld:%ld", &step_at, &step);
}

__attribute__((destructor)) static void finish(void) {
    if (!count_path) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    int file = (int)syscall(SYS_openat, AT_FDCWD, count_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, text, length);
        syscall(SYS_close, file);
    }
}

// Whether this call is to fail; kills where no error is named.
static int fails(void) {
    long now = atomic_fetch_add(&calls, 1) + 1;
    if (!at || now < at || (until && now > until)) return 0;
    if (sent) {
        syscall(SYS_kill, getpid(), sent);
        return 0;
    }
    if (!error) {
        syscall(SYS_kill, getpid(), SIGKILL);
        for (;;) pause();
    }
    errno = (int)error;
    return 1;
}

static int is_file(int descriptor) {
    struct stat info;
    int saved = errno;
    int holds = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    errno = saved;
    return holds;
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(write);
    // Words for people count as nothing.
    if (descriptor > 2 && is_file(descriptor) && fails()) return -1;
    return real(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t place) {
    REAL(pwrite);
    return fails() ? -1 : real(descriptor, bytes, count, place);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t place) {
    REAL(pwrite64);
    return fails() ? -1 : real(descriptor, bytes, count, place);
}

// Notes what is safe: the size before the call, for what is written during it may not be.
static int note(int status, const struct stat *info) {
    if (status != 0 || synced < 0 || !S_ISREG(info->st_mode)) return status;
    char text[64];
    int length = snprintf(text, sizeof text, "%llu %lld\n", (unsigned long long)info->st_ino, (long long)info->st_size);
    syscall(SYS_write, synced, text, length);
    return status;
}

int fsync(int descriptor) {
    REAL(fsync);
    struct stat info = {0};
    fstat(descriptor, &info);
    return fails() ? -1 : note(real(descriptor), &info);
}

int fdatasync(int descriptor) {
    REAL(fdatasync);
    struct stat info = {0};
    fstat(descriptor, &info);
    return fails() ? -1 : note(real(descriptor), &info);
}

int ftruncate(int descriptor, off_t length) {
    REAL(ftruncate);
    return fails() ? -1 : real(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    REAL(ftruncate64);
    return fails() ? -1 : real(descriptor, length);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(linkat);
    return fails() ? -1 : real(from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return fails() ? -1 : real(from, to);
}

int unlink(const char *path) {
    REAL(unlink);
    return fails() ? -1 : real(path);
}

int flock(int descriptor, int operation) {
    REAL(flock);
    return fails() ? -1 : real(descriptor, operation);
}

#define OPENING(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        /* Reading changes nothing. */ \
        if ((opens || (flags & O_ACCMODE) != O_RDONLY) && fails()) return -1; \
        return real(path, flags, mode); \
    }
OPENING(open)
OPENING(open64)

// The clock.

static long shift(void) { return ahead + (step_at && atomic_load(&calls) >= step_at ? step : 0); }

time_t time(time_t *out) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    time_t found = now.tv_sec + shift();
    if (out) *out = found;
    return found;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    int status = (int)syscall(SYS_clock_gettime, clock, out);
    if (status == 0 && clock == CLOCK_REALTIME) out->tv_sec += shift();
    return status;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec + shift();
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}
