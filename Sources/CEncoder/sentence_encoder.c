#include "sentence_encoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Compiled once per instruction set; the version for the CPU is chosen when the program is loaded.
#if defined(__x86_64__) && defined(__GLIBC__)
#define SENC_FOR_EACH_MACHINE __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define SENC_FOR_EACH_MACHINE
#endif

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file holds little-endian numbers");

// A product and a sum are rounded one by one everywhere, or machines with FMA would come to other vectors.
#pragma STDC FP_CONTRACT OFF

enum { WIDTH = SENC_SIZE, INNER = 4 * WIDTH, HEADS = 12, HEAD = WIDTH / HEADS, BLOCK = 32, MOST_LAYERS = 12 };
// Bytes of a piece at most, bytes read of a text, and characters those can become.
enum { PIECE_BYTES = 48, TEXT_BYTES = 2048, CHARACTERS = TEXT_BYTES + 16 };
// Weights and activations have eight bits each: the file's weights have four, and that costs far more.
enum { TOP = 127 };
// Outputs and tokens whose sums are kept in registers together.
enum { LANES = 16, ROWS = 2 * LANES, TOKENS = 6 };

#define MAGIC "TSE1"
typedef struct {
    char magic[4];
    uint32_t layers, pieces, positions, norms, norm_outs, blob, unknown, begin, end;
    float unknown_score, epsilon;
} header;

// Four bits a weight, 32 to a block with one scale, as the file has them.
typedef struct {
    uint16_t scale;
    uint8_t nibbles[BLOCK / 2];
} block;
_Static_assert(sizeof(block) == 18, "as the file has them");

typedef struct {
    /// [rows / LANES][columns / group][LANES][group], so that a register holds the same columns of LANES outputs.
    int8_t *weights;
    float *scales;
    /// Sums of the weights of each row, for activations that are moved up to be positive.
    int32_t *sums;
    const float *bias;
    int rows, columns;
} matrix;

typedef struct {
    matrix query, key, value, mixed, up, down;
    const float *mixed_weight, *mixed_bias, *out_weight, *out_bias;
} layer;

struct senc_model {
    header head;
    const uint32_t *offsets;
    const float *scores;
    const uint32_t *norm_from, *norm_offsets, *norm_to;
    const uint8_t *blob;
    const block *words;
    const float *positions, *type, *first_weight, *first_bias;
    layer layers[MOST_LAYERS];
    int32_t *table;
    uint32_t mask;
    /// Adds products of weights and activations; columns that lie together, 4 where the machine multiplies bytes (VNNI), else 2; and
    /// by how much activations are moved up to be positive.
    void (*sums)(const int8_t *weights, const void *tokens, int columns, int32_t out[TOKENS][ROWS]);
    int group, moved;
    float gelu[4096 + 1];
};

struct senc_scratch {
    uint8_t bytes[CHARACTERS * 4];
    uint32_t starts[CHARACTERS + 1];
    float best[CHARACTERS + 1];
    int32_t piece[CHARACTERS + 1], from[CHARACTERS + 1], found[CHARACTERS + 1];
    float x[SENC_TOKENS * WIDTH], q[SENC_TOKENS * WIDTH], k[SENC_TOKENS * WIDTH], v[SENC_TOKENS * WIDTH];
    float mixed[SENC_TOKENS * WIDTH], inner[SENC_TOKENS * INNER];
    /// Of one head, turned.
    float keys[HEAD][SENC_TOKENS];
    /// int16_t, or uint8_t moved up by 128; some beyond the last token are read, and count for nothing.
    _Alignas(64) int16_t activations[(SENC_TOKENS + TOKENS) * INNER];
    float activation_scales[SENC_TOKENS];
};

// ---- the file ----

static float half(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3FF;
    // Scales are normal numbers or zero.
    uint32_t value = exponent == 0 ? sign : sign | (exponent + 112) << 23 | fraction << 13;
    return __builtin_bit_cast(float, value);
}

