/// An error as a server words it, whatever its shape; read to classify it, and shown only as ``ServerWords``.
struct ServerError {
    /// Stable names in small letters: the most exact first (`details.error_code`, `code`, `type`).
    var labels: [String] = []
    /// A status in the body, which on some gateways is the true one.
    var status: Int?
    /// The start of the message in small letters; further on servers may echo a sender's words.
    var message = ""
    /// The same in its own letters.
    var said = ""
    var parameter = ""
    /// OpenRouter: which limit a 402 is about.
    var limitSource: String?
    /// OpenRouter: the text was flagged.
    var isModerated = false

    /// The error in a body; nil when it holds none.
    ///
    /// Shapes: `{"error":{…}}`, `{"type":"error","error":{…}}`, `{"error":"text"}`, `{"object":"error",…}`,
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
            // Beside a bare text some gateways put the code.
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

    /// The error of a body that is no JSON.
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
        // OpenRouter hands on what the provider behind it said.
        if let raw = metadata?["raw"]?.string { message += " " + Self.start(of: raw) }
    }

    private static func status(_ value: JSONValue?) -> Int? {
        value?.integerOrItsText.flatMap { (400...599).contains($0) ? $0 : nil }
    }

    private static func start(of text: String) -> String { text.prefix(512).lowercased() }
}
