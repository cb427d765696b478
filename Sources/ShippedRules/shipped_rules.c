#include "shipped_rules.h"

// #embed is C23; this compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// C because #embed puts a file into the binary at no cost to the compiler, and the linker finds it read-only.
static const unsigned char drafts[] = {
#embed "rules/drafts.yaml"
};
static const unsigned char category_spam[] = {
#embed "rules/category-spam.yaml"
};
static const unsigned char category_spam_languages[] = {
#embed "rules/category-spam-languages.yaml"
};
static const unsigned char category_spam_plainly[] = {
#embed "rules/category-spam-plainly.yaml"
};
static const unsigned char category_business[] = {
#embed "rules/category-business.yaml"
};
static const unsigned char category_business_openings[] = {
#embed "rules/category-business-openings.yaml"
};
static const unsigned char category_business_languages[] = {
#embed "rules/category-business-languages.yaml"
};
static const unsigned char category_business_kinds[] = {
#embed "rules/category-business-kinds.yaml"
};
static const unsigned char category_business_enquiries[] = {
#embed "rules/category-business-enquiries.yaml"
};
static const unsigned char category_fan[] = {
#embed "rules/category-fan.yaml"
};
static const unsigned char category[] = {
#embed "rules/category.yaml"
};
static const unsigned char urgency[] = {
#embed "rules/urgency.yaml"
};
static const unsigned char urgency_languages[] = {
#embed "rules/urgency-languages.yaml"
};
static const unsigned char urgency_situations[] = {
#embed "rules/urgency-situations.yaml"
};
static const unsigned char danger[] = {
#embed "rules/danger.yaml"
};
static const unsigned char danger_signs[] = {
#embed "rules/danger-signs.yaml"
};
static const unsigned char danger_threats[] = {
#embed "rules/danger-threats.yaml"
};
static const unsigned char danger_over[] = {
#embed "rules/danger-over.yaml"
};
static const unsigned char injection[] = {
#embed "rules/injection.yaml"
};
static const unsigned char injection_languages[] = {
#embed "rules/injection-languages.yaml"
};
static const unsigned char facts[] = {
#embed "rules/facts.yaml"
};
static const unsigned char facts_offers[] = {
#embed "rules/facts-offers.yaml"
};
static const unsigned char kinds[] = {
#embed "rules/kinds.yaml"
};
static const unsigned char sentiment[] = {
#embed "rules/sentiment.yaml"
};
static const unsigned char sentiment_en[] = {
#embed "rules/sentiment-words-en.yaml"
};
static const unsigned char sentiment_es[] = {
#embed "rules/sentiment-words-es.yaml"
};
static const unsigned char sentiment_pt[] = {
#embed "rules/sentiment-words-pt.yaml"
};
static const unsigned char sentiment_fr[] = {
#embed "rules/sentiment-words-fr.yaml"
};
static const unsigned char sentiment_de[] = {
#embed "rules/sentiment-words-de.yaml"
};
static const unsigned char sentiment_other[] = {
#embed "rules/sentiment-words-other.yaml"
};
static const unsigned char sentiment_emoji[] = {
#embed "rules/sentiment-emoji.yaml"
};
static const unsigned char draft_guard[] = {
#embed "draft-guard.yaml"
};
static const unsigned char draft_judge[] = {
#embed "draft-judge.weights"
};
static const unsigned char batch_talk[] = {
#embed "batch-talk.yaml"
};
static const unsigned char languages[] = {
#embed "languages.yaml"
};
static const unsigned char reasons[] = {
#embed "reasons.yaml"
};
static const unsigned char changes[] = {
#embed "changes.yaml"
};
static const unsigned char injection_words[] = {
#embed "injection-words.txt"
};

static const shipped_file shipped_rules[] = {
    {"category.yaml", category, sizeof category},
    {"category-fan.yaml", category_fan, sizeof category_fan},
    {"category-business.yaml", category_business, sizeof category_business},
    {"category-business-openings.yaml", category_business_openings, sizeof category_business_openings},
    {"category-business-kinds.yaml", category_business_kinds, sizeof category_business_kinds},
    {"category-business-languages.yaml", category_business_languages, sizeof category_business_languages},
    {"category-business-enquiries.yaml", category_business_enquiries, sizeof category_business_enquiries},
    {"category-spam.yaml", category_spam, sizeof category_spam},
    {"category-spam-languages.yaml", category_spam_languages, sizeof category_spam_languages},
    {"category-spam-plainly.yaml", category_spam_plainly, sizeof category_spam_plainly},
    {"urgency.yaml", urgency, sizeof urgency},
    {"urgency-languages.yaml", urgency_languages, sizeof urgency_languages},
    {"urgency-situations.yaml", urgency_situations, sizeof urgency_situations},
    {"danger.yaml", danger, sizeof danger},
    {"danger-signs.yaml", danger_signs, sizeof danger_signs},
    {"danger-threats.yaml", danger_threats, sizeof danger_threats},
    {"danger-over.yaml", danger_over, sizeof danger_over},
    {"injection.yaml", injection, sizeof injection},
    {"injection-languages.yaml", injection_languages, sizeof injection_languages},
    {"facts.yaml", facts, sizeof facts},
    {"drafts.yaml", drafts, sizeof drafts},
    {"facts-offers.yaml", facts_offers, sizeof facts_offers},
    {"kinds.yaml", kinds, sizeof kinds},
    {"sentiment.yaml", sentiment, sizeof sentiment},
    {"sentiment-words-en.yaml", sentiment_en, sizeof sentiment_en},
    {"sentiment-words-es.yaml", sentiment_es, sizeof sentiment_es},
    {"sentiment-words-pt.yaml", sentiment_pt, sizeof sentiment_pt},
    {"sentiment-words-fr.yaml", sentiment_fr, sizeof sentiment_fr},
    {"sentiment-words-de.yaml", sentiment_de, sizeof sentiment_de},
    {"sentiment-words-other.yaml", sentiment_other, sizeof sentiment_other},
    {"sentiment-emoji.yaml", sentiment_emoji, sizeof sentiment_emoji},
    {NULL, NULL, 0},
};

shipped_file shipped_rule_file(size_t index) {
    size_t last = sizeof shipped_rules / sizeof shipped_rules[0] - 1;
    return shipped_rules[index < last ? index : last];
}

const shipped_file shipped_draft_guard = {"draft-guard.yaml", draft_guard, sizeof draft_guard};
const shipped_file shipped_draft_judge = {"draft-judge.weights", draft_judge, sizeof draft_judge};
const shipped_file shipped_batch_talk = {"batch-talk.yaml", batch_talk, sizeof batch_talk};
const shipped_file shipped_languages = {"languages.yaml", languages, sizeof languages};
const shipped_file shipped_reasons = {"reasons.yaml", reasons, sizeof reasons};
const shipped_file shipped_changes = {"changes.yaml", changes, sizeof changes};
const shipped_file shipped_injection_words = {"injection-words.txt", injection_words, sizeof injection_words};