static uint32_t hash(const uint8_t *text, size_t count) {
    uint32_t value = 2166136261u;
    for (size_t k = 0; k < count; k++) value = (value ^ text[k]) * 16777619u;
    return value ^ value >> 15;
}

typedef struct {
    const uint8_t *at, *end;
    bool is_short;
} reader;

static const void *take(reader *in, size_t count) {
    const uint8_t *at = in->at;
    if ((size_t)(in->end - at) < count) {
        in->is_short = true;
        return NULL;
    }
    // Everything begins at a multiple of four.
    size_t step = (count + 3) & ~(size_t)3;
    in->at = (size_t)(in->end - at) < step ? in->end : at + step;
    return at;
}

static void read_row(const block *blocks, int columns, float *out) {
    for (int b = 0; b < columns / BLOCK; b++) {
        float scale = half(blocks[b].scale);
        for (int k = 0; k < BLOCK / 2; k++) {
            out[b * BLOCK + k] = (float)((blocks[b].nibbles[k] & 15) - 8) * scale;
            out[b * BLOCK + k + BLOCK / 2] = (float)((blocks[b].nibbles[k] >> 4) - 8) * scale;
        }
    }
}

// The largest absolute value.
static float largest(const float *values, int count) {
    float top[8] = {0};
    for (int k = 0; k < count; k += 8)
        for (int n = 0; n < 8; n++) {
            float value = fabsf(values[k + n]);
            top[n] = value > top[n] ? value : top[n];
        }
    float found = 0;
    for (int n = 0; n < 8; n++) found = top[n] > found ? top[n] : found;
    return found;
}

// Rounds numbers below 2^22 to the nearest one, to the even one of two, without a call.
static inline int32_t nearest(float value) {
    const float shift = 12582912;
    return (int32_t)(value + shift - shift);
}

static bool read_matrix(reader *in, matrix *out, int rows, int columns, int group) {
    const block *blocks = take(in, (size_t)rows * (size_t)(columns / BLOCK) * sizeof(block));
    out->bias = take(in, (size_t)rows * sizeof(float));
    out->rows = rows, out->columns = columns;
    out->weights = aligned_alloc(64, (size_t)rows * (size_t)columns);
    out->scales = malloc((size_t)rows * sizeof(float));
    out->sums = malloc((size_t)rows * sizeof(int32_t));
    if (in->is_short || !out->weights || !out->scales || !out->sums) return false;
    float row[INNER];
    for (int r = 0; r < rows; r++) {
        read_row(blocks + (size_t)r * (size_t)(columns / BLOCK), columns, row);
        float top = largest(row, columns), scale = top > 0 ? top / TOP : 1, inverse = 1 / scale;
        out->scales[r] = scale;
        int32_t sum = 0;
        int8_t *lane = out->weights + (size_t)(r / LANES) * LANES * (size_t)columns + (size_t)(r % LANES * group);
        for (int k = 0; k < columns; k += group)
            for (int n = 0; n < group; n++) {
                int32_t weight = nearest(row[k + n] * inverse);
                lane[k * LANES + n] = (int8_t)weight;
                sum += weight;
            }
        out->sums[r] = sum;
    }
    return true;
}

void senc_close(senc_model *model) {
    if (!model) return;
    for (int l = 0; l < MOST_LAYERS; l++) {
        matrix *all[] = {&model->layers[l].query, &model->layers[l].key, &model->layers[l].value,
                         &model->layers[l].mixed, &model->layers[l].up, &model->layers[l].down};
        for (int k = 0; k < 6; k++) free(all[k]->weights), free(all[k]->scales), free(all[k]->sums);
    }
    free(model->table);
    free(model);
}

