/// What a server said about a failure, fit to be shown: its status, and the start of its own words.
///
/// Servers repeat what they were sent. So everything in the words that stood in the request's turn of the user is left out,
/// and so are keys, whatever looks like one, what is quoted, and characters that do not print.
public struct ServerWords: Sendable, Equatable, CustomStringConvertible {
    public let status: Int
    /// At most 200 characters; empty when there were no words that can be shown.
    public let text: String

    /// Most characters that are read, and shown.
    private static let limit = (read: 1_000, shown: 200)

    /// - Parameters:
    ///   - request: its headers hold keys, which are never shown.
    ///   - data: what was asked about, of which not a word is shown.
    /// - Returns: nil for an answer that is no failure and holds no error.
    public init?(_ response: HTTPResponse, to request: HTTPRequest, hiding data: String = "") {
        status = response.status
        var words = ""
        if let body = try? StrictJSON.parse(response.body, surrogates: .replace) {
            words = ServerError(body)?.said ?? ""
        } else if !(200..<300).contains(response.status) {
            words = ServerError(text: response.body).said
        }
        guard !words.isEmpty || !(200..<300).contains(response.status) else { return nil }
        let secrets = request.headers.flatMap { header in
            header.value.split(separator: " ").map(String.init).filter { $0.utf8.count >= 6 }
        }
        text = Self.shown(String(words.prefix(Self.limit.read)), secrets: secrets, data: data)
    }

    public var description: String { text.isEmpty ? "HTTP \(status)" : "HTTP \(status): \(text)" }

    private static let gap = "…"

    private static func shown(_ words: String, secrets: [String], data: String) -> String {
        var text = ""
        for scalar in words.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: text += " "
            case .format, .privateUse, .unassigned, .surrogate: break
            default: text.unicodeScalars.append(scalar)
            }
        }
        for secret in secrets { text = text.replacing(secret, with: gap) }
        text = withoutQuotes(text)
        let sent = Set(tokens(of: data.lowercased()))
        var kept: [Substring] = []
        for word in text.split(separator: " ") {
            let isEcho = tokens(of: word.lowercased()).contains { sent.contains($0) && !common.contains($0) }
            let part = isEcho || looksSecret(word) ? Substring(gap) : word
            if part == gap, kept.last.map({ $0 == gap }) ?? false { continue }
            kept.append(part)
        }
        let whole = kept.joined(separator: " ")
        let isEmpty = kept.allSatisfy { $0 == gap }
        return isEmpty ? "" : whole.count > limit.shown ? whole.prefix(limit.shown) + gap : whole
    }

    /// Words of letters and digits; scripts without blanks come as runs of two characters.
    private static func tokens(of text: String) -> [String] {
        var found: [String] = []
        for run in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            if run.utf8.allSatisfy({ $0 < 0x80 }) || run.count < 2 {
                found.append(String(run))
            } else {
                found.append(String(run))
                var last: Character?
                for character in run {
                    if let last { found.append(String([last, character])) }
                    last = character
                }
            }
        }
        return found
    }

    /// What stands in quotes, unless it is a name such as of a field.
    private static func withoutQuotes(_ text: String) -> String {
        var out = ""
        var quoted = ""
        var closing: Character?
        var before: Character = " "
        for character in text {
            if let end = closing {
                if character == end {
                    let isName =
                        !quoted.isEmpty && quoted.count <= 48
                        && quoted.utf8.allSatisfy {
                            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                                || "_.[]-/".utf8.contains($0)
                        }
                    out += isName ? quoted : gap
                    closing = nil
                    quoted = ""
                } else {
                    quoted.append(character)
                }
            } else if "\"`“‘«".contains(character) || character == "'" && !before.isLetter {
                closing = character == "“" ? "”" : character == "‘" ? "’" : character == "«" ? "»" : character
            } else {
                out.append(character)
            }
            before = character
        }
        return closing == nil ? out : out + gap
    }

    /// Letters mixed with digits, and long: a key, or part of one.
    private static func looksSecret(_ word: Substring) -> Bool {
        let plain = word.utf8.filter { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2A }
        if word.utf8.contains(0x2A), plain.count >= 6 { return true }
        if word.lowercased().hasPrefix("sk-") { return true }
        let digits = plain.count { (0x30...0x39).contains($0) }
        return plain.count >= 20 && digits >= 4 && plain.count - digits >= 4
    }

    /// Words that servers use and that say nothing of a message, though they may stand in one.
    private static let common: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "has", "have", "in", "is", "it", "of",
        "on", "or", "that", "the", "this", "to", "was", "with", "you", "your", "not", "no", "does", "do", "but", "if",
        "please", "error", "request", "requests", "message", "messages", "model", "server", "invalid", "field", "value",
        "tokens", "token", "limit", "api", "key", "content", "account", "code", "type", "user", "id",
    ]
}
