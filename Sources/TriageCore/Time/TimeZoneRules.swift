import Platform

/// UTC offsets of one time zone, read once from the system's compiled tables (TZif, RFC 9636).
///
/// Loading Foundation's `TimeZone` costs more than the whole run of a short inbox; a table of numbers is enough here.
/// An unknown name, a broken file or a system without tables gives UTC.
package struct TimeZoneRules: Sendable, Equatable {
    private var transitions: [Int64] = []
    /// The offset in seconds from each transition on.
    private var offsets: [Int32] = []
    /// For each span of 2^24 seconds (194 days) since 1970: the number of transitions before it.
    private var transitionsBefore: [Int32] = []
    private var firstOffset: Int32 = 0
    /// The rule that applies after the last transition.
    private var rule: PosixZone?

    /// UTC itself: no offset.
    package static let utc = TimeZoneRules()

    private init() {}

    /// Reads a time zone from the system's tables.
    ///
    /// - Parameter name: an IANA name; empty: UTC.
    package init(name: String, folder: String = "/usr/share/zoneinfo") {
        self.init()
        let bytes = Array(name.utf8)
        let isPlain = bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2F || byte == 0x5F || byte == 0x2D || byte == 0x2B
        }
        // Dots and a leading slash are not allowed, so a profile cannot make the program read other files.
        guard !bytes.isEmpty, bytes.count <= 64, bytes[0] != 0x2F, isPlain else { return }
        guard let data = Self.read(folder + "/" + name), let zone = Self(tzif: data) else { return }
        self = zone
    }

    /// Parses a TZif file; nil when the data is not one.
    ///
    /// - Parameter data: the bytes of the file.
    package init?(tzif data: [UInt8]) {
        self.init()
        func number(_ at: Int, _ count: Int) -> Int64? {
            guard at >= 0, at + count <= data.count else { return nil }
            var value: Int64 = data[at] & 0x80 != 0 ? -1 : 0
            for byte in data[at..<at + count] { value = value << 8 | Int64(byte) }
            return value
        }
        func counts(_ at: Int) -> [Int]? {
            guard at + 44 <= data.count, data[at..<at + 4].elementsEqual([0x54, 0x5A, 0x69, 0x66]) else { return nil }
            var all: [Int] = []
            for i in 0..<6 {
                guard let value = number(at + 20 + i * 4, 4), value >= 0, value < 100_000 else { return nil }
                all.append(Int(value))
            }
            return all
        }
        func size(_ c: [Int], _ width: Int) -> Int {
            c[3] * width + c[3] + c[4] * 6 + c[5] + c[2] * (width + 4) + c[1] + c[0]
        }
        guard var c = counts(0) else { return nil }
        var at = 44
        var width = 4
        if data[4] >= 0x32 {
            at += size(c, 4)
            guard let second = counts(at) else { return nil }
            c = second
            at += 44
            width = 8
        }
        guard at + size(c, width) <= data.count, c[4] > 0 else { return nil }
        let types = at + c[3] * (width + 1)
        func offset(ofType type: Int) -> Int32? {
            guard type < c[4] else { return nil }
            return number(types + type * 6, 4).map { Int32(truncatingIfNeeded: $0) }
        }
        guard let first = offset(ofType: 0) else { return nil }
        firstOffset = first
        for i in 0..<c[3] {
            guard let time = number(at + i * width, width),
                let offset = offset(ofType: Int(data[at + c[3] * width + i]))
            else { return nil }
            transitions.append(time)
            offsets.append(offset)
        }
        makeSpans()
        if width == 8 {
            let footer = data[(at + size(c, width))...].dropFirst().prefix { $0 != 0x0A }
            rule = PosixZone(Array(footer))
        }
    }

    private mutating func makeSpans() {
        // Tables end in 2037; for a longer one, indexing the beginning is enough.
        let spans = min(max(0, (transitions.last ?? 0) >> 24), 1024)
        transitionsBefore = (0..<spans).map { span in
            Int32(truncatingIfNeeded: transitions.prefix { $0 < span << 24 }.count)
        }
    }

    /// Returns the offset in seconds east of UTC at a moment.
    package func offset(at utc: Int64) -> Int64 {
        if utc >= 0, utc >> 24 < transitionsBefore.count {
            // At least one transition always follows here, because the last one is not in any span.
            var index = Int(transitionsBefore[Int(utc >> 24)])
            while transitions[index] <= utc { index &+= 1 }
            return Int64(index == 0 ? firstOffset : offsets[index - 1])
        }
        if let last = transitions.last, utc < last {
            // A branch-free binary search: the branches would be unpredictable.
            let index = transitions.withUnsafeBufferPointer { transitions in
                var first = 0
                var count = transitions.count
                while count > 1 {
                    let half = count / 2
                    first &+= transitions[first &+ half &- 1] <= utc ? half : 0
                    count &-= half
                }
                return transitions[first] <= utc ? first &+ 1 : first
            }
            return Int64(index == 0 ? firstOffset : offsets[index - 1])
        }
        if let rule { return Int64(rule.offset(at: utc)) }
        return Int64(offsets.last ?? firstOffset)
    }

    /// Returns the moment of a local wall clock time.
    ///
    /// When the clocks go back and the time occurs twice, this is the first moment west of UTC and the second east of it.
    package func utc(ofLocal local: Int64) -> Int64 {
        let guess = local - offset(at: local)
        return local - offset(at: guess)
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The largest tables have 4 KiB; anything larger is something else.
        var data: [UInt8] = []
        _ = DescriptorChunks.forEach(of: descriptor) {
            data.append(contentsOf: $0)
            return data.count < 64 * 1024
        }
        return data
    }
}