static bool read_model(senc_model *model, reader *in) {
    const header *head = take(in, sizeof(header));
    if (!head || memcmp(head->magic, MAGIC, 4) != 0) return false;
    model->head = *head;
    if (head->layers == 0 || head->layers > MOST_LAYERS || head->pieces == 0 || head->pieces > 1 << 20 || head->norms > 1 << 20
        || head->norm_outs > 1 << 22 || head->blob > 1 << 28 || head->positions < SENC_TOKENS || head->positions > 4096
        || !isfinite(head->unknown_score) || !isfinite(head->epsilon) || head->unknown >= head->pieces || head->begin >= head->pieces || head->end >= head->pieces)
        return false;
    model->offsets = take(in, (head->pieces + 1) * sizeof(uint32_t));
    model->scores = take(in, head->pieces * sizeof(float));
    model->norm_from = take(in, head->norms * sizeof(uint32_t));
    model->norm_offsets = take(in, (head->norms + 1) * sizeof(uint32_t));
    model->norm_to = take(in, head->norm_outs * sizeof(uint32_t));
    model->blob = take(in, head->blob);
    model->words = take(in, (size_t)head->pieces * (WIDTH / BLOCK) * sizeof(block));
    model->positions = take(in, (size_t)head->positions * WIDTH * sizeof(float));
    model->type = take(in, WIDTH * sizeof(float));
    model->first_weight = take(in, WIDTH * sizeof(float));
    model->first_bias = take(in, WIDTH * sizeof(float));
    if (in->is_short) return false;
    for (uint32_t k = 0; k < head->pieces; k++)
        if (model->offsets[k] > model->offsets[k + 1]) return false;
    if (model->offsets[head->pieces] > head->blob) return false;
    for (uint32_t k = 0; k < head->norms; k++)
        if (model->norm_offsets[k] > model->norm_offsets[k + 1]) return false;
    if (model->norm_offsets[head->norms] > head->norm_outs) return false;
    int group = model->group;
    for (uint32_t l = 0; l < head->layers; l++) {
        layer *of = &model->layers[l];
        matrix *first[] = {&of->query, &of->key, &of->value, &of->mixed};
        for (int k = 0; k < 4; k++)
            if (!read_matrix(in, first[k], WIDTH, WIDTH, group)) return false;
        of->mixed_weight = take(in, WIDTH * sizeof(float));
        of->mixed_bias = take(in, WIDTH * sizeof(float));
        if (!read_matrix(in, &of->up, INNER, WIDTH, group) || !read_matrix(in, &of->down, WIDTH, INNER, group)) return false;
        of->out_weight = take(in, WIDTH * sizeof(float));
        of->out_bias = take(in, WIDTH * sizeof(float));
    }
    return !in->is_short;
}

static void choose_sums(senc_model *model, bool is_portable);

senc_model *senc_open(const uint8_t *bytes, size_t count, bool is_portable) {
    senc_model *model = calloc(1, sizeof(senc_model));
    if (!model) return NULL;
    reader in = {bytes, bytes ? bytes + count : bytes, false};
    uint32_t slots = 1;
    choose_sums(model, is_portable);
    if (!bytes || ((uintptr_t)bytes & 3) != 0 || !read_model(model, &in)) goto failed;
    while (slots < 2 * model->head.pieces) slots *= 2;
    model->mask = slots - 1;
    model->table = calloc(slots, sizeof(int32_t));
    if (!model->table) goto failed;
    for (uint32_t k = 0; k < model->head.pieces; k++) {
        uint32_t length = model->offsets[k + 1] - model->offsets[k];
        if (length == 0 || length > PIECE_BYTES) continue;
        uint32_t slot = hash(model->blob + model->offsets[k], length) & model->mask;
        while (model->table[slot]) slot = (slot + 1) & model->mask;
        model->table[slot] = (int32_t)k + 1;
    }
    for (int k = 0; k <= 4096; k++) {
        double at = (k - 2048) / 256.0;
        model->gelu[k] = (float)(0.5 * at * (1 + erf(at * 0.70710678118654752440)));
    }
    return model;
failed:
    senc_close(model);
    return NULL;
}

senc_scratch *senc_scratch_new(void) {
    // Rows past the last token are read too, so they are cleared here; their results are discarded.
    senc_scratch *scratch = aligned_alloc(_Alignof(senc_scratch), sizeof(senc_scratch));
    if (scratch) memset(scratch, 0, sizeof *scratch);
    return scratch;
}
void senc_scratch_free(senc_scratch *scratch) { free(scratch); }

