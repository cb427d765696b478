/// What a change needs to know of a record.
package struct ChangeSubject: Sendable {
    package var id: String
    /// As written.
    package var text: String
    /// BCP 47; empty where the record does not say.
    package var language: String
    package var sender: ChangeSender
    package var gold: Gold

    package init(id: String, text: String, language: String = "", sender: ChangeSender = ChangeSender(), gold: Gold) {
        self.id = id
        self.text = text
        self.language = language
        self.sender = sender
        self.gold = gold
    }

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - line: the record's JSON, checked before.
    ///   - textKey: the member that holds the text.
    package init(_ line: UnsafeBufferPointer<UInt8>, id: String, textKey: String, gold: Gold) {
        let record = JSONView(line)
        self.init(
            id: id, text: record[textKey]?.string ?? "", language: record["lang"]?.string ?? "",
            sender: ChangeSender(
                handle: record["sender"]?["handle"]?.string, name: record["sender"]?["name"]?.string), gold: gold)
    }

    /// 64 bits that stand for the record and a word, the same on every machine.
    func hash(with word: String) -> UInt64 {
        var generator = SplitMix64(seed: TextDigest.of("\(id)\u{0}\(word)"))
        return generator.next()
    }
}

/// What inserted texts may say of a sender; nil: the record does not tell, or not in a form that could stand in a text.
package struct ChangeSender: Sendable, Equatable {
    /// Without `@`.
    package var handle: String?
    /// The handle, else the name, as a company would spell it in an address: small letters and digits.
    package var company: String?
    /// The first name.
    package var first: String?

    package init(handle: String? = nil, name: String? = nil) {
        let handle = handle.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        self.handle = handle.flatMap { handle in
            let isPlain = handle.utf8.allSatisfy {
                Self.isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
            return isPlain && (2...40).contains(handle.utf8.count) ? handle : nil
        }
        company = handle.flatMap(Self.company) ?? name.flatMap(Self.company)
        first = name?.split { $0.isWhitespace }.first.flatMap { word in
            word.allSatisfy(\.isLetter) && (2...20).contains(word.count) ? String(word) : nil
        }
    }

    /// `techbrand` for `TechBrand.io`; nil below three characters.
    private static func company(_ name: String) -> String? {
        var name = name[...]
        // An address in place of a name: what stands behind its last dot is no part of the name.
        if let dot = name.lastIndex(of: "."), (2...4).contains(name[name.index(after: dot)...].count) {
            name = name[..<dot]
        }
        let letters = Accents.removed(from: name.lowercased()).utf8.filter(Self.isPlain).prefix(30)
        return letters.count >= 3 ? String(decoding: Array(letters), as: UTF8.self) : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) && byte >= 0x41 || (0x30...0x39).contains(byte)
    }
}
