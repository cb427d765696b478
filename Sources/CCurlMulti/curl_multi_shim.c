#include "curl_multi_shim.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <zlib.h>

typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} buffer;

struct ccm_transfer {
    CURL *easy;
    uintptr_t tag;
    struct curl_slist *headers;
    bool http1_only;
    ccm_limits limits;
    ccm_moments moments;
    buffer request, head, body;
    size_t head_bytes;  // of all header blocks, including interim ones and trailers
    bool has_whole_head;
    bool is_encoded, is_unknown_encoding, in_member;
    ccm_stop stop;
    bool has_inflater;
    z_stream inflater;
};

// Larger buffers are released when a transfer is done.
enum { KEPT_BYTES = 64 << 10, FIRST_BYTES = 4 << 10 };

int ccm_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

uint64_t ccm_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool names_this_machine(char *host) {
    size_t count = strlen(host);
    if (count >= 2 && host[0] == '[' && host[count - 1] == ']') {
        struct in6_addr six;
        host[count - 1] = 0;
        if (inet_pton(AF_INET6, host + 1, &six) != 1) return false;
        return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
    }
    struct in_addr four;
    if (inet_pton(AF_INET, host, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
    if (count > 0 && host[count - 1] == '.') host[--count] = 0;
    static const char name[] = "localhost";
    size_t length = sizeof name - 1;
    if (count < length || strcasecmp(host + count - length, name) != 0) return false;
    return count == length || host[count - length - 1] == '.';
}

bool ccm_is_loopback(const char *url) {
    CURLU *parsed = curl_url();
    char *host = NULL;
    bool found = parsed && curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK
        && curl_url_get(parsed, CURLUPART_HOST, &host, 0) == CURLUE_OK && names_this_machine(host);
    curl_free(host);
    curl_url_cleanup(parsed);
    return found;
}

CURLM *ccm_multi_new(long host_connections) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, host_connections);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    // If the server closes a connection, streams it has not begun are lost; a low limit bounds the loss.
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 16L);
    return multi;
}

// Response bytes

static bool reserve(buffer *to, size_t more, size_t most) {
    if (to->capacity - to->count >= more) return true;
    size_t wanted = to->capacity < FIRST_BYTES ? FIRST_BYTES : to->capacity * 2;
    if (wanted - to->count < more) wanted = to->count + more;
    if (wanted > most && to->count + more <= most) wanted = most;
    uint8_t *grown = realloc(to->bytes, wanted);
    if (!grown) return false;
    to->bytes = grown;
    to->capacity = wanted;
    return true;
}

static void empty(buffer *it) {
    it->count = 0;
    if (it->capacity <= KEPT_BYTES) return;
    free(it->bytes);
    *it = (buffer){0};
}

static bool stop(ccm_transfer *it, ccm_stop why) {
    it->stop = why;
    return false;
}

static bool append(ccm_transfer *it, const uint8_t *bytes, size_t count) {
    if (count > it->limits.body_bytes - it->body.count) return stop(it, CCM_BODY_TOO_LARGE);
    if (!reserve(&it->body, count, it->limits.body_bytes)) return stop(it, CCM_NO_MEMORY);
    memcpy(it->body.bytes + it->body.count, bytes, count);
    it->body.count += count;
    return true;
}