// ---- tokens ----

static int32_t find_piece(const senc_model *model, const uint8_t *text, uint32_t count) {
    for (uint32_t slot = hash(text, count) & model->mask;; slot = (slot + 1) & model->mask) {
        int32_t piece = model->table[slot] - 1;
        if (piece < 0) return -1;
        uint32_t at = model->offsets[piece];
        if (model->offsets[piece + 1] - at == count && memcmp(model->blob + at, text, count) == 0) return piece;
    }
}

static size_t decode(const uint8_t *text, size_t count, uint32_t *character) {
    uint8_t first = text[0];
    size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 1;
    if (length == 1 || length > count) {
        *character = first < 0x80 ? first : 0xFFFD;
        return 1;
    }
    uint32_t value = first & (0x7Fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((text[k] & 0xC0) != 0x80) {
            *character = 0xFFFD;
            return k;
        }
        value = value << 6 | (text[k] & 0x3F);
    }
    *character = value;
    return length;
}

static uint32_t encode(uint32_t c, uint8_t *out) {
    if (c < 0x80) return out[0] = (uint8_t)c, 1;
    if (c < 0x800) return out[0] = (uint8_t)(0xC0 | c >> 6), out[1] = 0x80 | (c & 0x3F), 2;
    if (c < 0x10000) return out[0] = (uint8_t)(0xE0 | c >> 12), out[1] = 0x80 | (c >> 6 & 0x3F), out[2] = 0x80 | (c & 0x3F), 3;
    out[0] = (uint8_t)(0xF0 | c >> 18), out[1] = 0x80 | (c >> 12 & 0x3F), out[2] = 0x80 | (c >> 6 & 0x3F);
    return out[3] = 0x80 | (c & 0x3F), 4;
}

// One character more, with blanks as SentencePiece has them: U+2581 in front of each word, never two.
static uint32_t add(senc_scratch *scratch, uint32_t number, uint32_t character) {
    if (number >= CHARACTERS - 1) return number;
    bool is_blank = character == ' ' || character == 0x2581;
    uint32_t at = scratch->starts[number];
    if (is_blank && number > 0 && scratch->found[number - 1]) return number;
    scratch->found[number] = is_blank;
    scratch->starts[number + 1] = at + encode(is_blank ? 0x2581 : character, scratch->bytes + at);
    return number + 1;
}

static uint32_t normalize(const senc_model *model, senc_scratch *scratch, const uint8_t *text, size_t count) {
    uint32_t number = 0;
    scratch->starts[0] = 0;
    number = add(scratch, number, ' ');
    // The model was taught with this word in front of what is compared.
    for (const char *word = "query: "; *word; word++) number = add(scratch, number, (uint8_t)*word);
    for (size_t at = 0; at < count;) {
        uint32_t character, low = 0, high = model->head.norms;
        at += decode(text + at, count - at, &character);
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (model->norm_from[middle] < character) low = middle + 1;
            else high = middle;
        }
        if (low < model->head.norms && model->norm_from[low] == character)
            for (uint32_t k = model->norm_offsets[low]; k < model->norm_offsets[low + 1]; k++)
                number = add(scratch, number, model->norm_to[k]);
        else number = add(scratch, number, character);
    }
    return number;
}

