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
