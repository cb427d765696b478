package import TriageCore

/// Reads and writes `voice.jsonl`.
///
/// The file has a line of habits, then one line for each pair of message and reply, then lines with the ids of all
/// pairs that were ever learned.
package enum VoiceFile {
    /// The size limit of a file, in bytes.
    package static let byteLimit = 64 << 20
    /// The maximum number of pairs in a file.
    package static let pairLimit = 20_000
    /// The size limit of a message or a reply, in bytes; longer texts were cut when they were learned.
    package static let textLimit = 4_000
    /// The most ids in a file, where the oldest are dropped beyond the limit, and the most ids on one written line.
    private static let idLimit = 100_000
    private static let idsOfLine = 500
    private static let habitKeys = [
        "voice", "replies", "languages", "words", "greeting", "signature", "greetings", "audience", "partners",
        "emoji", "emojis", "lower_case", "exclamation", "formal", "never",
    ]
    private static let pairKeys = [
        "id", "from", "name", "day", "platform", "language", "intent", "asked", "answered", "reuse", "learned",
    ]

    /// Reads a voice; faults go to `faults`, with their lines, and what could be read is kept.
    package static func read(name: String, bytes: [UInt8], faults: FaultCollector) -> Voice {
        var voice = Voice()
        guard bytes.count <= byteLimit else {
            faults.add(
                "voice.too-large", "the file has \(bytes.count) bytes; at most \(byteLimit) are read", at: name,
                remedy: "remove old pairs with `triage voice forget --before DATE`")
            return voice
        }
        var lines: [String: Int] = [:]
        var number = 0
        var isBegun = false
        var surplus = 0
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count, faults.faults.count < FaultCollector.limit {
                var end = start
                while end < bytes.count, bytes[end] != 0x0A { end += 1 }
                defer { start = end + 1 }
                number += 1
                let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
                if line.allSatisfy({ $0 <= 0x20 }) { continue }
                guard let node = parsed(line, name, number, faults) else { continue }
                if !isBegun {
                    isBegun = true
                    voice.habits = habits(node, name, faults)
                } else if let ids = node["ids"] {
                    read(ids, of: node, name, faults, into: &voice)
                } else if voice.pairs.count >= pairLimit {
                    surplus += 1
                } else {
                    let pair = pair(node, name, faults)
                    if let first = lines.updateValue(number, forKey: pair.id), !pair.id.isEmpty {
                        faults.add(
                            "voice.duplicate-id", "id '\(pair.id)' is already used on line \(first)",
                            at: "\(name):\(number)", remedy: "remove one of the two lines")
                    }
                    voice.pairs.append(pair)
                }
            }
        }
        if surplus > 0 {
            faults.add(
                "voice.too-many", "the file has \(voice.pairs.count + surplus) pairs; at most \(pairLimit) are read",
                at: name, remedy: "remove old pairs with `triage voice forget --before DATE`")
        }
        if !isBegun {
            faults.add(
                "voice.empty", "the file has no line of habits", at: name,
                remedy: "delete it, and learn again with `triage voice learn EXPORT -o \(name)`")
        }
        return voice
    }

    private static func read(
        _ ids: ConfigNode, of node: ConfigNode, _ name: String, _ faults: FaultCollector, into voice: inout Voice
    ) {
        let reader = MappingReader(node, in: name, subject: "a line of ids", keys: ["ids"], faults: faults)
        for (id, node) in reader.strings("ids") ?? [] {
            guard FAQFile.isID(id) else {
                reader.fault(
                    "voice.bad-id", "an id has at most 100 letters and digits", at: node, remedy: "remove it")
                continue
            }
            if voice.learned.count < idLimit { voice.learned.append(id) }
        }
    }

    private static func parsed(
        _ line: UnsafeBufferPointer<UInt8>, _ name: String, _ number: Int, _ faults: FaultCollector
    ) -> ConfigNode? {
        guard String(validating: line, as: UTF8.self) != nil else {
            faults.add(
                "config.encoding", "line \(number) is not UTF-8", at: "\(name):\(number)",
                remedy: "save the file as UTF-8, or remove the line")
            return nil
        }
        var reader = JSONReader(line, name: name, line: number)
        let node = reader.read()
        if let fault = reader.fault { faults.add(fault) }
        reader.duplicates.forEach { faults.add($0) }
        return node
    }

    private static func habits(_ node: ConfigNode, _ name: String, _ faults: FaultCollector) -> VoiceHabits {
        var habits = VoiceHabits()
        let reader = MappingReader(node, in: name, subject: "the line of habits", keys: habitKeys, faults: faults)
        guard case .mapping = node.value else { return habits }
        if reader.node("voice") == nil {
            reader.fault(
                "voice.no-habits", "the first line has no member 'voice'", at: node,
                remedy: "put the line of habits back, or delete the file and learn again with `triage voice learn`")
        } else if let version = reader.int("voice", in: 1...Int.max), version != 1 {
            reader.fault(
                "config.unknown-version", "only version 1 of voice files is supported",
                at: reader.node("voice") ?? node,
                remedy: "delete the file, and learn again with `triage voice learn`")
        }
        let share = 0.0...1.0
        habits.replies = reader.int("replies", in: 0...Int.max) ?? 0
        habits.words = reader.int("words", in: 0...100_000) ?? 0
        habits.emoji = reader.number("emoji", in: share) ?? 0
        habits.lowerCase = reader.number("lower_case", in: share) ?? 0
        habits.exclamation = reader.number("exclamation", in: share) ?? 0
        habits.emojis = plain(reader, "emojis")
        habits.never = plain(reader, "never")
        func places(_ key: String) -> (Double?, Double?) {
            guard let node = reader.node(key) else { return (nil, nil) }
            let places = MappingReader(node, in: name, subject: "'\(key)'", keys: ["mail", "other"], faults: faults)
            return (places.number("mail", in: share), places.number("other", in: share))
        }
        (habits.mailGreeting, habits.chatGreeting) = places("greeting")
        (habits.mailSignature, habits.chatSignature) = places("signature")
        func languages<Value>(
            _ key: String, in reader: MappingReader, _ read: (MappingReader, String) -> Value?
        ) -> [String: Value] {
            guard let node = reader.node(key), case .mapping(let entries) = node.value else { return [:] }
            let names = entries.map(\.key)
            let list = MappingReader(node, in: name, subject: "'\(key)'", keys: names, faults: faults)
            var found: [String: Value] = [:]
            for name in names.prefix(100) { found[name] = read(list, name) }
            return found
        }
        habits.languages = languages("languages", in: reader) { $0.int($1, in: 0...Int.max) }
        habits.formal = languages("formal", in: reader) { $0.number($1, in: share) }
        func lines(_ key: String, in reader: MappingReader) -> [String: String] {
            languages(key, in: reader) { list, tag in
                guard let text = list.string(tag) else { return nil }
                guard isPlain(text), text.utf8.count <= 80 else {
                    list.fault(
                        "voice.bad-greeting", "a greeting or a closing must be one short line",
                        at: list.node(tag) ?? node, remedy: "write it as in \"Hi {name},\"")
                    return nil
                }
                return text
            }
        }
        func manner(_ key: String) -> VoiceManner {
            var manner = VoiceManner()
            guard let node = reader.node(key) else { return manner }
            let reader = MappingReader(
                node, in: name, subject: "'\(key)'", keys: ["greetings", "bare", "closings"], faults: faults)
            manner.greetings = lines("greetings", in: reader)
            manner.bare = lines("bare", in: reader)
            manner.closings = lines("closings", in: reader)
            return manner
        }
        habits.greetings = lines("greetings", in: reader)
        (habits.audience, habits.partners) = (manner("audience"), manner("partners"))
        return habits
    }

    private static func plain(_ reader: MappingReader, _ key: String) -> [String] {
        (reader.strings(key) ?? []).compactMap { text, node in
            guard isPlain(text), text.utf8.count <= 200 else {
                reader.fault(
                    "voice.bad-text", "'\(key)' contains a text that is not a single short line", at: node,
                    remedy: "remove it")
                return nil
            }
            return text
        }
    }

    private static func pair(_ node: ConfigNode, _ name: String, _ faults: FaultCollector) -> VoicePair {
        var pair = VoicePair()
        let reader = MappingReader(node, in: name, subject: "a pair", keys: pairKeys, faults: faults)
        guard case .mapping = node.value else { return pair }
        func text(_ key: String, limit: Int = textLimit) -> String {
            let text = reader.string(key) ?? ""
            if text.utf8.count > limit, let node = reader.node(key) {
                reader.fault(
                    "voice.too-long", "'\(key)' has \(text.utf8.count) bytes; at most \(limit) are read", at: node,
                    remedy: "shorten it, or remove the line")
                return ""
            }
            return text
        }
        pair.id = text("id")
        if pair.id.isEmpty || !FAQFile.isID(pair.id) {
            reader.fault(
                "voice.bad-id", "a pair needs an id of at most 100 letters and digits", at: node,
                remedy: "put the id back, or remove the line")
        }
        pair.sender = text("from")
        pair.name = text("name")
        pair.learned = text("learned", limit: 100)
        pair.platform = text("platform", limit: 100)
        pair.language = text("language", limit: 40)
        pair.intent = text("intent", limit: 200)
        pair.asked = text("asked")
        pair.answered = text("answered")
        pair.reuse = text("reuse")
        if !isReusable(pair.reuse), let node = reader.node("reuse") {
            reader.fault(
                "voice.bad-reuse", "'reuse' contains a control character, or braces other than {name}", at: node,
                remedy: "write plain text, with {name} at most once, or remove the member")
            pair.reuse = ""
        }
        if let text = reader.string("day") {
            pair.day = day(text)
            if pair.day == nil, let node = reader.node("day") {
                reader.fault(
                    "config.bad-date", "'day' must be a day such as 2026-10-01", at: node, remedy: "correct the day")
            }
        }
        return pair
    }

    /// The days from 1970 to a date in the form `YYYY-MM-DD`.
    private static func day(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let digits = [0, 1, 2, 3, 5, 6, 8, 9]
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
            digits.allSatisfy({ (0x30...0x39).contains(bytes[$0]) })
        else { return nil }
        func number(_ places: Range<Int>) -> Int { places.reduce(0) { $0 * 10 + Int(bytes[$1]) - 0x30 } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        guard (1...12).contains(month), (1...CivilDate.daysIn(month: month, year: year)).contains(day) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day).daysSince1970
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    /// Whether a text can be used in a draft: no control characters but line breaks, and no braces but one name
    /// placeholder.
    private static func isReusable(_ text: String) -> Bool {
        guard isPlain(text.replacing("\n", with: " ")) else { return false }
        let parts = text.split(separator: "{name}", omittingEmptySubsequences: false)
        return parts.count <= 2 && !parts.contains { $0.contains("{") || $0.contains("}") }
    }
}