// Inflates consecutive gzip members, as the format allows; nothing else may follow.
static bool inflate_more(ccm_transfer *it, const uint8_t *bytes, size_t count) {
    uint8_t block[16 << 10];
    z_stream *stream = &it->inflater;
    stream->next_in = (Bytef *)bytes;
    stream->avail_in = (uInt)count;
    while (stream->avail_in > 0) {
        if (!it->in_member) {
            int code = it->has_inflater ? inflateReset(stream) : inflateInit2(stream, 15 + 16);
            if (code != Z_OK) return stop(it, CCM_NO_MEMORY);
            it->has_inflater = it->in_member = true;
        }
        int code;
        do {
            stream->next_out = block;
            stream->avail_out = sizeof block;
            code = inflate(stream, Z_NO_FLUSH);
            if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
                return stop(it, code == Z_MEM_ERROR ? CCM_NO_MEMORY : CCM_BAD_ENCODING);
            }
            if (!append(it, block, sizeof block - stream->avail_out)) return false;
        } while (code != Z_STREAM_END && stream->avail_out == 0);
        if (code == Z_BUF_ERROR && stream->avail_in > 0) return stop(it, CCM_BAD_ENCODING);
        if (code == Z_STREAM_END) it->in_member = false;
    }
    return true;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    ccm_transfer *it = context;
    size_t all = size * count;
    it->moments.last_byte = ccm_now();
    if (!it->moments.first_byte) it->moments.first_byte = it->moments.last_byte;
    if (all == 0) return 0;
    if (it->is_unknown_encoding) stop(it, CCM_BAD_ENCODING);
    if (it->stop != CCM_GOES_ON) return 0;
    const uint8_t *from = (const uint8_t *)bytes;
    return (it->is_encoded ? inflate_more(it, from, all) : append(it, from, all)) ? all : 0;
}

static bool equals(const char *bytes, size_t count, const char *word) {
    return count == strlen(word) && strncasecmp(bytes, word, count) == 0;
}

static void note_encoding(ccm_transfer *it, const char *line, size_t count) {
    static const char name[] = "content-encoding:";
    size_t length = sizeof name - 1;
    if (count < length || strncasecmp(line, name, length) != 0) return;
    line += length;
    count -= length;
    while (count > 0 && (*line == ' ' || *line == '\t')) line++, count--;
    while (count > 0 && strchr(" \t\r\n", line[count - 1])) count--;
    if (equals(line, count, "identity") || count == 0) return;
    bool is_gzip = equals(line, count, "gzip") || equals(line, count, "x-gzip");
    if (is_gzip && !it->is_encoded) it->is_encoded = true;
    else it->is_unknown_encoding = true;
}

// Receives one header line per call. Interim responses and trailers are blocks of their own, which are counted and
// dropped.
static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    ccm_transfer *it = context;
    size_t all = size * count;
    it->moments.last_byte = ccm_now();
    if (!it->moments.first_byte) it->moments.first_byte = it->moments.last_byte;
    if (all > it->limits.head_bytes - it->head_bytes) return stop(it, CCM_HEAD_TOO_LARGE);
    it->head_bytes += all;
    bool begins = all >= 5 && memcmp(bytes, "HTTP/", 5) == 0;
    if (begins && !(it->has_whole_head && ccm_status(it) >= 200 && it->body.count > 0)) {
        it->head.count = 0;
        it->has_whole_head = it->is_encoded = it->is_unknown_encoding = false;
    }
    if (it->has_whole_head) return all;
    if (!reserve(&it->head, all, it->limits.head_bytes)) return stop(it, CCM_NO_MEMORY);
    memcpy(it->head.bytes + it->head.count, bytes, all);
    it->head.count += all;
    if ((all == 2 && bytes[0] == '\r') || (all == 1 && bytes[0] == '\n')) it->has_whole_head = true;
    else note_encoding(it, bytes, all);
    return all;
}

// Times of an attempt

static void begin_connecting(ccm_transfer *it) {
    ccm_moments *moments = &it->moments;
    if (moments->ready) {
        moments->lost++;
        moments->ready = moments->connecting = 0;
    }
    if (!moments->connecting) moments->connecting = ccm_now();
}

static int on_resolve(void *state, void *reserved, void *context) {
    (void)state, (void)reserved;
    begin_connecting(context);
    return 0;
}

static int on_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
    (void)purpose;
    // Child processes must not keep a connection open.
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    begin_connecting(context);
    return CURL_SOCKOPT_OK;
}

static int on_ready(void *context, char *ip, char *own_ip, int port, int own_port) {
    (void)ip, (void)own_ip, (void)port, (void)own_port;
    ccm_transfer *it = context;
    ccm_moments *moments = &it->moments;
    if (moments->ready) moments->lost++;
    if (moments->lost > 0 && !it->limits.may_repeat) {
        stop(it, CCM_STALE);
        return CURL_PREREQFUNC_ABORT;
    }
    moments->ready = moments->sent = ccm_now();
    moments->sent_bytes = 0;
    return CURL_PREREQFUNC_OK;
}

