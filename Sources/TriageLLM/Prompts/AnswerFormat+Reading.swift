import TriageCore

extension AnswerFormat {
    /// Reads an answer about several messages.
    ///
    /// Any value gives a result for every id that was sent: a verdict in which every field is valid and in range, or
    /// why there is none. Words are compared without surrounding blanks and without regard to case. Integers one beyond
    /// their range are clamped; any other deviation is a failure of that message only.
    ///
    /// - Parameters:
    ///   - root: what the model wrote.
    ///   - candidates: for each id that was sent, the library entries that were offered.
    package func read(_ root: JSONValue, candidates: [String: [String]]) -> AnswerReading {
        var reading = AnswerReading()
        var entries: [String: [JSONValue]] = [:]
        for entry in items(of: root, sent: candidates.count, &reading) {
            guard case .string(let id)? = entry["id"], candidates[Text.trimmed(id)] != nil else {
                reading.unknownIDs += 1
                continue
            }
            entries[Text.trimmed(id), default: []].append(entry)
        }
        for (id, offered) in candidates {
            let found = entries[id] ?? []
            guard found.count == 1 else {
                reading.results[id] = .failure(.wrongIDs)
                reading.faults[id] = [found.isEmpty ? "the id is missing" : "the id is there more than once"]
                continue
            }
            var item = AnswerItem(found[0], self, offered: offered)
            reading.results[id] = item.read()
            reading.extraKeys += item.extraKeys
            if !item.faults.isEmpty { reading.faults[id] = item.faults }
        }
        return reading
    }

    private func items(of root: JSONValue, sent: Int, _ reading: inout AnswerReading) -> [JSONValue] {
        if case .array(let items) = root { return items }
        if case .object(let members) = root {
            if case .array(let items)? = root["a"] {
                reading.extraKeys += members.count - 1
                return items
            }
            // For a single message, models without a schema omit the array.
            if sent == 1, root["id"] != nil { return [root] }
        }
        return []
    }
}

/// The part of an answer about one message.
private struct AnswerItem {
    private let value: JSONValue
    private let format: AnswerFormat
    private let offered: [String]
    private(set) var faults: [String] = []
    private(set) var extraKeys = 0
    private var failure: CallFailure.BadOutput?

    init(_ value: JSONValue, _ format: AnswerFormat, offered: [String]) {
        self.value = value
        self.format = format
        self.offered = offered
    }

    mutating func read() -> Result<PartialVerdict, CallFailure.BadOutput> {
        guard case .object(let members) = value else {
            fail(.wrongSchema, "the entry is no object")
            return .failure(.wrongSchema)
        }
        let keys = members.map(\.key)
        if Set(keys).count != keys.count { fail(.wrongSchema, "a key is there more than once") }
        let known: Set<String> = ["id", "c", "s", "i", "u", "inj", "faq", "o"]
        extraKeys = keys.count { !known.contains($0) }
        var verdict = PartialVerdict()
        if format.fields.contains(.category) {
            verdict.category = word("c", Category.allCases.map { ($0.name, $0) })
        }
        if format.fields.contains(.sentiment) {
            verdict.sentiment = word("s", Sentiment.allCases.map { ($0.name, $0) })
            verdict.intensity = intensity()
        }
        if format.fields.contains(.urgency) {
            verdict.urgency = word("u", AnswerWords.urgency.map { ($0.word, $0.kind) })
        }
        if format.fields.contains(.injection) { verdict.steersReader = truth("inj", of: value) }
        if format.fields.contains(.faq) { verdict.faq = entry() }
        if format.fields.contains(.offer) { verdict.offer = offer() }
        if verdict.offer != nil, let category = verdict.category, category != .business {
            fail(.contradictory, "o must be null unless c is business")
        }
        if let failure { return .failure(failure) }
        return .success(verdict)
    }

    private mutating func fail(_ kind: CallFailure.BadOutput, _ what: String) {
        failure = failure ?? kind
        faults.append(what)
    }

    private mutating func word<Value>(
        _ key: String, of object: JSONValue? = nil, _ words: [(String, Value)]
    ) -> Value? {
        guard case .string(let text)? = (object ?? value)[key] else {
            fail(.wrongSchema, "\(key) is missing or no string")
            return nil
        }
        let wanted = Text.trimmed(text).lowercased()
        guard let found = words.first(where: { $0.0 == wanted }) else {
            fail(.outOfRange, "\(key) is not one of " + words.map(\.0).joined(separator: ", "))
            return nil
        }
        return found.1
    }

    private mutating func truth(_ key: String, of object: JSONValue) -> Bool? {
        switch object[key] {
        case .bool(let truth)?: return truth
        case .string(let text)? where ["true", "false"].contains(Text.trimmed(text).lowercased()):
            return Text.trimmed(text).lowercased() == "true"
        default:
            fail(.wrongSchema, "\(key) is not true or false")
            return nil
        }
    }

    private mutating func intensity() -> Float? {
        guard let number = value["i"].flatMap(ExactNumber.integer) else {
            fail(.wrongSchema, "i is no integer")
            return nil
        }
        guard (-1...11).contains(number) else {
            fail(.outOfRange, "i is not between 0 and 10")
            return nil
        }
        return Float(min(max(number, 0), 10)) / 10
    }