extension VoiceFile {
    /// The text of a voice file.
    package static func text(_ voice: Voice) -> [UInt8] {
        var out: [UInt8] = []
        write(voice.habits, to: &out)
        for pair in voice.pairs { write(pair, to: &out) }
        let ids = voice.learned.suffix(idLimit)
        var start = ids.startIndex
        while start < ids.endIndex {
            let end = min(start + idsOfLine, ids.endIndex)
            var json = JSONObjectWriter(&out)
            json.strings("ids", Array(ids[start..<end]))
            out = json.finish()
            out.append(0x0A)
            start = end
        }
        return out
    }

    /// Replaces the file of a voice completely or not at all; a new file is readable by its owner only.
    ///
    /// - Throws: ``TriageError`` `output.symlink` or `output.cannot-create` (exit 73), `output.io` (exit 74).
    package static func save(_ voice: Voice, to path: String) throws(TriageError) {
        try AtomicReplacement.replace(path, with: text(voice))
    }

    private static func number(_ share: Double) -> String {
        let hundredths = Int((max(0, min(1, share)) * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func text(day: Int) -> String {
        var bytes: [UInt8] = []
        CivilDate(daysSince1970: day).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ habits: VoiceHabits, to out: inout [UInt8]) {
        var json = JSONObjectWriter(&out)
        json.member("voice", 1)
        json.member("replies", habits.replies)
        func object<Value>(
            _ key: String, _ values: [String: Value], _ json: inout JSONObjectWriter, _ text: (Value) -> String
        ) {
            json.key(key)
            json.open("{")
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.raw(text(value))
            }
            json.close("}")
        }
        func quoted(_ text: String) -> String {
            var bytes: [UInt8] = []
            JSONText.append(text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        object("languages", habits.languages, &json) { "\($0)" }
        json.member("words", habits.words)
        for (key, mail, other) in [
            ("greeting", habits.mailGreeting, habits.chatGreeting),
            ("signature", habits.mailSignature, habits.chatSignature),
        ] {
            let shares = ["mail": mail, "other": other].compactMapValues(\.self)
            object(key, shares, &json) { number($0) }
        }
        object("greetings", habits.greetings, &json) { quoted($0) }
        for (key, manner) in [("audience", habits.audience), ("partners", habits.partners)]
        where manner != VoiceManner() {
            json.key(key)
            json.open("{")
            object("greetings", manner.greetings, &json) { quoted($0) }
            object("bare", manner.bare, &json) { quoted($0) }
            object("closings", manner.closings, &json) { quoted($0) }
            json.close("}")
        }
        for (key, share) in [
            ("emoji", habits.emoji), ("lower_case", habits.lowerCase), ("exclamation", habits.exclamation),
        ] {
            json.key(key)
            json.raw(number(share))
        }
        json.strings("emojis", habits.emojis)
        json.strings("never", habits.never)
        object("formal", habits.formal, &json) { number($0) }
        out = json.finish()
        out.append(0x0A)
    }

    private static func write(_ pair: VoicePair, to out: inout [UInt8]) {
        var json = JSONObjectWriter(&out)
        json.member("id", pair.id)
        for (key, text) in [
            ("from", pair.sender), ("name", pair.name), ("day", pair.day.map(Self.text(day:)) ?? ""),
            ("platform", pair.platform),
            ("language", pair.language), ("intent", pair.intent), ("reuse", pair.reuse),
            ("asked", pair.asked), ("answered", pair.answered), ("learned", pair.learned),
        ] where !text.isEmpty { json.member(key, text) }
        out = json.finish()
        out.append(0x0A)
    }
}
