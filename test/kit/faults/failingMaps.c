/*
 * Fails one in MAP_FAIL_ONE_IN read-only mappings of files with ENOMEM, as Linux does at vm.max_map_count, while the file MAP_FAIL_WHILE
 * exists. Loaded with LD_PRELOAD; failingMaps.ts here and in pooledReaders/ build it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int fails(void) {
  static __thread unsigned seed;
  const char *odds = getenv("MAP_FAIL_ONE_IN"), *file = getenv("MAP_FAIL_WHILE");
  if (!odds || !file) return 0;
  if (!seed) seed = (unsigned)(size_t)&seed ^ (unsigned)getpid();
  return rand_r(&seed) % atoi(odds) == 0 && access(file, F_OK) == 0;
}

static void *map(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "mmap");
  if (fd >= 0 && prot == PROT_READ && (flags & MAP_SHARED) && fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(at, size, prot, flags, fd, offset);
}

void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset) { return map(at, size, prot, flags, fd, offset); }
void *mmap64(void *at, size_t size, int prot, int flags, int fd, off_t offset) { return map(at, size, prot, flags, fd, offset); }

void *mremap(void *at, size_t old, size_t size, int flags, ...) {
  static void *(*real)(void *, size_t, size_t, int, void *);
  if (!real) real = dlsym(RTLD_NEXT, "mremap");
  va_list rest;
  va_start(rest, flags);
  void *to = va_arg(rest, void *);
  va_end(rest);
  if (size > old && fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(at, old, size, flags, to);
}
