import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signature that Meta puts on a delivery: a keyed hash over the untouched body.
enum WebhookSignature {
    /// The variable that holds the app secret; a flag would show it to everybody who may list processes.
    static let variable = "TRIAGE_META_APP_SECRET"

    /// The app secret of the environment; nil: none.
    static func secretOfEnvironment() -> [UInt8]? {
        guard let value = getenv(variable) else { return nil }
        let secret = Array(UnsafeBufferPointer(start: value, count: strlen(value))).map { UInt8(bitPattern: $0) }
        return secret.isEmpty ? nil : secret
    }

    /// Why a body cannot be trusted; nil: its signature is right.
    ///
    /// - Parameters:
    ///   - body: nil: the delivery came without envelope, or its body was written anew.
    static func fault(of body: String?, headers: JSONNode?, secret: [UInt8]) -> RejectReason? {
        guard let body else { return reason("the delivery has no envelope with headers and the untouched body") }
        var isOld = false
        var given: String?
        for member in headers?.members ?? [] {
            // Some servers hand on every header as a list.
            let value = member.value.string ?? member.value.elements.first?.string
            switch member.key.lowercased() {
            case "x-hub-signature-256": given = given ?? value
            case "x-hub-signature": isOld = true
            default: break
            }
        }
        guard let given else {
            return reason(isOld ? "the delivery has only the older signature, SHA-1" : "the delivery has no signature")
        }
        guard given.hasPrefix("sha256="), let digest = bytes(ofHex: given.utf8.dropFirst(7)),
            HMAC.isEqual(digest, HMAC.sha256(body.utf8, key: secret))
        else { return reason("the signature is not that of the body") }
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
