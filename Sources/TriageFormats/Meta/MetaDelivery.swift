import TriageCore

/// Deliveries of Meta's webhooks as they come in over HTTP: who may deliver, and how a delivery is kept.
public enum MetaDelivery {
    /// The variable that holds the app secret.
    public static let secretVariable = WebhookSignature.variable

    /// Whether a body is signed with the secret.
    ///
    /// Strict: `sha256=` and 64 lower-case hex digits over the very bytes of the body. Compared in constant time.
    ///
    /// - Parameter secret: with an empty one nothing is right.
    public static func isSigned(_ body: [UInt8], signature: [UInt8], secret: [UInt8]) -> Bool {
        let prefix = Array("sha256=".utf8)
        guard !secret.isEmpty, signature.count == prefix.count + 64, signature.starts(with: prefix) else {
            return false
        }
        let digits = Array("0123456789abcdef".utf8)
        var expected = prefix
        for byte in HMAC.sha256(body, key: secret) {
            expected.append(digits[Int(byte >> 4)])
            expected.append(digits[Int(byte & 15)])
        }
        return HMAC.isEqual(expected, signature)
    }

    /// Whether a token is the one that was agreed on, in a time that tells nothing of either.
    ///
    /// - Parameter expected: with an empty one nothing is right.
    public static func isToken(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
        guard !expected.isEmpty else { return false }
        // Of keyed digests, so that not even the length shows.
        let key = Array("token".utf8)
        return HMAC.isEqual(HMAC.sha256(given, key: key), HMAC.sha256(expected, key: key))
    }

    /// A delivery as one line that keeps its signature and its untouched body; nil when the body is not UTF-8.
    public static func envelope(body: [UInt8], signature: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(body.count + body.count / 8 + 160)
        out.append(contentsOf: #"{"headers":{"X-Hub-Signature-256":"#.utf8)
        JSONText.append(String(decoding: signature, as: UTF8.self), to: &out)
        out.append(contentsOf: #"},"body":"#.utf8)
        JSONText.append(text, to: &out)
        out.append(contentsOf: "}\n".utf8)
        return out
    }
}