static int on_progress(void *context, curl_off_t all, curl_off_t now, curl_off_t to_send, curl_off_t sent) {
    (void)all, (void)now, (void)to_send;
    ccm_moments *moments = &((ccm_transfer *)context)->moments;
    if (sent < 0 || (size_t)sent == moments->sent_bytes) return 0;
    moments->sent_bytes = (size_t)sent;
    moments->sent = ccm_now();
    return 0;
}

// Transfers

static int set_for_all_requests(ccm_transfer *it, const char *user_agent, const char *ca_file) {
    CURL *easy = it->easy;
    int bad = 0;
#define SET(option, value) bad |= curl_easy_setopt(easy, CURLOPT_##option, value) != CURLE_OK
    SET(PRIVATE, it);
    SET(NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(PROTOCOLS_STR, "http,https");
#else
    SET(PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    SET(FOLLOWLOCATION, 0L);
    SET(MAXAGE_CONN, 4L);
    SET(TCP_KEEPALIVE, 1L);
    SET(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(SUPPRESS_CONNECT_HEADERS, 1L);
    SET(HTTP_VERSION, (long)(it->http1_only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
    SET(USERAGENT, user_agent);
    if (ca_file) SET(CAINFO, ca_file);
    SET(WRITEFUNCTION, take_body);
    SET(WRITEDATA, it);
    SET(HEADERFUNCTION, take_header);
    SET(HEADERDATA, it);
    SET(RESOLVER_START_FUNCTION, on_resolve);
    SET(RESOLVER_START_DATA, it);
    SET(SOCKOPTFUNCTION, on_socket);
    SET(SOCKOPTDATA, it);
    SET(PREREQFUNCTION, on_ready);
    SET(PREREQDATA, it);
    SET(NOPROGRESS, 0L);
    SET(XFERINFOFUNCTION, on_progress);
    SET(XFERINFODATA, it);
#if LIBCURL_VERSION_NUM >= 0x075700
    // Otherwise removing a transfer waits for its resolver, and blocks every other transfer.
    SET(QUICK_EXIT, 1L);
#endif
    return !bad;
}

ccm_transfer *ccm_new(const char *user_agent, const char *ca_file, bool http1_only) {
    ccm_transfer *it = calloc(1, sizeof *it);
    if (!it) return NULL;
    it->http1_only = http1_only;
    it->easy = curl_easy_init();
    if (it->easy && set_for_all_requests(it, user_agent, ca_file)) return it;
    ccm_free(it);
    return NULL;
}

void ccm_free(ccm_transfer *it) {
    if (!it) return;
    curl_easy_cleanup(it->easy);
    curl_slist_free_all(it->headers);
    if (it->has_inflater) inflateEnd(&it->inflater);
    free(it->request.bytes);
    free(it->head.bytes);
    free(it->body.bytes);
    free(it);
}

static int set_body(ccm_transfer *it, const char *method, const uint8_t *body, size_t count) {
    CURL *easy = it->easy;
    int bad = 0;
    bool is_get = strcmp(method, "GET") == 0, is_post = strcmp(method, "POST") == 0;
    empty(&it->request);
    SET(HTTPGET, 1L);
    SET(CUSTOMREQUEST, is_get || is_post ? NULL : method);
    if (is_get || (!is_post && count == 0)) return !bad;
    // curl reads the bytes until the transfer ends, and again if it has to resend them.
    if (!reserve(&it->request, count + 1, count + 1)) return 0;
    if (count > 0) memcpy(it->request.bytes, body, count);
    it->request.count = count;
    SET(POST, 1L);
    SET(POSTFIELDSIZE_LARGE, (curl_off_t)count);
    SET(POSTFIELDS, it->request.bytes);
    return !bad;
}

static bool has_old_connect_clock(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num < 0x080000;
}

int ccm_prepare(
    ccm_transfer *it, const char *method, const char *url, const uint8_t *body, size_t count, const char *proxy,
    const char *no_proxy, ccm_limits limits) {
    curl_slist_free_all(it->headers);
    it->headers = NULL;
    empty(&it->head);
    empty(&it->body);
    it->limits = limits;
    it->moments = (ccm_moments){0};
    it->head_bytes = 0;
    it->has_whole_head = it->is_encoded = it->is_unknown_encoding = it->in_member = false;
    it->stop = CCM_GOES_ON;
    CURL *easy = it->easy;
    int bad = 0;
    SET(URL, url);
    SET(PROXY, proxy);
    SET(NOPROXY, no_proxy);
    SET(FRESH_CONNECT, limits.is_fresh ? 1L : 0L);
    SET(PIPEWAIT, !it->http1_only && strncasecmp(url, "https:", 6) == 0 ? 1L : 0L);
    // The caller's own clock ends a transfer. curl's connect timeout gives half of its time to each address of a host
    // except the last. From 8.0 on it may also run while a transfer waits for its turn, so there it gets the full time.
    uint64_t connect = has_old_connect_clock() ? limits.connect_ms : limits.total_ms;
    SET(CONNECTTIMEOUT_MS, connect >= INT32_MAX ? (long)INT32_MAX : (long)connect + 1);
    return !bad && set_body(it, method, body, count);
}

int ccm_add_header(ccm_transfer *it, const char *line) {
    struct curl_slist *longer = curl_slist_append(it->headers, line);
    if (!longer) return 0;
    it->headers = longer;
    return 1;
}

int ccm_start(CURLM *multi, ccm_transfer *it, uintptr_t tag) {
    it->tag = tag;
    if (curl_easy_setopt(it->easy, CURLOPT_HTTPHEADER, it->headers) != CURLE_OK) return 0;
    return curl_multi_add_handle(multi, it->easy) == CURLM_OK;
}

void ccm_remove(CURLM *multi, ccm_transfer *it) { curl_multi_remove_handle(multi, it->easy); }

void ccm_perform(CURLM *multi) {
    int running = 0;
    curl_multi_perform(multi, &running);
}

int ccm_next_done(CURLM *multi, uintptr_t *tag, int *code) {
    CURLMsg *message;
    int left = 0;
    while ((message = curl_multi_info_read(multi, &left))) {
        char *private = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        CURLcode result = message->data.result;
        if (curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private) != CURLE_OK || !private) continue;
        *tag = ((ccm_transfer *)private)->tag;
        *code = (int)result;
        return 1;
    }
    return 0;
}

void ccm_poll(CURLM *multi, int milliseconds) { curl_multi_poll(multi, NULL, 0, milliseconds, NULL); }

ccm_moments ccm_get_moments(const ccm_transfer *it) {
    ccm_moments moments = it->moments;
    curl_off_t sent = 0;
    if (curl_easy_getinfo(it->easy, CURLINFO_SIZE_UPLOAD_T, &sent) == CURLE_OK && sent > (curl_off_t)moments.sent_bytes) {
        moments.sent_bytes = (size_t)sent;
    }
    return moments;
}

int ccm_status(const ccm_transfer *it) {
    long status = 0;
    curl_easy_getinfo(it->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

ccm_stop ccm_get_stop(const ccm_transfer *it) { return it->stop; }

bool ccm_has_whole_head(const ccm_transfer *it) { return it->has_whole_head; }

bool ccm_has_whole_body(const ccm_transfer *it) { return !it->in_member; }

bool ccm_is_http2(const ccm_transfer *it) { return it->head.count > 6 && memcmp(it->head.bytes, "HTTP/2", 6) == 0; }

const uint8_t *ccm_head(const ccm_transfer *it, size_t *count) {
    *count = it->head.count;
    return it->head.bytes;
}

const uint8_t *ccm_body(const ccm_transfer *it, size_t *count) {
    *count = it->body.count;
    return it->body.bytes;
}