int senc_tokens(const senc_model *model, senc_scratch *scratch, const uint8_t *text, size_t count, int32_t *ids) {
    uint32_t length = normalize(model, scratch, text, count < TEXT_BYTES - 8 ? count : TEXT_BYTES - 8);
    const uint32_t *starts = scratch->starts;
    for (uint32_t k = 0; k <= length; k++) scratch->best[k] = -INFINITY, scratch->from[k] = 0;
    scratch->best[0] = 0;
    for (uint32_t from = 0; from < length; from++) {
        for (uint32_t to = from + 1; to <= length && starts[to] - starts[from] <= PIECE_BYTES; to++) {
            int32_t piece = find_piece(model, scratch->bytes + starts[from], starts[to] - starts[from]);
            if (piece < 0) continue;
            float score = scratch->best[from] + model->scores[piece];
            if (score > scratch->best[to]) scratch->best[to] = score, scratch->piece[to] = piece, scratch->from[to] = (int32_t)from;
        }
        float score = scratch->best[from] + model->head.unknown_score;
        if (score > scratch->best[from + 1]) {
            scratch->best[from + 1] = score, scratch->from[from + 1] = (int32_t)from;
            scratch->piece[from + 1] = (int32_t)model->head.unknown;
        }
    }
    int found = 0;
    for (uint32_t at = length; at > 0; at = (uint32_t)scratch->from[at]) scratch->found[found++] = scratch->piece[at];
    int kept = found < SENC_TOKENS - 2 ? found : SENC_TOKENS - 2;
    ids[0] = (int32_t)model->head.begin;
    for (int k = 0; k < kept; k++) ids[k + 1] = scratch->found[found - 1 - k];
    ids[kept + 1] = (int32_t)model->head.end;
    return kept + 2;
}

// ---- layers ----

SENC_FOR_EACH_MACHINE
static void quantize(const senc_model *model, senc_scratch *scratch, const float *values, int tokens, int columns) {
    for (int t = 0; t < tokens; t++) {
        const float *row = values + (size_t)t * (size_t)columns;
        float top = largest(row, columns), scale = top > 0 ? top / TOP : 1, inverse = 1 / scale;
        scratch->activation_scales[t] = scale;
        if (model->group == 4) {
            uint8_t *out = (uint8_t *)scratch->activations + (size_t)t * (size_t)columns;
            for (int k = 0; k < columns; k++) out[k] = (uint8_t)(nearest(row[k] * inverse) + 128);
        } else {
            int16_t *out = scratch->activations + (size_t)t * (size_t)columns;
            for (int k = 0; k < columns; k++) out[k] = (int16_t)nearest(row[k] * inverse);
        }
    }
}

typedef float floats16 __attribute__((ext_vector_type(LANES)));
typedef int8_t bytes32 __attribute__((ext_vector_type(2 * LANES)));
typedef int16_t shorts32 __attribute__((ext_vector_type(2 * LANES)));
typedef int32_t ints32 __attribute__((ext_vector_type(2 * LANES)));
typedef int32_t ints16 __attribute__((ext_vector_type(LANES)));

// Sums of ROWS outputs for TOKENS tokens, two columns at a time. The sums of LANES outputs stay in registers.
static void sum_pairs(const int8_t *weights, const void *tokens, int columns, int32_t out[TOKENS][ROWS]) {
    const int16_t *of = tokens;
    for (int r = 0; r < ROWS; r += LANES, weights += (size_t)LANES * (size_t)columns) {
        ints16 sums[TOKENS] = {0};
        for (int k = 0; k < columns; k += 2) {
            bytes32 narrow;
            memcpy(&narrow, weights + (size_t)k * LANES, sizeof narrow);
            ints32 pairs = __builtin_convertvector(narrow, ints32);
#pragma clang loop unroll(full)
            for (int t = 0; t < TOKENS; t++) {
                int32_t pair;
                memcpy(&pair, of + (size_t)t * (size_t)columns + k, sizeof pair);
                ints32 product = pairs * __builtin_convertvector((shorts32)(ints16)pair, ints32);
                sums[t] += product.even + product.odd;
            }
        }
        for (int t = 0; t < TOKENS; t++) memcpy(out[t] + r, &sums[t], sizeof sums[t]);
    }
}

