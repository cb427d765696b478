/// An HTTP response to a browser.
package struct WebAnswer: Sendable {
    package var status: Int
    package var type: String
    package var body: [UInt8]
    /// Additional headers; names and values are written by this program.
    package var headers: [(name: String, value: String)] = []
    /// Whether the connection stays open for events after the body.
    package var isStream = false
    /// The nonce of the script and the style sheet that the page may load; nil: it may load nothing else.
    package var nonce: String?

    package init(_ status: Int, type: String, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    package static func json(_ body: [UInt8], status: Int = 200) -> WebAnswer {
        WebAnswer(status, type: "application/json", body: body)
    }

    package static func json(_ text: String, status: Int = 200) -> WebAnswer { json(Array(text.utf8), status: status) }

    /// An error response, in the form that all of them share.
    package static func refused(_ status: Int, _ code: String, _ message: String, remedy: String? = nil) -> WebAnswer {
        var error = JSONObjectText()
        error.add("code", code)
        error.add("message", message)
        error.add("remedy", remedy)
        return json("{\"error\":\(error.text)}", status: status)
    }

    /// A short text page, for people whose browser shows it in place of the inbox.
    package static func words(_ status: Int, _ title: String, _ text: String) -> WebAnswer {
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>\
            <meta name="viewport" content="width=device-width, initial-scale=1"><h1>\(title)</h1><p>\(text)</p></html>
            """
        return WebAnswer(status, type: "text/html", body: Array(page.utf8))
    }

    /// The head and the body, as sent.
    package var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Error")\r\n"
        head += "Content-Type: \(type)\(type == "text/event-stream" ? "" : "; charset=utf-8")\r\n"
        head += "Content-Security-Policy: \(policy)\r\n"
        for line in Self.always { head += line + "\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if status == 405 { head += "Allow: GET, POST, PUT\r\n" }
        if status == 503 || status == 423 { head += "Retry-After: 2\r\n" }
        if !isStream { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "Connection: close\r\n\r\n").utf8) + body
    }

    /// The content security policy: only the script and the style sheet with the nonce of this answer may load.
    private var policy: String {
        var policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        if let nonce {
            policy += "script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; "
        }
        return policy + "require-trusted-types-for 'script'; trusted-types 'none'"
    }

    private static let always = [
        "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Referrer-Policy: no-referrer",
        "Cache-Control: no-store", "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin",
    ]

    private static let reasons = [
        200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
        422: "Unprocessable Content", 423: "Locked", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
