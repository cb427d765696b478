/// Finds e-mail addresses, handles, phone, card and account numbers in a text.
///
/// It is hand-written instead of using patterns: one pass, no backtracking, and no text can slow it down.
struct PersonalData {
    enum Kind: String, CaseIterable { case email, handle, iban, card, phone, number }

    struct Find: Equatable {
        var kind: Kind
        var range: Range<Int>
    }

    private let scalars: [Unicode.Scalar]
    /// 0–9 for a decimal digit of any script, −1 for anything else.
    private let digits: [Int8]
    private var finds: [Find] = []

    /// The findings, in order and without overlap.
    static func finds(in scalars: [Unicode.Scalar]) -> [Find] {
        var finds: [Find] = []
        var start = 0
        // Addresses first, then the text between them: a number may come directly before an address.
        for address in addresses(in: scalars) + [scalars.count..<scalars.count] {
            var search = PersonalData(Array(scalars[start..<address.lowerBound]))
            search.run()
            finds += search.finds.map {
                Find(kind: $0.kind, range: $0.range.lowerBound + start..<$0.range.upperBound + start)
            }
            if !address.isEmpty { finds.append(Find(kind: .email, range: address)) }
            start = address.upperBound
        }
        return finds
    }

    /// The decimal digits among the scalars, in ASCII.
    static func digits(of scalars: some Sequence<Unicode.Scalar>) -> String {
        var out = ""
        for scalar in scalars {
            let digit = digit(scalar)
            if digit >= 0 { out += "\(digit)" }
        }
        return out
    }

