internal import TriageCore

/// Sentences that are put together from pieces, in memory of their own until all messages of a batch are through.
struct InsightSentences: ~Copyable {
    private var bytes: BatchAdditions<UInt8>
    private var spans: BatchAdditions<Span32>
    /// Where the sentence that is being written begins.
    private var start: Int

    /// - Parameters:
    ///   - bytes: length of ``Batch/generated``.
    ///   - spans: length of ``Batch/generatedSpans``.
    init(after bytes: Int, spans: Int) {
        self.bytes = BatchAdditions(after: bytes)
        self.spans = BatchAdditions(after: spans)
        start = bytes
    }

    /// Index in ``Batch/generatedSpans`` of the next sentence.
    var end: Int { spans.end }

    /// Ends the sentence that was put together.
    mutating func endSentence() {
        spans.append(Span32(start: start, count: bytes.end - start))
        start = bytes.end
    }

    mutating func say(_ sentence: StaticString) {
        add(sentence)
        endSentence()
    }

    mutating func add(_ literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    @inline(__always)
    mutating func add(byte: UInt8) { bytes.append(byte) }

    /// Adds a number that is not negative, with a comma before every three digits where asked.
    mutating func add(_ number: Int, isGrouped: Bool = false) {
        var power = 1
        var digits = 1
        while digits < 19, number / power >= 10 {
            power *= 10
            digits += 1
        }
        while digits > 0 {
            bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / power % 10))
            power /= 10
            digits -= 1
            if isGrouped, digits > 0, digits % 3 == 0 { bytes.append(0x2C) }
        }
    }

    private mutating func add(twoDigits number: Int) {
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10))
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    /// Adds `YYYY-MM-DD`.
    mutating func add(_ date: CivilDate) {
        add(twoDigits: date.year / 100)
        add(twoDigits: date.year % 100)
        add(byte: 0x2D)
        add(twoDigits: date.month)
        add(byte: 0x2D)
        add(twoDigits: date.day)
    }

    /// Adds `$5,000`, `€800`, `95,000 SEK`, `1,250.50 CHF`.
    mutating func add(_ money: MoneyAmount) {
        let value = max(0, min(money.amount, 1e15))
        let cents = Int((value * 100).rounded())
        let currency = money.currency
        switch currency {
        case Currency("USD"): add(byte: 0x24)
        case Currency("EUR"): add("€")
        case Currency("GBP"): add("£")
        default: break
        }
        add(cents / 100, isGrouped: true)
        if cents % 100 != 0 {
            add(byte: 0x2E)
            add(twoDigits: cents % 100)
        }
        guard let currency, currency != Currency("USD"), currency != Currency("EUR"), currency != Currency("GBP") else {
            return
        }
        add(byte: 0x20)
        for shift: UInt32 in [16, 8, 0] { add(byte: UInt8(truncatingIfNeeded: currency.packed >> shift)) }
    }

    /// Adds a count in short: 512000 → 512K.
    mutating func add(short count: Int) {
        if count >= 1_000_000 {
            add(count / 1_000_000)
            if count / 100_000 % 10 != 0 {
                add(byte: 0x2E)
                add(count / 100_000 % 10)
            }
            add(byte: 0x4D)
        } else if count >= 1000 {
            add(count / 1000)
            add(byte: 0x4B)
        } else {
            add(count)
        }
    }

    /// Hands the sentences over.
    mutating func finish(into batch: inout Batch) {
        bytes.finish(into: &batch.generated)
        spans.finish(into: &batch.generatedSpans)
    }
}
