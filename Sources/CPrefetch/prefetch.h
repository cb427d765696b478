// Asks for memory ahead of time: Swift has no way to. No source file, so that it costs nothing to call.
#pragma once

// Asks for the cache line of an address that is read soon; any address will do.
static inline void prefetch_line(const void *address) { __builtin_prefetch(address, 0, 3); }
