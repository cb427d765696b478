#include "shipped_prompts.h"

// #embed is C23; this compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// C because #embed puts a file into the binary at no cost to the compiler, and the linker finds it read-only.
static const unsigned char triage_v1[] = {
#embed "../../Prompts/triage/triage-v1.md"
};
static const unsigned char category_v1[] = {
#embed "../../Prompts/category/category-v1.md"
};
static const unsigned char sentiment_v1[] = {
#embed "../../Prompts/sentiment/sentiment-v1.md"
};
static const unsigned char urgency_v1[] = {
#embed "../../Prompts/urgency/urgency-v1.md"
};
static const unsigned char offer_v1[] = {
#embed "../../Prompts/offer/offer-v1.md"
};
static const unsigned char faq_v1[] = {
#embed "../../Prompts/faq/faq-v1.md"
};
static const unsigned char draft_v1[] = {
#embed "../../Prompts/draft/draft-v1.md"
};
static const unsigned char draft_v2[] = {
#embed "../../Prompts/draft/draft-v2.md"
};
static const unsigned char draft_v3[] = {
#embed "../../Prompts/draft/draft-v3.md"
};
static const unsigned char repair_v1[] = {
#embed "../../Prompts/repair/repair-v1.md"
};

static const shipped_prompt shipped_prompts[] = {
    {"triage/triage-v1.md", triage_v1, sizeof triage_v1},
    {"category/category-v1.md", category_v1, sizeof category_v1},
    {"sentiment/sentiment-v1.md", sentiment_v1, sizeof sentiment_v1},
    {"urgency/urgency-v1.md", urgency_v1, sizeof urgency_v1},
    {"offer/offer-v1.md", offer_v1, sizeof offer_v1},
    {"faq/faq-v1.md", faq_v1, sizeof faq_v1},
    {"draft/draft-v1.md", draft_v1, sizeof draft_v1},
    {"draft/draft-v2.md", draft_v2, sizeof draft_v2},
    {"draft/draft-v3.md", draft_v3, sizeof draft_v3},
    {"repair/repair-v1.md", repair_v1, sizeof repair_v1},
    {NULL, NULL, 0},
};

shipped_prompt shipped_prompt_file(size_t index) {
    size_t last = sizeof shipped_prompts / sizeof shipped_prompts[0] - 1;
    return shipped_prompts[index < last ? index : last];
}