#if defined(__x86_64__)
// The same; the compiler does not find these instructions by itself, which takes twice as long.
__attribute__((target("avx2")))
static void sum_pairs_avx2(const int8_t *weights, const void *tokens, int columns, int32_t out[TOKENS][ROWS]) {
    const int16_t *of = tokens;
    for (int r = 0; r < ROWS; r += LANES, weights += (size_t)LANES * (size_t)columns) {
        __m256i sums[TOKENS][2];
        for (int t = 0; t < TOKENS; t++) sums[t][0] = sums[t][1] = _mm256_setzero_si256();
        for (int k = 0; k < columns; k += 2) {
            const __m128i *at = (const __m128i *)(weights + (size_t)k * LANES);
            __m256i first = _mm256_cvtepi8_epi16(_mm_load_si128(at));
            __m256i second = _mm256_cvtepi8_epi16(_mm_load_si128(at + 1));
#pragma clang loop unroll(full)
            for (int t = 0; t < TOKENS; t++) {
                int32_t pair;
                memcpy(&pair, of + (size_t)t * (size_t)columns + k, sizeof pair);
                __m256i both = _mm256_set1_epi32(pair);
                sums[t][0] = _mm256_add_epi32(sums[t][0], _mm256_madd_epi16(first, both));
                sums[t][1] = _mm256_add_epi32(sums[t][1], _mm256_madd_epi16(second, both));
            }
        }
        for (int t = 0; t < TOKENS; t++)
            for (int b = 0; b < 2; b++) _mm256_storeu_si256((__m256i *)(out[t] + r + 8 * b), sums[t][b]);
    }
}

// The same, four columns at a time, where the machine multiplies bytes.
__attribute__((target("avx512vnni,avx512bw")))
static void sum_bytes(const int8_t *weights, const void *tokens, int columns, int32_t out[TOKENS][ROWS]) {
    const uint8_t *of = tokens;
    __m512i sums[TOKENS][2];
    for (int t = 0; t < TOKENS; t++) sums[t][0] = sums[t][1] = _mm512_setzero_si512();
    for (int k = 0; k < columns; k += 4) {
        __m512i first = _mm512_load_si512(weights + (size_t)k * LANES);
        __m512i second = _mm512_load_si512(weights + ((size_t)columns + (size_t)k) * LANES);
#pragma clang loop unroll(full)
        for (int t = 0; t < TOKENS; t++) {
            int32_t four;
            memcpy(&four, of + (size_t)t * (size_t)columns + k, sizeof four);
            __m512i all = _mm512_set1_epi32(four);
            sums[t][0] = _mm512_dpbusd_epi32(sums[t][0], all, first);
            sums[t][1] = _mm512_dpbusd_epi32(sums[t][1], all, second);
        }
    }
    for (int t = 0; t < TOKENS; t++)
        for (int b = 0; b < 2; b++) _mm512_storeu_si512(out[t] + LANES * b, sums[t][b]);
}
#endif

// Chooses how to add, by what the machine has.
static void choose_sums(senc_model *model, bool is_portable) {
    (model->sums = sum_pairs), (model->group = 2), (model->moved = 0);
#if defined(__x86_64__)
    if (is_portable) return;
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw")) {
        (model->sums = sum_bytes), (model->group = 4), (model->moved = 128);
    } else if (__builtin_cpu_supports("avx2")) {
        model->sums = sum_pairs_avx2;
    }
#endif
}

// out = values × weightsᵀ + bias
SENC_FOR_EACH_MACHINE
static void multiply(const senc_model *model, const matrix *by, const senc_scratch *scratch, int tokens, float *out) {
    size_t columns = (size_t)by->columns, bytes = model->group == 4 ? sizeof(uint8_t) : sizeof(int16_t);
    for (int r = 0; r < by->rows; r += ROWS) {
        const int8_t *weights = by->weights + (size_t)r * columns;
        for (int t = 0; t < tokens; t += TOKENS) {
            _Alignas(64) int32_t sums[TOKENS][ROWS];
            model->sums(weights, (const uint8_t *)scratch->activations + (size_t)t * columns * bytes, by->columns, sums);
            for (int a = 0; a < TOKENS && t + a < tokens; a++) {
                float scale = scratch->activation_scales[t + a];
                float *row = out + (size_t)(t + a) * (size_t)by->rows + r;
                for (int b = 0; b < ROWS; b++)
                    row[b] = (float)(sums[a][b] - model->moved * by->sums[r + b]) * (scale * by->scales[r + b]) + by->bias[r + b];
            }
        }
    }
}

