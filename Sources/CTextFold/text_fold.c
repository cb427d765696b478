#include "text_fold.h"

tfold_kinds tfold_part(const uint8_t *text, size_t count, uint8_t *folded) {
    uint8_t padded[TFOLD_BLOCK] = {0};
    memcpy(padded, text, count < TFOLD_BLOCK ? count : TFOLD_BLOCK);
    return tfold_block(padded, folded);
}
