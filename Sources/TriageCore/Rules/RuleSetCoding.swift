/// A compact binary form of a rule set, so that a warm start does not have to parse YAML.
///
/// It ends with a checksum: bytes of another version, or truncated or damaged bytes, decode to nil, never to a wrong
/// rule set. All integers are little-endian.
extension RuleSet {
    /// Raise it with every change of the layout, of ``Feeds``, of ``OfferKind`` or of the meaning of a raw value.
    package static let codingVersion: UInt16 = 5
    private static let magic: [UInt8] = Array("TRRS".utf8)

    /// Encodes the rule set.
    package func encoded() -> [UInt8] {
        var writer = RuleSetWriter()
        writer.bytes.reserveCapacity(1 << 18)
        writer.bytes += Self.magic
        writer.integer(Self.codingVersion)
        writer.string(digest)
        writer.floats(biases.category)
        for bias in [biases.urgent, biases.danger, biases.injection, biases.positive, biases.negative] {
            writer.float(bias)
        }
        writer.count(signals.count)
        for signal in signals { writer.signal(signal) }
        writer.count(kinds.count)
        for kind in kinds { writer.kind(kind) }
        writer.integer(TextFolder.hash(writer.bytes))
        return writer.bytes
    }

    /// Decodes bytes that ``encoded()`` produced; nil for any others.
    package init?(encoded bytes: [UInt8]) {
        guard bytes.count > 14 else { return nil }
        let body = bytes.count - 8
        let rules: RuleSet? = bytes.withUnsafeBufferPointer { buffer in
            var tail = RuleSetReader(buffer, from: body)
            let content = UnsafeBufferPointer(rebasing: buffer[..<body])
            guard tail.integer(UInt64.self) == TextFolder.hash(content) else { return nil }
            var reader = RuleSetReader(content, from: 0)
            for byte in Self.magic where reader.integer(UInt8.self) != byte { return nil }
            guard reader.integer(UInt16.self) == Self.codingVersion else { return nil }
            return reader.ruleSet()
        }
        guard let rules else { return nil }
        self = rules
    }
}

private struct RuleSetWriter {
    var bytes: [UInt8] = []
    private var files: [String: Int] = [:]

    mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func float(_ value: Float) { integer(value.bitPattern) }

    mutating func floats(_ value: SIMD4<Float>) {
        for lane in 0..<4 { float(value[lane]) }
    }

    mutating func count(_ value: Int) { integer(UInt32(truncatingIfNeeded: value)) }

