#include "shipped_faq.h"

// #embed is C23; this compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char weights[] = {
#embed "faq.weights"
};

static const unsigned char vectors[] __attribute__((aligned(64))) = {
#embed "faq.vectors"
};

static const unsigned char heads[] __attribute__((aligned(64))) = {
#embed "faq.heads"
};

const shipped_faq_file shipped_faq_weights = {weights, sizeof weights};
const shipped_faq_file shipped_faq_vectors = {vectors, sizeof vectors};
const shipped_faq_file shipped_faq_heads = {heads, sizeof heads};
