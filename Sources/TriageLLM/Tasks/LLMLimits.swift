import TriageCore

/// How much is asked in one request, and how much at once.
package struct LLMLimits: Sendable, Equatable {
    /// Most messages in a request, 1–64.
    ///
    /// Packing saves the tokens of the instructions, and costs accuracy as packs grow: the default is the most that is
    /// thought to be safe after Cheng et al. 2023 ("Batch Prompting", six) and Lin et al. 2024 ("BatchPrompt").
    package var packSize: Int { didSet { packSize = min(max(1, packSize), 64) } }
    /// Most tokens of messages and their context in a pack, by ``TokenEstimate``; a longer message goes alone.
    package var packTokens: Int { didSet { packTokens = max(1, packTokens) } }
    /// Tokens of output that the answer about one message may take.
    ///
    /// Rate limits count the allowance where it is more than the use, so a tight one buys speed.
    package var outputTokens: Int { didSet { outputTokens = min(max(16, outputTokens), 1 << 16) } }
    /// Tokens of output that a request may take before the first message's.
    package var outputBase: Int { didSet { outputBase = min(max(0, outputBase), 1 << 16) } }
    /// Tokens of output that every request may take, thinking included; nil: by the allowances above, and by
    /// ``thinkingTokens`` for a model that turns out to think.
    package var fixedOutput: Int? { didSet { fixedOutput = fixedOutput.map { min(max(16, $0), 1 << 20) } } }
    /// Added to the allowances for a model that thinks.
    package static let thinkingTokens = 16_000
    /// Whether the model is known to think.
    package var thinks = false
    /// How long a question may wait until its first request goes out; nil: as long as it takes.
    package var queueTimeout: Duration?
    /// Most requests on their way or waiting for their turn at the caller, 1–4,096.
    ///
    /// Bounds memory, and what is still sent after a model has shown that it is of no use. The load of the server is the
    /// caller's to bound, so the default is well above any concurrency that a server is given.
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

    /// Allowance of output for a request about `count` messages.
    ///
    /// - Parameter thinks: whether the model has turned out to think.
    func output(for count: Int, thinks: Bool = false) -> Int {
        if let fixedOutput { return fixedOutput }
        return outputBase + outputTokens * count + (thinks || self.thinks ? Self.thinkingTokens : 0)
    }
}

/// Which questions travel together, and under what ids.
///
/// Everything follows from the content: the same questions in any order make the same requests, so that a server's own
/// cache and a second run see nothing new, while no sender can choose a neighbor without knowing all the others' texts.
struct PackPlan: Sendable {
    /// Ids by the question's digest: `m` and letters and digits, distinct.
    let ids: [String: String]
    /// Indices into the questions, 1…``LLMLimits/packSize`` each, every one in exactly one pack.
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

    /// How many packs are filled at a time: enough that a long message rarely closes a pack that is half empty.
    private static let open = 8

    /// - Parameter order: of the indices, each once.
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

    /// Consonants and digits, so that no id is a word that a model could take for one.
    private static let letters = Array("bcdfghjkmnpqrstvwxz2456789".utf8)

    private static func ids(of items: [Item], draws: [String]) -> [String: String] {
        var ids: [String: String] = [:]
        var taken: Set<String> = []
        for index in items.indices.sorted(by: { draws[$0] < draws[$1] }) {
            let digits = Array(draws[index].utf8)
            var length = 3
            var id = name(digits, length)
            // 26^3 names, and a draw is distinct as a whole, so this ends long before its digits do.
            while !taken.insert(id).inserted, length < 21 {
                length += 1
                id = name(digits, length)
            }
            ids[items[index].digest] = id
        }
        return ids
    }

    /// Three hex digits make a letter: 4,096 values over 26, even enough for names.
    private static func name(_ hex: [UInt8], _ length: Int) -> String {
        var name: [UInt8] = [UInt8(ascii: "m")]
        for place in 0..<min(length, hex.count / 3) {
            let value = hex[3 * place..<3 * place + 3].reduce(0) { $0 * 16 + Int($1 > 57 ? $1 - 87 : $1 - 48) }
            name.append(letters[value % letters.count])
        }
        return String(decoding: name, as: UTF8.self)
    }
}