    static func digit(_ scalar: Unicode.Scalar) -> Int8 {
        if scalar.isASCII { return Text.isASCIIDigit(scalar) ? Int8(truncatingIfNeeded: scalar.value - 0x30) : -1 }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return -1 }
        return (0...9).contains(value) ? Int8(value) : -1
    }

    private init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        digits = scalars.map(Self.digit)
    }

    private mutating func run() {
        var index = 0
        while index < scalars.count {
            if let find = handle(at: index) ?? account(at: index) {
                finds.append(find)
                index = find.range.upperBound
            } else if let (kind, end) = number(at: index) {
                if let kind { finds.append(Find(kind: kind, range: index..<end)) }
                index = end
            } else {
                index += 1
            }
        }
    }

    // MARK: Addresses and handles

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        Text.isASCIILetter(scalar) || Text.isASCIIDigit(scalar) || (0xC0...0x24F).contains(scalar.value)
    }

    private func isLatin(_ scalar: Unicode.Scalar) -> Bool { Self.isLatin(scalar) }

    private static func isLocal(_ scalar: Unicode.Scalar) -> Bool {
        isLatin(scalar) || "._%+-".unicodeScalars.contains(scalar)
    }

    /// The e-mail addresses, found by their `@`.
    private static func addresses(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for at in scalars.indices where scalars[at] == "@" {
            let floor = found.last?.upperBound ?? 0
            var start = at
            // RFC 5321 limits a local part to 64 and a domain to 255.
            while start > floor, at - start < 64, isLocal(scalars[start - 1]) { start -= 1 }
            var end = at + 1
            while end < scalars.count, end - at <= 255,
                isLatin(scalars[end]) || scalars[end] == "-" || scalars[end] == "."
            {
                end += 1
            }
            // A full stop after the address is not part of it, nor is a last label of one letter.
            var dot = end
            while end > at + 1, end - dot <= 2 {
                end = min(end, dot)
                while end > at + 1, scalars[end - 1] == "." || scalars[end - 1] == "-" { end -= 1 }
                dot = scalars[(at + 1)..<end].lastIndex(of: ".") ?? at + 1
            }
            if start < at, dot > at + 1, end > dot + 2 { found.append(start..<end) }
        }
        return found
    }

    private func handle(at start: Int) -> Find? {
        guard scalars[start] == "@", start == 0 || !Self.isLocal(scalars[start - 1]) else { return nil }
        var end = start + 1
        while end < scalars.count, end - start <= 30, Text.isASCIIWord(scalars[end]) || scalars[end] == "." { end += 1 }
        while end > start + 1, scalars[end - 1] == "." { end -= 1 }
        return end - start > 2 ? Find(kind: .handle, range: start..<end) : nil
    }

    // MARK: Numbers

    private func isWordBefore(_ index: Int) -> Bool {
        index > 0 && (digits[index - 1] >= 0 || isLatin(scalars[index - 1]))
    }

    /// An IBAN with correct check digits (ISO 13616: remainder 1 modulo 97).
    private func account(at start: Int) -> Find? {
        guard start + 15 <= scalars.count, Text.isASCIILetter(scalars[start]), Text.isASCIILetter(scalars[start + 1]),
            digits[start + 2] >= 0, digits[start + 3] >= 0, !isWordBefore(start)
        else { return nil }
        var letters: [Unicode.Scalar] = []
        var ends: [(count: Int, end: Int)] = []
        var index = start
        while index < scalars.count, letters.count < 34 {
            if scalars[index] == " ", index + 1 < scalars.count {
                index += 1
                guard scalars[index] != " " else { break }
            }
            guard Text.isASCIILetter(scalars[index]) || Text.isASCIIDigit(scalars[index]) else { break }
            letters.append(scalars[index])
            index += 1
            if letters.count >= 15, index == scalars.count || !isLatin(scalars[index]) {
                ends.append((letters.count, index))
            }
        }
        for (count, end) in ends.reversed() {
            var remainder = 0
            for letter in letters[4..<count] + letters[..<4] {
                let value = Text.isASCIIDigit(letter) ? Int(letter.value) - 0x30 : Int(letter.value | 0x20) - 0x57
                remainder = (value > 9 ? remainder * 100 + value : remainder * 10 + value) % 97
            }
            if remainder == 1 { return Find(kind: .iban, range: start..<end) }
        }
        return nil
    }

    private func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        " .-/()\u{A0}\u{202F}\u{2009}\u{2010}\u{2011}\u{2013}".unicodeScalars.contains(scalar)
    }

    /// A run of digits and the separators of phone and card numbers; kind nil: an amount, a date, a count.
    private func number(at start: Int) -> (kind: Kind?, end: Int)? {
        let hasPlus = scalars[start] == "+" || scalars[start] == "\u{FF0B}"
        let opens = scalars[start] == "("
        guard digits[start] >= 0 || hasPlus || opens, !isWordBefore(start) else { return nil }
        var groups: [[Int8]] = []
        var separators: [Unicode.Scalar] = []
        var index = start + (digits[start] >= 0 ? 0 : 1)
        if hasPlus, index < scalars.count, scalars[index] == "(" || scalars[index] == " " { index += 1 }
        guard index < scalars.count, digits[index] >= 0 else { return nil }
        var end = index
        var total = 0
        while index < scalars.count, total < 24 {
            var group: [Int8] = []
            while index < scalars.count, digits[index] >= 0 {
                group.append(digits[index])
                index += 1
            }
            guard !group.isEmpty else { break }
            groups.append(group)
            total += group.count
            end = index
            var next = index
            while next < scalars.count, next - index < 3, isSeparator(scalars[next]) { next += 1 }
            guard next > index, next < scalars.count, digits[next] >= 0 else { break }
            separators.append(scalars[index])
            index = next
        }
        if !hasPlus, isDate(groups) {
            // Only the date itself: anything may follow it.
            return (nil, self.end(ofGroups: 3, from: start))
        }
        if end < scalars.count, isLatin(scalars[end]) { return (nil, end) }
        return (kind(groups, separators, hasPlus: hasPlus, start: start, end: end), end)
    }

    private func kind(
        _ groups: [[Int8]], _ separators: [Unicode.Scalar], hasPlus: Bool, start: Int, end: Int
    ) -> Kind? {
        let all = groups.flatMap { $0 }
        if hasPlus { return (7...17).contains(all.count) ? .phone : all.count > 17 ? .number : nil }
        if (13...19).contains(all.count), Self.passesLuhn(all) { return .card }
        if isMoney(start: start, end: end) { return nil }
        if groups.count == 1 {
            if all.first == 0, (9...15).contains(all.count) { return .phone }
            return all.count >= 8 ? .number : nil
        }
        // "10.000.000" and "10 000 000" are amounts; "612 345 678" may be either and counts as a phone number.
        let isGrouped = groups[1...].allSatisfy { $0.count == 3 } && (1...3).contains(groups[0].count)
        if isGrouped, separators.allSatisfy({ $0 == "." }) || all.count < 9 || all.last == 0 { return nil }
        if all.first == 0 || scalars[start] == "(" { return (8...15).contains(all.count) ? .phone : nil }
        guard all.count >= 9 else { return nil }
        return all.count <= 15 ? .phone : .number
    }

    private static func passesLuhn(_ digits: [Int8]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let doubled = Int(digit) * 2
            sum += place % 2 == 0 ? Int(digit) : doubled > 9 ? doubled - 9 : doubled
        }
        return sum % 10 == 0 && digits.contains { $0 != 0 }
    }

    /// `2026-10-03`, `3.10.2026`, `2026-10-03 14`: a current year and two short groups.
    private func isDate(_ groups: [[Int8]]) -> Bool {
        guard groups.count >= 3, groups[0].count <= 4 else { return false }
        let value: ([Int8]) -> Int = { $0.prefix(4).reduce(0) { $0 * 10 + Int($1) } }
        let isYear: ([Int8]) -> Bool = { $0.count == 4 && (1_900...2_100).contains(value($0)) }
        let isPart: ([Int8]) -> Bool = { $0.count <= 2 && (1...31).contains(value($0)) }
        return isYear(groups[0]) && isPart(groups[1]) && isPart(groups[2])
            || isPart(groups[0]) && isPart(groups[1]) && isYear(groups[2])
    }

    private func end(ofGroups count: Int, from start: Int) -> Int {
        var index = start
        for _ in 0..<count {
            while index < scalars.count, digits[index] < 0 { index += 1 }
            while index < scalars.count, digits[index] >= 0 { index += 1 }
        }
        return index
    }

    private func isMoney(start: Int, end: Int) -> Bool {
        Money.isUnit(before: start, in: scalars) || Money.isUnit(behind: end, in: scalars)
    }
}
