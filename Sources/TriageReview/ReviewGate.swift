import Synchronization
import TriageCore
import TriageFormats
import TriageRun

/// Lets only one client talk to the page's server: the browser that used the one-time link, from the page it was given.
///
/// Other pages in that browser, programs on this machine without the link, and requests under other host names are
/// refused before anything is processed.
final class ReviewGate: Sendable {
    /// The token in the link, valid once: 128 random bits in hex.
    let token = ReviewGate.secret()
    private let session = ReviewGate.secret()
    private let hosts: [[UInt8]]
    private let cookie: String
    private let isTokenUsed = Mutex(false)

    init(port: UInt16) {
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)"].map { Array($0.utf8) }
        // Browsers do not separate cookies by port.
        cookie = "triage-\(port)"
    }

    private static func secret() -> String {
        // The cryptographically secure generator of the system, on every platform.
        var system = SystemRandomNumberGenerator()
        return (0..<2).map { _ in (system.next() as UInt64).hex }.joined()
    }

    /// Checks a request.
    ///
    /// - Returns: the answer that refuses it; nil: the request is allowed.
    func refusal(of request: WebRequest) -> WebAnswer? {
        let host = request.values(of: "host")
        guard host.count == 1, hosts.contains(host[0]) else {
            return .refused(421, "http.foreign-host", "this server only answers to 127.0.0.1 and localhost")
        }
        let own = Array("http://".utf8) + host[0]
        let origins = request.values(of: "origin")
        let sites = request.values(of: "sec-fetch-site").map { String(decoding: $0, as: UTF8.self) }
        let method = String(decoding: request.method, as: UTF8.self)
        guard origins.count <= 1, sites.count <= 1, origins.first.map({ $0 == own }) ?? true else {
            return Self.foreign
        }
        guard ["GET", "POST", "PUT"].contains(method) else {
            return .refused(405, "http.method", "only GET, POST and PUT are allowed")
        }
        if method == "GET", let token = tokenOfLink(request) { return enter(token, request) }
        if let site = sites.first, site != "same-origin", !(site == "none" && method == "GET") { return Self.foreign }
        if method != "GET", origins.isEmpty, sites.first != "same-origin" { return Self.foreign }
        guard hasCookie(request) else {
            if request.target.first == 0x2F, request.target.count == 1 {
                return .words(403, "No access", "Open the link that <code>triage review</code> printed.")
            }
            return .refused(
                403, "http.no-cookie", "this browser has not opened the link",
                remedy: "open the link that triage review printed")
        }
        guard method != "GET" else { return nil }
        let types = request.values(of: "content-type").map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard types.count == 1,
            ["application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"].contains(types[0])
        else { return .refused(415, "http.type", "the body must be application/json") }
        return nil
    }

    private static let foreign = WebAnswer.refused(403, "http.foreign-origin", "the request came from another page")

    /// The token in `/?token=…`; nil: the request is not such a link.
    private func tokenOfLink(_ request: WebRequest) -> [UInt8]? {
        guard request.target.starts(with: "/?".utf8) else { return nil }
        return request.parameters?["token"]
    }

    private func enter(_ given: [UInt8], _ request: WebRequest) -> WebAnswer {
        var answer = WebAnswer.words(303, "Welcome", "")
        answer.headers = [("Location", "/")]
        // A browser that has already used the link may open it again.
        if hasCookie(request) { return answer }
        let isRight = Self.isSame(given, token)
        let isFirst =
            isRight
            && isTokenUsed.withLock { used in
                defer { used = true }
                return !used
            }
        guard isFirst else {
            return .words(
                403, isRight ? "This link was already used" : "This link is not valid",
                "A link works once, in one browser. Stop <code>triage review</code> with Ctrl-C and start it again: "
                    + "it prints a new link. No decision is lost.")
        }
        answer.headers.append(("Set-Cookie", "\(cookie)=\(session); HttpOnly; SameSite=Strict; Path=/"))
        return answer
    }

    private func hasCookie(_ request: WebRequest) -> Bool {
        let name = Array("\(cookie)=".utf8)
        for line in request.values(of: "cookie") {
            for pair in line.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == 0x20 }
                if pair.starts(with: name), Self.isSame(pair.dropFirst(name.count), session) { return true }
            }
        }
        return false
    }

    /// Compares in constant time, which does not reveal how much of the secret is right.
    private static func isSame(_ given: some Collection<UInt8>, _ secret: String) -> Bool {
        MetaDelivery.isToken(Array(given), Array(secret.utf8))
    }
}
