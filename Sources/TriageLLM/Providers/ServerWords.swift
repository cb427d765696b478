/// A server's statement about a failure in a form that may be shown: its status, and the start of its own words.
///
/// Servers repeat what they were sent. So all words that occur in the request's user turn are removed, as are keys,
/// anything that looks like a key, quoted text, and unprintable characters.
package struct ServerWords: Sendable, Equatable, CustomStringConvertible {
    package let status: Int
    /// At most 200 characters; empty when no words may be shown.
    package let text: String

    /// The maximum number of characters that are read, and that are shown.
    private static let limit = (read: 1_000, shown: 200)

    /// - Parameters:
    ///   - request: its headers contain keys, which are never shown.
    ///   - data: the text that was asked about; none of its words are shown.
    /// - Returns: nil for a response that is not a failure and contains no error.
    package init?(_ response: HTTPResponse, to request: HTTPRequest, hiding data: String = "") {
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

    package var description: String { text.isEmpty ? "HTTP \(status)" : "HTTP \(status): \(text)" }

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

    /// Words of letters and digits; scripts without blanks are split into runs of two characters.
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

    /// Removes quoted text, unless it is a name, such as that of a field.
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

    /// Whether a word is long and mixes letters with digits: a key, or part of one.
    private static func looksSecret(_ word: Substring) -> Bool {
        let plain = word.utf8.filter { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2A }
        if word.utf8.contains(0x2A), plain.count >= 6 { return true }
        if word.lowercased().hasPrefix("sk-") { return true }
        let digits = plain.count { (0x30...0x39).contains($0) }
        return plain.count >= 20 && digits >= 4 && plain.count - digits >= 4
    }

    /// Words that servers use and that reveal nothing of a message, even if they occur in it.
    private static let common: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "has", "have", "in", "is", "it", "of",
        "on", "or", "that", "the", "this", "to", "was", "with", "you", "your", "not", "no", "does", "do", "but", "if",
        "please", "error", "request", "requests", "message", "messages", "model", "server", "invalid", "field", "value",
        "tokens", "token", "limit", "api", "key", "content", "account", "code", "type", "user", "id",
    ]
}

/// The error in a server's response, in any format; used to classify it, and shown only as ``ServerWords``.
struct ServerError {
    /// Stable names in lower case, the most specific first (`details.error_code`, `code`, `type`).
    var labels: [String] = []
    /// The status in the body, which is the correct one on some gateways.
    var status: Int?
    /// The start of the message in lower case; further on, servers may repeat a sender's words.
    var message = ""
    /// The same with its original case.
    var said = ""
    var parameter = ""
    /// From OpenRouter: which limit a 402 is about.
    var limitSource: String?
    /// From OpenRouter: the text was flagged.
    var isModerated = false

    /// The error in a body; nil when it contains none.
    ///
    /// Formats: `{"error":{…}}`, `{"type":"error","error":{…}}`, `{"error":"text"}`, `{"object":"error",…}`,
    /// `{"detail":…}`, `{"message":…}`, and one of these inside an array.
    init?(_ body: JSONValue) {
        if let first = body.array?.first {
            guard first["error"] != nil, let inner = ServerError(first) else { return nil }
            self = inner
            return
        }
        if let error = body["error"] {
            switch error {
            case .string(let text) where !text.isEmpty: say(text)
            case .object(let members) where !members.isEmpty: read(error)
            default: return nil
            }
            // Some gateways put the code beside a plain text.
            if status == nil { status = Self.status(body["code"]) ?? Self.status(body["status"]) }
        } else if body["object"]?.string == "error" || body["type"]?.string == "error" {
            read(body)
        } else if let detail = body["detail"], body["choices"] == nil {
            say(detail.string ?? String(decoding: detail.encoded.prefix(2048), as: UTF8.self))
        } else if let text = body["message"]?.string, body["choices"] == nil {
            read(body)
            say(text)
        } else {
            return nil
        }
    }

    /// The error in a body that is not JSON.
    init(text: [UInt8]) {
        let isPage = text.first { !StrictJSON.isSpace($0) } == UInt8(ascii: "<")
        if !isPage { say(String(decoding: text.prefix(1024), as: UTF8.self)) }
    }

    private mutating func say(_ text: String) {
        said = String(text.prefix(512))
        message = Self.start(of: text)
    }

    private mutating func read(_ error: JSONValue) {
        for value in [error["details"]?["error_code"], error["code"], error["type"], error["status"]] {
            if let number = Self.status(value) {
                status = status ?? number
            } else if let name = value?.string, !name.isEmpty, name.utf8.count <= 128 {
                labels.append(name.lowercased())
            }
        }
        say(error["message"]?.string ?? "")
        parameter = Self.start(of: error["param"]?.string ?? "")
        let metadata = error["metadata"]
        limitSource = metadata?["limit_source"]?.string
        isModerated = metadata?["reasons"] != nil || metadata?["flagged_input"] != nil
        // OpenRouter passes on what the provider behind it said.
        if let raw = metadata?["raw"]?.string { message += " " + Self.start(of: raw) }
    }

    private static func status(_ value: JSONValue?) -> Int? {
        value?.integerOrItsText.flatMap { (400...599).contains($0) ? $0 : nil }
    }

    private static func start(of text: String) -> String { text.prefix(512).lowercased() }
}
