// One transfer of libcurl's multi interface, with its bytes and times. It covers what Swift cannot express (variadic
// calls, macros) and what Swift should not do byte by byte (collecting and inflating a response). All calls except
// ccm_global_init, ccm_now, ccm_is_loopback and curl_multi_wakeup must come from the thread that owns the multi handle.
#pragma once
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Why a callback ended a transfer; curl reports these as CURLE_WRITE_ERROR, and the last one as
// CURLE_ABORTED_BY_CALLBACK.
typedef enum {
    CCM_GOES_ON = 0,
    CCM_BODY_TOO_LARGE,
    CCM_HEAD_TOO_LARGE,
    CCM_BAD_ENCODING,
    CCM_NO_MEMORY,
    CCM_STALE  // curl would have resent the request
} ccm_stop;

// Nanoseconds of the monotonic clock; 0: not yet.
typedef struct {
    uint64_t connecting;   // start of resolving or connecting in the current attempt
    uint64_t ready;        // connected, sending began
    uint64_t sent;         // body bytes were last sent
    uint64_t first_byte, last_byte;
    size_t sent_bytes;     // of the body, in the current attempt
    unsigned lost;         // attempts that curl restarted because a reused connection was dead
} ccm_moments;

typedef struct {
    size_t body_bytes, head_bytes;
    uint64_t connect_ms, total_ms;
    bool is_fresh;    // use a new connection
    bool may_repeat;  // curl may resend it if its connection turns out to be dead
} ccm_limits;

typedef struct ccm_transfer ccm_transfer;

// Call once per process; returns 1 on success.
int ccm_global_init(void);
uint64_t ccm_now(void);
// Whether the host of an absolute URL is this machine, by its spelling: 127/8, ::1, localhost and names below it.
bool ccm_is_loopback(const char *url);

CURLM *ccm_multi_new(long host_connections);

// Returns NULL when out of memory, or if libcurl lacks TLS or HTTP. `ca_file` may be NULL.
ccm_transfer *ccm_new(const char *user_agent, const char *ca_file, bool http1_only);
void ccm_free(ccm_transfer *transfer);

// Discards the previous request and takes the next one. `proxy` "": none. Returns 0 if curl rejects the method, URL or
// proxy.
int ccm_prepare(
    ccm_transfer *transfer, const char *method, const char *url, const uint8_t *body, size_t count, const char *proxy,
    const char *no_proxy, ccm_limits limits);
// "Name: value"; "Name:" removes a header that curl adds itself, "Name;" is sent without a value. Returns 0 when out of
// memory.
int ccm_add_header(ccm_transfer *transfer, const char *line);

int ccm_start(CURLM *multi, ccm_transfer *transfer, uintptr_t tag);
void ccm_remove(CURLM *multi, ccm_transfer *transfer);
// Sends and receives what is possible without waiting.
void ccm_perform(CURLM *multi);
// The next finished transfer: its tag and curl's result. Returns 0 if there is none.
int ccm_next_done(CURLM *multi, uintptr_t *tag, int *code);
void ccm_poll(CURLM *multi, int milliseconds);

ccm_moments ccm_get_moments(const ccm_transfer *transfer);
// Results of a finished transfer. Pointers are valid until the next ccm_prepare.
int ccm_status(const ccm_transfer *transfer);
ccm_stop ccm_get_stop(const ccm_transfer *transfer);
// Whether the empty line after the final response's headers arrived.
bool ccm_has_whole_head(const ccm_transfer *transfer);
// Whether an encoded body reached its own end.
bool ccm_has_whole_body(const ccm_transfer *transfer);
// Whether the response came over HTTP/2.
bool ccm_is_http2(const ccm_transfer *transfer);
const uint8_t *ccm_head(const ccm_transfer *transfer, size_t *count);
const uint8_t *ccm_body(const ccm_transfer *transfer, size_t *count);