// A sum in eight parts, which the machine adds at once, always in the same order.
static float sum_of(const float *values, int count) {
    float parts[8] = {0};
    for (int k = 0; k < count; k += 8)
        for (int n = 0; n < 8; n++) parts[n] += values[k + n];
    return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
}

SENC_FOR_EACH_MACHINE
static void normalize_layer(float *values, const float *added, const float *weight, const float *bias, int tokens, float epsilon) {
    for (int t = 0; t < tokens; t++) {
        float *row = values + (size_t)t * WIDTH, squares[WIDTH];
        if (added)
            for (int k = 0; k < WIDTH; k++) row[k] += added[(size_t)t * WIDTH + k];
        float mean = sum_of(row, WIDTH) / WIDTH;
        for (int k = 0; k < WIDTH; k++) row[k] -= mean, squares[k] = row[k] * row[k];
        float inverse = 1 / sqrtf(sum_of(squares, WIDTH) / WIDTH + epsilon);
        for (int k = 0; k < WIDTH; k++) row[k] = row[k] * inverse * weight[k] + bias[k];
    }
}

// e^x for x of at most 0, to 3e-6 of it; below -80 next to nothing. Without a call, and the same with every C library.
static inline float power(float x) {
    x = x > -80 ? x : -80;
    float whole = x * 1.44269504f + 12582912.0f;
    // What is shifted out is the part of the number that moved it up.
    uint32_t exponent = __builtin_bit_cast(uint32_t, whole) << 23;
    float part = x - (whole - 12582912.0f) * 0.693147182f;
    float series = 1 + part * (1 + part * (0.5f + part * (0.166666667f + part * (0.0416666667f + part * 0.00833333333f))));
    return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, series) + exponent);
}

// Each token of one text, `first` the first of them, looks at all of that text.
SENC_FOR_EACH_MACHINE
static void attend(senc_scratch *scratch, int first, int tokens) {
    const float scale = 1 / sqrtf(HEAD);
    const size_t offset = (size_t)first * WIDTH;
    // Rounded up to fill whole registers; positions past the last token have no effect.
    int padded = (tokens + 15) & ~15;
    for (int h = 0; h < HEADS; h++) {
        for (int s = 0; s < padded; s++)
            for (int k = 0; k < HEAD; k++) scratch->keys[k][s] = s < tokens ? scratch->k[offset + (size_t)s * WIDTH + h * HEAD + k] : 0;
        for (int t = 0; t < tokens; t++) {
            float shares[SENC_TOKENS], scaled[HEAD], top = -INFINITY;
            const float *query = scratch->q + offset + (size_t)t * WIDTH + h * HEAD;
            for (int k = 0; k < HEAD; k++) scaled[k] = query[k] * scale;
            for (int s = 0; s < padded; s += LANES) {
                floats16 sum = 0;
                for (int k = 0; k < HEAD; k++) {
                    floats16 keys;
                    memcpy(&keys, scratch->keys[k] + s, sizeof keys);
                    sum += scaled[k] * keys;
                }
                memcpy(shares + s, &sum, sizeof sum);
            }
            for (int s = 0; s < tokens; s++) top = shares[s] > top ? shares[s] : top;
            for (int s = 0; s < padded; s++) shares[s] = s < tokens ? power(shares[s] - top) : 0;
            float mixed[HEAD] = {0}, inverse = 1 / sum_of(shares, padded);
            for (int s = 0; s < tokens; s++) {
                const float *value = scratch->v + offset + (size_t)s * WIDTH + h * HEAD;
                float share = shares[s] * inverse;
                for (int k = 0; k < HEAD; k++) mixed[k] += share * value[k];
            }
            memcpy(scratch->mixed + offset + (size_t)t * WIDTH + h * HEAD, mixed, sizeof mixed);
        }
    }
}

// x·Φ(x) from a table over ±8 with straight lines between its points.
SENC_FOR_EACH_MACHINE
static void gelu(const senc_model *model, float *values, size_t count) {
    for (size_t n = 0; n < count; n++) {
        float at = values[n], place = at * 256 + 2048;
        place = place > 0 ? place < 4095 ? place : 4095 : 0;
        int k = (int)place;
        float low = model->gelu[k], found = low + (place - (float)k) * (model->gelu[k + 1] - low);
        values[n] = at > 7.99f ? at : found;
    }
}

