import ShippedRules
import TriageCore

/// Word beginnings for ``InjectionGrammar``, in many languages.
enum InjectionStems {
    /// The roles of a word in an order to a reader.
    struct Parts: OptionSet, Sendable {
        let rawValue: UInt16
        /// To disregard earlier instructions: `ignore`, `vergiss`.
        static let forget = Parts(rawValue: 1)
        /// Earlier instructions: `rules`, `instrucciones`.
        static let rule = Parts(rawValue: 2)
        /// A reader that followers hardly ever mention otherwise.
        static let reader = Parts(rawValue: 4)
        /// A reader that people also mention otherwise: `robot`, `filter`.
        static let machine = Parts(rawValue: 8)
        /// To read, to sort.
        static let reads = Parts(rawValue: 16)
        /// To label or to place.
        static let place = Parts(rawValue: 32)
        /// A label, a rank, a score.
        static let rank = Parts(rawValue: 64)
        /// To say, send, answer, do.
        static let act = Parts(rawValue: 128)
        /// To write into.
        static let compose = Parts(rawValue: 256)
        /// A written answer.
        static let reply = Parts(rawValue: 512)
        /// All, everything.
        static let all = Parts(rawValue: 1024)
        /// To reveal, to ask for.
        static let leak = Parts(rawValue: 4096)
        /// A message.
        static let message = Parts(rawValue: 8192)
        /// Other, next.
        static let neighbor = Parts(rawValue: 16384)
        /// New.
        static let new = Parts(rawValue: 32768)
        /// Earlier, above.
        static let earlier = Parts(rawValue: 2048)
    }

    /// The roles that the word may have.
    static func parts(of word: some StringProtocol) -> Parts {
        var found = whole[String(word)] ?? []
        let bytes = word.utf8
        guard bytes.count >= 4, let head = head(bytes) else { return found }
        for stem in stems[head] ?? [] where bytes.starts(with: stem.bytes) { found.formUnion(stem.parts) }
        return found
    }

    /// The first three bytes as a number.
    private static func head(_ bytes: some Sequence<UInt8>) -> UInt32? {
        var head: UInt32 = 0
        var count = 0
        for byte in bytes.prefix(3) {
            head = head << 8 | UInt32(byte)
            count += 1
        }
        return count == 3 ? head : nil
    }

    /// The sections of `injection-words.txt`.
    private static let lists: [(Parts, String)] = [
        (.forget, "forget"), (.rule, "rule"), (.reader, "reader"), (.machine, "machine"), (.reads, "reads"),
        (.place, "place"), (.rank, "rank"), (.act, "act"), (.compose, "compose"), (.reply, "reply"), (.leak, "leak"),
        (.message, "message"), (.neighbor, "neighbor"), (.new, "new"), (.all, "all"), (.earlier, "earlier"),
    ]

    private struct Stem: Sendable {
        var bytes: [UInt8]
        var parts: Parts
    }

    private static let whole: [String: Parts] = {
        let folder = TextFolder()
        var whole: [String: Parts] = [:]
        for (parts, list) in lists {
            for word in InjectionWords.words("stems." + list) where word.hasPrefix("=") {
                whole[String(decoding: folder.fold(String(word.dropFirst())), as: UTF8.self), default: []].insert(parts)
            }
        }
        return whole
    }()

    private static let stems: [UInt32: [Stem]] = {
        let folder = TextFolder()
        var stems: [UInt32: [Stem]] = [:]
        for (parts, list) in lists {
            for word in InjectionWords.words("stems." + list) where !word.hasPrefix("=") {
                let bytes = folder.fold(word)
                guard let head = head(bytes) else { continue }
                stems[head, default: []].append(Stem(bytes: bytes, parts: parts))
            }
        }
        return stems
    }()
}

/// The words of ``InjectionHeuristics`` and ``InjectionStems``, from `injection-words.txt`.
enum InjectionWords {
    /// Automated readers that followers hardly ever mention otherwise.
    static let readers = Set(words("readers"))
    /// Readers that can also be camera filters, synthesizer models and so on: they count only close to a label.
    static let weakReaders = Set(words("weakReaders"))
    /// Values that our answers can have.
    static let labels = Set(words("labels"))
    /// What readers are told to do with a label.
    static let labelVerbs = Set(words("labelVerbs"))
    /// What readers are told to do with their instructions, or instead of their task.
    static let orders = Set(words("orders"))
    /// Phrases that are sufficient by themselves.
    static let phrases = entries("phrases", ",")
    /// Parts of texts in scripts without blanks between words, and in right-to-left scripts.
    static let parts = entries("parts", ",")

    /// The words of a section.
    static func words(_ section: String) -> [String] { entries(section, " ") }

    private static func entries(_ section: String, _ separator: Character) -> [String] {
        (sections[section] ?? []).flatMap { line in
            line.split(separator: separator).map { String($0.drop { $0 == " " }) }
        }
    }

    /// The lines of each section.
    private static let sections: [String: [Substring]] = {
        let file = UnsafeBufferPointer(start: shipped_injection_words.bytes, count: shipped_injection_words.count)
        var sections: [String: [Substring]] = [:]
        var name = ""
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                name = String(line.dropFirst().dropLast())
            } else {
                sections[name, default: []].append(line)
            }
        }
        return sections
    }()
}
