import TriageCore

/// Limits on how much is asked in one request, and how much at once.
package struct LLMLimits: Sendable, Equatable {
    /// The maximum number of messages in a request, 1–64.
    ///
    /// Packing saves instruction tokens, but larger packs cost accuracy: the default is the largest size considered
    /// safe, following Cheng et al. 2023 ("Batch Prompting", six) and Lin et al. 2024 ("BatchPrompt").
    package var packSize: Int { didSet { packSize = min(max(1, packSize), 64) } }
    /// The maximum number of tokens of messages and context in a pack, by ``TokenEstimate``; a longer message goes
    /// alone.
    package var packTokens: Int { didSet { packTokens = max(1, packTokens) } }
    /// The maximum number of output tokens for one message.
    ///
    /// Servers' rate limits count the allowance if it exceeds the actual use, so a tight one increases speed.
    package var outputTokens: Int { didSet { outputTokens = min(max(16, outputTokens), 1 << 16) } }
    /// The output tokens that a request may use in addition to those for its messages.
    package var outputBase: Int { didSet { outputBase = min(max(0, outputBase), 1 << 16) } }
    /// The output limit of every request, in tokens, thinking included.
    ///
    /// Nil: the allowances above apply, plus ``thinkingTokens`` for a model that turns out to think.
    package var fixedOutput: Int? { didSet { fixedOutput = fixedOutput.map { min(max(16, $0), 1 << 20) } } }
    /// Added to the allowances for a model that thinks.
    package static let thinkingTokens = 16_000
    /// Whether the model is known to think.
    package var thinks = false
    /// How long a question may wait until its first request is sent; nil: no limit.
    package var queueTimeout: Duration?
    /// The maximum number of requests that are in flight or wait for their turn at the caller, 1–4,096.
    ///
    /// It limits memory, and how much is still sent after a model has proved useless. The caller limits the server's
    /// load, so the default is well above the concurrency of any server.
    package var inFlight: Int { didSet { inFlight = min(max(1, inFlight), 4_096) } }

    package init(
        packSize: Int = 8, packTokens: Int = 3_000, outputTokens: Int = 192, outputBase: Int = 64,
        inFlight: Int = 64
    ) {
        self.packSize = min(max(1, packSize), 64)
        self.packTokens = max(1, packTokens)
        self.outputTokens = min(max(16, outputTokens), 1 << 16)
        self.outputBase = min(max(0, outputBase), 1 << 16)
        self.inFlight = min(max(1, inFlight), 4_096)
    }

    /// The output allowance of a request about `count` messages.
    ///
    /// - Parameter thinks: whether the model has turned out to think.
    func output(for count: Int, thinks: Bool = false) -> Int {
        if let fixedOutput { return fixedOutput }
        return outputBase + outputTokens * count + (thinks || self.thinks ? Self.thinkingTokens : 0)
    }
}

/// Decides which questions share a request, and their ids.
///
/// Everything follows from the content. The same questions in any order produce the same requests, so a server's cache
/// and a second run see nothing new; and no sender can choose a neighbor without knowing all the others' texts.
struct PackPlan: Sendable {
    /// Distinct ids by the question's digest: `m` followed by letters and digits.
    let ids: [String: String]
    /// Indices of the questions, 1…``LLMLimits/packSize`` per pack; every question is in exactly one pack.
    let packs: [[Int]]

    struct Item {
        var digest: String
        var tokens: Int
        var travelsAlone: Bool
    }

    /// - Parameter items: with distinct digests.
    init(_ items: [Item], limits: LLMLimits) {
        var seed = SHA256()
        for digest in items.map(\.digest).sorted() { seed.update(Array(digest.utf8)) }
        let seeded = seed.digest()
        let draws = items.map { item in
            var hash = SHA256()
            hash.update(seeded)
            hash.update(Array(item.digest.utf8))
            return hash.hex()
        }
        ids = Self.ids(of: items, draws: draws)
        let order = items.indices.sorted { draws[$0] < draws[$1] }
        packs = Self.packs(of: items, order: order, limits: limits)
    }

    /// The number of packs that are filled at the same time: enough that a long message rarely closes a half-empty
    /// pack.
    private static let open = 8

    /// - Parameter order: the indices, each once.
    static func packs(of items: [Item], order: [Int], limits: LLMLimits) -> [[Int]] {
        var done: [[Int]] = []
        var filling: [(members: [Int], tokens: Int)] = []
        for index in order {
            let item = items[index]
            guard !item.travelsAlone, limits.packSize > 1, item.tokens < limits.packTokens else {
                done.append([index])
                continue
            }
            let tokens = max(0, item.tokens)
            if let place = filling.firstIndex(where: { limits.packTokens - $0.tokens >= tokens }) {
                filling[place].members.append(index)
                filling[place].tokens += tokens
                if filling[place].members.count == limits.packSize { done.append(filling.remove(at: place).members) }
            } else {
                if filling.count == open { done.append(filling.removeFirst().members) }
                filling.append(([index], tokens))
            }
        }
        return done + filling.map(\.members)
    }

    /// Consonants and digits, so that no id is a word that a model could misread.
    private static let letters = Array("bcdfghjkmnpqrstvwxz2456789".utf8)

    private static func ids(of items: [Item], draws: [String]) -> [String: String] {
        var ids: [String: String] = [:]
        var taken: Set<String> = []
        for index in items.indices.sorted(by: { draws[$0] < draws[$1] }) {
            let digits = Array(draws[index].utf8)
            var length = 3
            var id = name(digits, length)
            // There are 26^3 names, and each draw is entirely new, so this ends long before the digits do.
            while !taken.insert(id).inserted, length < 21 {
                length += 1
                id = name(digits, length)
            }
            ids[items[index].digest] = id
        }
        return ids
    }

    /// Three hex digits give one letter: 4,096 values over 26 are even enough for names.
    private static func name(_ hex: [UInt8], _ length: Int) -> String {
        var name: [UInt8] = [UInt8(ascii: "m")]
        for place in 0..<min(length, hex.count / 3) {
            let value = hex[3 * place..<3 * place + 3].reduce(0) { $0 * 16 + Int($1 > 57 ? $1 - 87 : $1 - 48) }
            name.append(letters[value % letters.count])
        }
        return String(decoding: name, as: UTF8.self)
    }
}