    mutating func string(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    mutating func strings(_ values: [String]) {
        count(values.count)
        for value in values { string(value) }
    }

    /// Writes a repeated name: in full the first time, as a number afterwards.
    private mutating func file(_ name: String) {
        if let index = files[name] { return count(index) }
        count(files.count)
        files[name] = files.count
        string(name)
    }

    mutating func signal(_ signal: Signal) {
        string(signal.name)
        string(signal.why)
        strings(signal.languages)
        strings(signal.onlyIn)
        switch signal.trigger {
        case .patterns(let patterns):
            integer(UInt8(0))
            count(patterns.count)
            for pattern in patterns {
                integer(pattern.kind.rawValue)
                string(pattern.text)
                file(pattern.file)
                count(pattern.line)
            }
        case .detector(let name):
            integer(UInt8(1))
            string(name)
        case .composite(let all, let any, let none):
            integer(UInt8(2))
            strings(all)
            strings(any)
            strings(none)
        }
        feeds(signal.feeds)
        integer(UInt32(clamping: signal.near))
        integer(Int64(signal.repeatLimit))
        strings(signal.examples.match)
        strings(signal.examples.noMatch)
        string(signal.place)
    }

    mutating func kind(_ kind: OfferKind) {
        string(kind.id)
        string(kind.why)
        strings(kind.signals)
        integer(kind.facts)
        integer(kind.unless)
        integer(
            UInt8(kind.isWithoutBudget ? 1 : 0) | UInt8(kind.isOffer ? 2 : 0) | UInt8(kind.takesHints ? 4 : 0))
        integer(kind.pay)
        integer(kind.fit ?? -1)
        string(kind.reply)
        strings(kind.asks)
    }

    private mutating func feeds(_ feeds: Feeds) {
        floats(feeds.category)
        for weight in [
            feeds.urgent, feeds.danger, feeds.injection, feeds.positive, feeds.negative, feeds.scale,
        ] { float(weight) }
        integer(UInt8(feeds.feedsCategory ? 1 : 0) | UInt8(feeds.feedsSentiment ? 2 : 0))
        integer(feeds.modifier.rawValue)
        integer(feeds.facts)
        integer(feeds.urgencyKind.rawValue)
    }
}

private struct RuleSetReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private var files: [String] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        let size = MemoryLayout<Value>.size
        guard size <= bytes.count - position else { return nil }
        let value = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: Value.self)
        position += size
        return Value(littleEndian: value)
    }

    private mutating func float() -> Float? { integer(UInt32.self).map { Float(bitPattern: $0) } }

    private mutating func floats() -> SIMD4<Float>? {
        guard let a = float(), let b = float(), let c = float(), let d = float() else { return nil }
        return SIMD4(a, b, c, d)
    }

    /// Reads a count of elements that take at least `size` bytes each; nil when the remaining bytes are too few for
    /// them.
    private mutating func count(size: Int) -> Int? {
        guard let value = integer(UInt32.self), Int(value) <= (bytes.count - position) / size else { return nil }
        return Int(value)
    }

    private mutating func string() -> String? {
        guard let count = count(size: 1) else { return nil }
        defer { position += count }
        return String(validating: bytes[position..<position + count], as: UTF8.self)
    }

    private mutating func file() -> String? {
        guard let index = integer(UInt32.self), Int(index) <= files.count else { return nil }
        if Int(index) == files.count {
            guard let name = string() else { return nil }
            files.append(name)
        }
        return files[Int(index)]
    }

    private mutating func list<Element>(size: Int, _ read: (inout Self) -> Element?) -> [Element]? {
        guard let count = count(size: size) else { return nil }
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count {
            guard let element = read(&self) else { return nil }
            list.append(element)
        }
        return list
    }

    private mutating func strings() -> [String]? { list(size: 4) { $0.string() } }

    mutating func ruleSet() -> RuleSet? {
        var biases = RuleBiases()
        guard let digest = string(), let category = floats(), let urgent = float(), let danger = float(),
            let injection = float(), let positive = float(), let negative = float(),
            let signals = list(size: 64, { $0.signal() }), let kinds = list(size: 35, { $0.kind() }),
            position == bytes.count
        else { return nil }
        biases.category = category
        biases.urgent = urgent
        biases.danger = danger
        biases.injection = injection
        biases.positive = positive
        biases.negative = negative
        return RuleSet(signals: signals, biases: biases, kinds: kinds, digest: digest)
    }

    private mutating func kind() -> OfferKind? {
        guard let id = string(), let why = string(), let signals = strings(), let facts = integer(UInt64.self),
            let unless = integer(UInt64.self), let flags = integer(UInt8.self), let pay = integer(Int8.self),
            let fit = integer(Int8.self), let reply = string(), let asks = strings()
        else { return nil }
        return OfferKind(
            id: id, why: why, signals: signals, facts: facts, unless: unless, isWithoutBudget: flags & 1 != 0,
            isOffer: flags & 2 != 0, pay: pay, takesHints: flags & 4 != 0, fit: fit < 0 ? nil : fit, reply: reply,
            asks: asks)
    }

    private mutating func signal() -> Signal? {
        guard let name = string(), let why = string(), let languages = strings(), let onlyIn = strings(),
            let trigger = trigger(), let feeds = feeds(), let near = integer(UInt32.self),
            let limit = integer(Int64.self),
            let match = strings(), let noMatch = strings(), let place = string()
        else { return nil }
        return Signal(
            name: name, why: why, languages: languages, onlyIn: onlyIn, trigger: trigger, near: Int(near),
            feeds: feeds, repeatLimit: Int(limit), examples: Signal.Examples(match: match, noMatch: noMatch),
            place: place)
    }

    private mutating func trigger() -> Signal.Trigger? {
        switch integer(UInt8.self) {
        case 0:
            return list(size: 13) { reader -> Pattern? in
                guard let kind = reader.integer(UInt8.self).flatMap(Pattern.Kind.init(rawValue:)),
                    let text = reader.string(), let file = reader.file(), let line = reader.integer(UInt32.self)
                else { return nil }
                return Pattern(kind: kind, text: text, file: file, line: Int(line))
            }.map { .patterns($0) }
        case 1: return string().map { .detector($0) }
        case 2:
            guard let all = strings(), let any = strings(), let none = strings() else { return nil }
            return .composite(all: all, any: any, none: none)
        default: return nil
        }
    }

    private mutating func feeds() -> Feeds? {
        var feeds = Feeds()
        guard let category = floats(), let urgent = float(), let danger = float(), let injection = float(),
            let positive = float(), let negative = float(), let scale = float(), let flags = integer(UInt8.self),
            let modifier = integer(UInt8.self).flatMap(Feeds.Modifier.init(rawValue:)),
            let facts = integer(UInt64.self),
            let kind = integer(UInt8.self).flatMap(UrgencyAnswer.Kind.init(rawValue:))
        else { return nil }
        feeds.category = category
        feeds.urgent = urgent
        feeds.danger = danger
        feeds.injection = injection
        feeds.positive = positive
        feeds.negative = negative
        feeds.scale = scale
        feeds.feedsCategory = flags & 1 != 0
        feeds.feedsSentiment = flags & 2 != 0
        feeds.modifier = modifier
        feeds.facts = facts
        feeds.urgencyKind = kind
        return feeds
    }
}
