import Platform
import TriageCore

/// Meta's signature of a delivery: a keyed hash over the unmodified body.
enum WebhookSignature {
    /// The environment variable that holds the app secret; a flag would expose it to everybody who can list processes.
    static let variable = "TRIAGE_META_APP_SECRET"

    /// The app secret from the environment; nil: none.
    static func secretOfEnvironment() -> [UInt8]? {
        guard let value = getenv(variable) else { return nil }
        let secret = Array(UnsafeBufferPointer(start: value, count: strlen(value))).map { UInt8(bitPattern: $0) }
        return secret.isEmpty ? nil : secret
    }

    /// Why a body cannot be trusted; nil: its signature is correct.
    ///
    /// - Parameters:
    ///   - body: nil: the delivery came without an envelope, or its body was re-encoded.
    static func fault(of body: String?, headers: JSONNode?, secret: [UInt8]) -> RejectReason? {
        guard let body else { return reason("the delivery lacks an envelope with its headers and unmodified body") }
        var isOld = false
        var given: String?
        for member in headers?.members ?? [] {
            // Some servers pass on every header as a list.
            let value = member.value.string ?? member.value.elements.first?.string
            switch member.key.lowercased() {
            case "x-hub-signature-256": given = given ?? value
            case "x-hub-signature": isOld = true
            default: break
            }
        }
        guard let given else {
            return reason(isOld ? "the delivery has only the old SHA-1 signature" : "the delivery has no signature")
        }
        guard given.hasPrefix("sha256="), let digest = bytes(ofHex: given.utf8.dropFirst(7)),
            HMAC.isEqual(digest, HMAC.sha256(body.utf8, key: secret))
        else { return reason("the signature does not match the body") }
        return nil
    }

    private static func reason(_ words: String) -> RejectReason {
        RejectReason(code: "webhook.signature", reason: words)
    }

    private static func bytes(ofHex text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in text {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            case 0x41...0x46: digit = byte - 0x37
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}

/// Handles Meta's webhook deliveries over HTTP: verifies the sender, and stores a delivery.
package enum MetaDelivery {
    /// The environment variable that holds the app secret.
    package static let secretVariable = WebhookSignature.variable

    /// Whether a body is signed with the secret.
    ///
    /// The check is strict: `sha256=` and 64 lower-case hex digits over the exact bytes of the body, compared in
    /// constant time.
    ///
    /// - Parameter secret: an empty one never matches.
    package static func isSigned(_ body: [UInt8], signature: [UInt8], secret: [UInt8]) -> Bool {
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

    /// Whether a token is the expected one; the time taken reveals nothing about either.
    ///
    /// - Parameter expected: an empty one never matches.
    package static func isToken(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
        guard !expected.isEmpty else { return false }
        // Compare keyed digests, so that not even the length leaks.
        let key = Array("token".utf8)
        return HMAC.isEqual(HMAC.sha256(given, key: key), HMAC.sha256(expected, key: key))
    }

    /// A delivery as one line with its signature and unmodified body; nil when the body is not UTF-8.
    package static func envelope(body: [UInt8], signature: [UInt8]) -> [UInt8]? {
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

/// HMAC (RFC 2104) with SHA-256, which proves that a text comes from a holder of the key.
enum HMAC {
    /// The 32-byte HMAC of a text.
    static func sha256(_ text: some Collection<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        var block = Array(key)
        if block.count > 64 { block = SHA256.digest(of: block) }
        block += [UInt8](repeating: 0, count: 64 - block.count)
        return SHA256.digest(of: block.map { $0 ^ 0x5C } + SHA256.digest(of: block.map { $0 ^ 0x36 } + Array(text)))
    }

    /// Compares in constant time.
    static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for i in a.indices { difference |= a[i] ^ b[i] }
        return difference == 0
    }
}
