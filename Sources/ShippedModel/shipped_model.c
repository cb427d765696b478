#include "shipped_model.h"

// #embed is C23; this compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// C because #embed puts a file into the binary at no cost to the compiler, and the linker finds it read-only.
static const unsigned char model[] = {
#embed "shipped.model"
};

const shipped_model_file shipped_model = {model, sizeof model};
