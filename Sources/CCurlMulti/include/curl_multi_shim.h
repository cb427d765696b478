// One transfer of libcurl's multi interface, its bytes and its moments: what Swift cannot say (variadic calls, macros) and
// what it should not do byte by byte (collecting and inflating an answer). All calls belong to the thread that owns the multi
// handle, but for ccm_global_init, ccm_now, ccm_is_loopback and curl_multi_wakeup.
#pragma once
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Why a callback ended a transfer; curl calls these CURLE_WRITE_ERROR, the last one CURLE_ABORTED_BY_CALLBACK.
typedef enum {
    CCM_GOES_ON = 0,
    CCM_BODY_TOO_LARGE,
    CCM_HEAD_TOO_LARGE,
    CCM_BAD_ENCODING,
    CCM_NO_MEMORY,
    CCM_STALE  // curl would have sent the request again
} ccm_stop;

// Nanoseconds of the monotonic clock; 0: not yet.
typedef struct {
    uint64_t connecting;   // the resolving or the connecting of the present attempt began
    uint64_t ready;        // the connection stands, sending began
    uint64_t sent;         // bytes of the body moved last
    uint64_t first_byte, last_byte;
    size_t sent_bytes;     // of the body, in the present attempt
    unsigned lost;         // attempts that curl began anew because a reused connection was dead
} ccm_moments;

typedef struct {
    size_t body_bytes, head_bytes;
    uint64_t connect_ms, total_ms;
    bool is_fresh;    // on a connection of its own
    bool may_repeat;  // curl may send it again when the connection that it went out on turns out dead
} ccm_limits;

typedef struct ccm_transfer ccm_transfer;

// Once in a process; 1: done.
int ccm_global_init(void);
uint64_t ccm_now(void);
// Whether the host of an absolute address is this machine, by its spelling: 127/8, ::1, localhost and names below it.
bool ccm_is_loopback(const char *url);

CURLM *ccm_multi_new(long host_connections);

// NULL: out of memory or a libcurl without TLS and HTTP. `ca_file` may be NULL.
ccm_transfer *ccm_new(const char *user_agent, const char *ca_file, bool http1_only);
void ccm_free(ccm_transfer *transfer);

// Forgets the previous request and takes the next one. `proxy` "": none. 0: not a method, address or proxy that curl takes.
int ccm_prepare(
    ccm_transfer *transfer, const char *method, const char *url, const uint8_t *body, size_t count, const char *proxy,
    const char *no_proxy, ccm_limits limits);
// "Name: value"; "Name:" takes away one that curl adds by itself, "Name;" is sent without a value. 0: out of memory.
int ccm_add_header(ccm_transfer *transfer, const char *line);

int ccm_start(CURLM *multi, ccm_transfer *transfer, uintptr_t tag);
void ccm_remove(CURLM *multi, ccm_transfer *transfer);
// Sends and receives what can be without waiting.
void ccm_perform(CURLM *multi);
// The next transfer that curl is done with: its tag and curl's result. 0: none.
int ccm_next_done(CURLM *multi, uintptr_t *tag, int *code);
void ccm_poll(CURLM *multi, int milliseconds);

ccm_moments ccm_get_moments(const ccm_transfer *transfer);
// Reads what a done transfer brought. Pointers are good until the next ccm_prepare.
int ccm_status(const ccm_transfer *transfer);
ccm_stop ccm_get_stop(const ccm_transfer *transfer);
// The empty line after the final answer's headers came.
bool ccm_has_whole_head(const ccm_transfer *transfer);
// An encoded body came to its own end.
bool ccm_has_whole_body(const ccm_transfer *transfer);
// The answer came over HTTP/2.
bool ccm_is_http2(const ccm_transfer *transfer);
const uint8_t *ccm_head(const ccm_transfer *transfer, size_t *count);
const uint8_t *ccm_body(const ccm_transfer *transfer, size_t *count);
