/* Preloaded into a process: lets the calls by which it changes files fail, come short, or bring a signal, and moves its
 * clock. Attacked are calls on files below a folder, counted from 1; a fork shares the counts. See forge.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { OPEN, WRITE, PWRITE, SYNC, TRUNCATE, RENAME, LOCK, KINDS };
enum { FAIL_ONCE, FAIL_ALWAYS, SHORT, SIGNAL, CLOCK };

struct plan { int kinds, what, value, armed; long nth, all, counts[KINDS], shift_s; char below[4096]; };
static struct plan *plan;

__attribute__((constructor)) static void begin(void) {
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void fault_arm(int kinds, int what, int value, long nth, const char *below) {
    memset(plan, 0, sizeof *plan);
    plan->kinds = kinds, plan->what = what, plan->value = value, plan->nth = nth, plan->armed = 1;
    strncpy(plan->below, below, sizeof plan->below - 1);
}

long fault_count(int kind) { return kind < 0 ? plan->all : plan->counts[kind]; }

static int below(const char *path) { return !strncmp(path, plan->below, strlen(plan->below)); }

static int of_descriptor(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path);
}

static int of_path(const char *path) {
    char here[4096];
    return path[0] == '/' ? below(path) : getcwd(here, sizeof here) != NULL && below(here);
}

/* 0: go on; 1: fail with errno; 2: write only a part. */
static int meets(int kind) {
    plan->counts[kind]++;
    if (!(plan->kinds & 1 << kind)) return 0;
    long now = __sync_add_and_fetch(&plan->all, 1);
    if (plan->nth == 0 || (plan->what == FAIL_ALWAYS ? now < plan->nth : now != plan->nth)) return 0;
    if (plan->what == SIGNAL) kill(getpid(), plan->value);
    if (plan->what == CLOCK) plan->shift_s = plan->value;
    if (plan->what > FAIL_ALWAYS) return plan->what == SHORT ? 2 : 0;
    errno = plan->value;
    return 1;
}

#define REAL(name) static typeof(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)
#define ATTACKED(where, kind) (plan && plan->armed && (where) ? meets(kind) : 0)
#define FAILS(where, kind) if (ATTACKED(where, kind) == 1) return -1
#define PART(where, kind, size) switch (ATTACKED(where, kind)) { case 1: return -1; case 2: size = size > 1 ? size / 2 : size; }

ssize_t write(int fd, const void *data, size_t size) { REAL(write); PART(of_descriptor(fd), WRITE, size) return real(fd, data, size); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { REAL(pwrite64); PART(of_descriptor(fd), PWRITE, size) return real(fd, data, size, at); }
int fsync(int fd) { REAL(fsync); FAILS(of_descriptor(fd), SYNC); return real(fd); }
int fdatasync(int fd) { REAL(fdatasync); FAILS(of_descriptor(fd), SYNC); return real(fd); }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); FAILS(of_descriptor(fd), TRUNCATE); return real(fd, size); }
int rename(const char *from, const char *to) { REAL(rename); FAILS(of_path(to), RENAME); return real(from, to); }
int flock(int fd, int how) { REAL(flock); FAILS(how != LOCK_UN && of_descriptor(fd), LOCK); return real(fd, how); }

int open64(const char *path, int flags, ...) {
    REAL(open64);
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more);
    FAILS(of_path(path), OPEN);
    return real(path, flags, mode);
}

int fcntl64(int fd, int command, ...) {
    REAL(fcntl64);
    va_list more; va_start(more, command); void *value = va_arg(more, void *); va_end(more);
    int locks = (command == F_SETLK || command == F_SETLKW) && ((struct flock *)value)->l_type != F_UNLCK;
    FAILS(locks && of_descriptor(fd), LOCK);
    return real(fd, command, value);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int result = real(clock, now);
    if (plan && clock == CLOCK_REALTIME) now->tv_sec += plan->shift_s;
    return result;
}
