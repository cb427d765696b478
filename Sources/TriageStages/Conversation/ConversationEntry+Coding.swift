import TriageCore

/// How an entry is kept in a store: a version, then numbers of fixed size, the lowest byte first.
extension ConversationEntry {
    private static let version: UInt8 = 1

    /// 7 bytes, 35 with the points of an offer and its budget.
    var kept: [UInt8] {
        var bytes = [Self.version]
        bytes.reserveCapacity(40)
        Self.add(labels, to: &bytes)
        bytes.append(age)
        bytes.append((points == nil ? 0 : 1) | (budget == nil ? 0 : 2))
        if let points {
            for part in [points.monetary, points.brandFit, points.legitimacy, points.urgency] {
                bytes.append(UInt8(bitPattern: part))
            }
        }
        if let budget {
            Self.add(budget.amount.bitPattern, to: &bytes)
            Self.add(budget.currency?.packed ?? 0, to: &bytes)
            Self.add(budget.usd.bitPattern, to: &bytes)
            Self.add(UInt32(bitPattern: budget.start), to: &bytes)
            Self.add(UInt32(bitPattern: budget.end), to: &bytes)
        }
        return bytes
    }

    /// Reads ``kept`` back; nil for what is not exactly as it was written: the conversation then begins anew.
    init?(kept bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.popFirst() == Self.version, let labels: UInt32 = Self.take(&rest), let age = rest.popFirst(),
            let parts = rest.popFirst(), parts <= 3, age <= 16
        else { return nil }
        self.labels = labels
        self.age = age
        if parts & 1 != 0 {
            guard let packed: UInt32 = Self.take(&rest) else { return nil }
            var points = RubricPoints()
            points.monetary = Int8(truncatingIfNeeded: packed)
            points.brandFit = Int8(truncatingIfNeeded: packed >> 8)
            points.legitimacy = Int8(truncatingIfNeeded: packed >> 16)
            points.urgency = Int8(truncatingIfNeeded: packed >> 24)
            let all = [points.monetary, points.brandFit, points.legitimacy, points.urgency]
            guard all.allSatisfy({ (0...100).contains($0) }) else { return nil }
            self.points = points
        }
        if parts & 2 != 0 {
            guard let amount: UInt64 = Self.take(&rest), let code: UInt32 = Self.take(&rest),
                let usd: UInt64 = Self.take(&rest), let start: UInt32 = Self.take(&rest),
                let end: UInt32 = Self.take(&rest)
            else { return nil }
            let (value, dollars) = (Double(bitPattern: amount), Double(bitPattern: usd))
            let letters = [UInt8(code >> 16 & 0xFF), UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)]
            let currency = code == 0 ? nil : Currency(parsing: String(decoding: letters, as: UTF8.self))
            guard value.isFinite, dollars.isFinite, code == 0 || currency?.packed == code else { return nil }
            budget = MoneyAmount(
                amount: value, currency: currency, usd: dollars, start: Int32(bitPattern: start),
                end: Int32(bitPattern: end))
        }
        guard rest.isEmpty else { return nil }
    }

    private static func add(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func take<Number: FixedWidthInteger>(_ bytes: inout ArraySlice<UInt8>) -> Number? {
        let size = Number.bitWidth / 8
        guard bytes.count >= size else { return nil }
        defer { bytes.removeFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