/// The rule in a TZif footer, such as `EST5EDT,M3.2.0,M11.1.0`.
struct PosixZone: Sendable, Equatable {
    private var standard: Int32 = 0
    private var summer: Int32?
    private var start = Change()
    private var end = Change()

    /// When the clocks change.
    private struct Change: Sendable, Equatable {
        enum Kind: Sendable, Equatable { case monthWeekDay, julian, zeroBased }
        var kind = Kind.monthWeekDay
        var month = 3
        var week = 2
        var day = 0
        /// Seconds after local midnight.
        var time: Int32 = 7200
    }

    init?(_ text: [UInt8]) {
        var i = 0
        func peek() -> UInt8 { i < text.count ? text[i] : 0 }
        func name() -> Bool {
            let from = i
            if peek() == 0x3C {
                while i < text.count, text[i] != 0x3E { i += 1 }
                i += 1
            } else {
                while (peek() | 0x20) &- 0x61 < 26 { i += 1 }
            }
            return i > from && i <= text.count
        }
        func number() -> Int32? {
            let from = i
            var value: Int32 = 0
            while peek() &- 0x30 < 10, i - from < 4 {
                value = value * 10 + Int32(peek() - 0x30)
                i += 1
            }
            return i > from ? value : nil
        }
        func time() -> Int32? {
            var sign: Int32 = 1
            if peek() == 0x2D || peek() == 0x2B {
                sign = peek() == 0x2D ? -1 : 1
                i += 1
            }
            guard var seconds = number().map({ $0 * 3600 }) else { return nil }
            for scale: Int32 in [60, 1] where peek() == 0x3A {
                i += 1
                guard let part = number() else { return nil }
                seconds += part * scale
            }
            return sign * seconds
        }
        func change() -> Change? {
            guard peek() == 0x2C else { return nil }
            i += 1
            var result = Change()
            if peek() == 0x4D {
                i += 1
                guard let month = number(), peek() == 0x2E else { return nil }
                i += 1
                guard let week = number(), peek() == 0x2E else { return nil }
                i += 1
                guard let day = number(), (1...12).contains(month), (1...5).contains(week), day <= 6 else { return nil }
                result.month = Int(month)
                result.week = Int(week)
                result.day = Int(day)
            } else {
                result.kind = peek() == 0x4A ? .julian : .zeroBased
                if peek() == 0x4A { i += 1 }
                guard let day = number(), day <= 366 else { return nil }
                result.day = Int(day)
            }
            if peek() == 0x2F {
                i += 1
                guard let at = time() else { return nil }
                result.time = at
            }
            return result
        }
        guard name(), let west = time() else { return nil }
        standard = -west
        guard i < text.count else { return }
        guard name() else { return nil }
        summer = standard + 3600
        if peek() != 0x2C, let west = time() { summer = -west }
        guard let first = change(), let second = change() else { return nil }
        start = first
        end = second
    }

    func offset(at utc: Int64) -> Int32 {
        guard let summer else { return standard }
        let days = Int(
            (utc + Int64(standard)) >= 0
                ? (utc + Int64(standard)) / 86_400 : (utc + Int64(standard) - 86_399) / 86_400)
        let year = CivilDate(daysSince1970: days).year
        let begins = Self.moment(of: start, year: year) - Int64(standard)
        let ends = Self.moment(of: end, year: year) - Int64(summer)
        let isSummer = begins < ends ? utc >= begins && utc < ends : utc >= begins || utc < ends
        return isSummer ? summer : standard
    }

    /// Returns when a change happens in a year, in local seconds since 1970.
    private static func moment(of change: Change, year: Int) -> Int64 {
        let day: Int
        switch change.kind {
        case .monthWeekDay:
            let first = CivilDate(year: year, month: change.month, day: 1).daysSince1970
            let firstWeekday = ((first + 4) % 7 + 7) % 7
            var inMonth = 1 + (change.day - firstWeekday + 7) % 7 + (change.week - 1) * 7
            while inMonth > CivilDate.daysIn(month: change.month, year: year) { inMonth -= 7 }
            day = first + inMonth - 1
        case .julian:
            // In this form, day 60 is always March 1.
            let isLeap = CivilDate.daysIn(month: 2, year: year) == 29
            day =
                CivilDate(year: year, month: 1, day: 1).daysSince1970 + change.day - 1
                + (isLeap && change.day >= 60 ? 1 : 0)
        case .zeroBased: day = CivilDate(year: year, month: 1, day: 1).daysSince1970 + change.day
        }
        return Int64(day) * 86_400 + Int64(change.time)
    }
}