    private mutating func entry() -> String? {
        switch value["faq"] {
        case .null?: return nil
        case .string(let text)?:
            let alias = Text.trimmed(text).lowercased()
            if alias == "null" || alias == "none" || alias.isEmpty { return nil }
            guard let id = format.aliases.id(of: alias), offered.contains(id) else {
                fail(.outOfRange, "faq is none of those offered for this message")
                return nil
            }
            return id
        default:
            fail(.wrongSchema, "faq is missing or no string")
            return nil
        }
    }

    private mutating func offer() -> OfferVerdict? {
        guard let object = value["o"] else {
            fail(.wrongSchema, "o is missing")
            return nil
        }
        guard case .object(let members) = object else {
            if object != .null { fail(.wrongSchema, "o is neither null nor an object") }
            return nil
        }
        if Set(members.map(\.key)).count != members.count { fail(.wrongSchema, "a key of o is there more than once") }
        let known: Set<String> = ["pay", "amt", "cur", "fit", "due", "rep", "signs"]
        extraKeys += members.count { !known.contains($0.key) }
        var verdict = OfferVerdict()
        if let pay = word("pay", of: object, OfferVerdict.Pay.allCases.map { ($0.rawValue, $0) }) { verdict.pay = pay }
        if let fit = word("fit", of: object, OfferVerdict.Fit.allCases.map { ($0.rawValue, $0) }) { verdict.fit = fit }
        // A figure counts as pay only where money is paid: the value of a product, or a fee, does not.
        if let amount = amount(in: object), [.money, .commission, .unclear].contains(verdict.pay) {
            verdict.amount = amount
            verdict.currency = currency(in: object)
        }
        verdict.deadlineDay = day(in: object)
        let isReply = truth("rep", of: object) ?? false
        verdict.deadlineIsReply = verdict.deadlineDay != nil && isReply
        verdict.signs = signs(in: object)
        return verdict
    }

    private mutating func amount(in object: JSONValue) -> Double? {
        guard let value = object["amt"] else {
            fail(.wrongSchema, "amt is missing")
            return nil
        }
        if value == .null { return nil }
        guard let amount = ExactNumber.decimal(value) else {
            fail(.wrongSchema, "amt is no number")
            return nil
        }
        // A thousand billion exceeds any budget in any currency.
        guard (0...1e12).contains(amount) else {
            fail(.outOfRange, "amt is negative or beyond any budget")
            return nil
        }
        return amount > 0 ? amount : nil
    }

    private mutating func currency(in object: JSONValue) -> Currency? {
        guard case .string(let text)? = object["cur"] else {
            if object["cur"] != .null { fail(.wrongSchema, "cur is missing or no string") }
            return nil
        }
        let code = Text.trimmed(text)
        guard code.unicodeScalars.count == 3, code.unicodeScalars.allSatisfy(Text.isASCIILetter) else {
            if code.isEmpty || code.lowercased() == "null" { return nil }
            fail(.outOfRange, "cur is no ISO 4217 code of three letters")
            return nil
        }
        return Currency(parsing: code)
    }

    private mutating func day(in object: JSONValue) -> Int32? {
        guard case .string(let text)? = object["due"] else {
            if object["due"] != .null { fail(.wrongSchema, "due is missing or no string") }
            return nil
        }
        let bytes = Array(Text.trimmed(text).utf8)
        if bytes.isEmpty || bytes == Array("null".utf8) { return nil }
        let digits = bytes.map { (0x30...0x39).contains($0) ? Int($0) - 0x30 : -1 }
        let isDate =
            bytes.count == 10 && bytes[4] == 0x2D && bytes[7] == 0x2D
            && [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { digits[$0] >= 0 }
        guard isDate else {
            fail(.outOfRange, "due is not written YYYY-MM-DD")
            return nil
        }
        let year = digits[0] * 1_000 + digits[1] * 100 + digits[2] * 10 + digits[3]
        let month = digits[5] * 10 + digits[6]
        let day = digits[8] * 10 + digits[9]
        guard (2_000...2_100).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.daysIn(month: month, year: year)
        else {
            fail(.outOfRange, "due is no day of the calendar")
            return nil
        }
        return Int32(truncatingIfNeeded: CivilDate(year: year, month: month, day: day).daysSince1970)
    }

    private mutating func signs(in object: JSONValue) -> OfferVerdict.Signs {
        guard case .array(let items)? = object["signs"] else {
            fail(.wrongSchema, "signs is missing or no list")
            return []
        }
        var signs: OfferVerdict.Signs = []
        for item in items {
            guard case .string(let text) = item,
                let sign = AnswerWords.signs.first(where: { $0.word == Text.trimmed(text).lowercased() })
            else {
                fail(.outOfRange, "signs holds none but " + AnswerWords.signs.map(\.word).joined(separator: ", "))
                return []
            }
            signs.insert(sign.sign)
        }
        return signs
    }
}

/// Numbers as models write them, accepted only if they have exactly the requested value.
private enum ExactNumber {
    /// The exact integer in a JSON number, or in a string that contains one: `5`, `5.0`, `"5"`, `5e0`.
    static func integer(_ value: JSONValue) -> Int? {
        guard let number = decimal(value), number.rounded(.towardZero) == number, abs(number) < 1e9 else { return nil }
        return Int(number)
    }

    /// The finite value of a JSON number, or of a string of one.
    static func decimal(_ value: JSONValue) -> Double? {
        let text: String
        switch value {
        case .number(let digits): text = digits
        case .string(let string): text = Text.trimmed(string)
        default: return nil
        }
        // Double would also read "nan", "inf" and "0x1p4", which are not JSON.
        guard !text.isEmpty, text.utf8.count <= 40,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }
}