// Some texts whose tokens stand one after another, each token at its place in its own text.
typedef struct {
    int32_t ids[SENC_TOKENS];
    int starts[SENC_TOKENS + 1];
    int texts;
} pack;

// The mean of a text's tokens, of length 1.
static void average(const float *values, int tokens, float *vector) {
    double squares = 0;
    for (int k = 0; k < WIDTH; k++) {
        double sum = 0;
        for (int t = 0; t < tokens; t++) sum += values[(size_t)t * WIDTH + k];
        vector[k] = (float)(sum / tokens);
        squares += (double)vector[k] * vector[k];
    }
    float inverse = squares > 0 ? (float)(1 / sqrt(squares)) : 0;
    for (int k = 0; k < WIDTH; k++) vector[k] *= inverse;
}

static void encode_pack(const senc_model *model, senc_scratch *scratch, const pack *of, float *vectors) {
    int tokens = of->starts[of->texts];
    for (int n = 0; n < of->texts; n++)
        for (int t = of->starts[n]; t < of->starts[n + 1]; t++) {
            float *row = scratch->x + (size_t)t * WIDTH;
            const float *position = model->positions + (size_t)(t - of->starts[n]) * WIDTH;
            read_row(model->words + (size_t)of->ids[t] * (WIDTH / BLOCK), WIDTH, row);
            for (int k = 0; k < WIDTH; k++) row[k] += position[k] + model->type[k];
        }
    float epsilon = model->head.epsilon;
    normalize_layer(scratch->x, NULL, model->first_weight, model->first_bias, tokens, epsilon);
    for (uint32_t l = 0; l < model->head.layers; l++) {
        const layer *by = &model->layers[l];
        quantize(model, scratch, scratch->x, tokens, WIDTH);
        multiply(model, &by->query, scratch, tokens, scratch->q);
        multiply(model, &by->key, scratch, tokens, scratch->k);
        multiply(model, &by->value, scratch, tokens, scratch->v);
        for (int n = 0; n < of->texts; n++) attend(scratch, of->starts[n], of->starts[n + 1] - of->starts[n]);
        quantize(model, scratch, scratch->mixed, tokens, WIDTH);
        multiply(model, &by->mixed, scratch, tokens, scratch->q);
        normalize_layer(scratch->x, scratch->q, by->mixed_weight, by->mixed_bias, tokens, epsilon);
        quantize(model, scratch, scratch->x, tokens, WIDTH);
        multiply(model, &by->up, scratch, tokens, scratch->inner);
        gelu(model, scratch->inner, (size_t)tokens * INNER);
        quantize(model, scratch, scratch->inner, tokens, INNER);
        multiply(model, &by->down, scratch, tokens, scratch->q);
        normalize_layer(scratch->x, scratch->q, by->out_weight, by->out_bias, tokens, epsilon);
    }
    for (int n = 0; n < of->texts; n++)
        average(scratch->x + (size_t)of->starts[n] * WIDTH, of->starts[n + 1] - of->starts[n], vectors + (size_t)n * WIDTH);
}

void senc_encode(const senc_model *model, senc_scratch *scratch, const senc_text *texts, size_t count, float *vectors) {
    pack open = {.texts = 0};
    for (size_t n = 0; n < count; n++) {
        int32_t ids[SENC_TOKENS];
        int tokens = senc_tokens(model, scratch, texts[n].bytes, texts[n].count, ids);
        if (open.starts[open.texts] + tokens > SENC_TOKENS) {
            encode_pack(model, scratch, &open, vectors);
            vectors += (size_t)open.texts * WIDTH;
            open.texts = 0;
        }
        memcpy(open.ids + open.starts[open.texts], ids, (size_t)tokens * sizeof *ids);
        open.starts[open.texts + 1] = open.starts[open.texts] + tokens;
        open.texts++;
    }
    if (open.texts > 0) encode_pack(model, scratch, &open, vectors);
}
