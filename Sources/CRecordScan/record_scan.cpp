// Two paths for a line, which must agree: a fast one for what nearly all lines look like, and the checker for all
// others. Only the checker rejects.
#include "record_scan.h"

#include "quick_scanner.h"
#include "record_checker.h"

using namespace record_scan;

extern "C" {

trs_status trs_scan(const uint8_t *line, size_t length, const char *text_key, void *memory, uint8_t *arena,
                    size_t arena_capacity, size_t *used, trs_record *record, size_t *error_offset,
                    const char **reason) {
    *error_offset = 0;
    *reason = "";
    const KeyTable keys = text_key == nullptr ? KeyTable() : KeyTable(text_key);
    clear(*record);
    // Spans and offsets have 32 bits.
    if (length > UINT32_MAX - 64 || arena_capacity > UINT32_MAX) {
        *reason = "the line is longer than 4 GiB";
        return TRS_ARENA_FULL;
    }
    Arena target = {arena, arena_capacity, *used};
    if (memory != nullptr) {
        auto &separators = *static_cast<Separators *>(memory);
        if (QuickScanner(line, length, keys, separators, target, *record).run()) {
            *used = target.used;
            return TRS_OK;
        }
    }
    target.used = *used;
    clear(*record);
    const Fault fault = RecordChecker(line, length, keys, target, *record).run();
    *error_offset = fault.offset;
    *reason = fault.reason;
    if (fault.status == TRS_OK) *used = target.used;
    return fault.status;
}

trs_status trs_check(const uint8_t *text, size_t length, size_t max_depth, size_t *error_offset, const char **reason) {
    Checker checker(text, length, max_depth);
    checker.blanks();
    if (checker.at_end()) {
        checker.fail(TRS_EMPTY, "there is nothing but blanks");
    } else if (checker.skip(0)) {
        checker.end_of_text();
    }
    *error_offset = checker.fault.offset;
    *reason = checker.fault.reason;
    return checker.fault.status;
}

}  // extern "C"
