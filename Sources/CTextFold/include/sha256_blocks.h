// SHA-256 by the processor's own instructions.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Adds whole blocks of 64 bytes to the state (a to h). Returns how many it added: all, or none on a processor without the
// instructions.
size_t tfold_sha256_blocks(uint32_t *state, const uint8_t *data, size_t blocks);

#ifdef __cplusplus
}
#endif
