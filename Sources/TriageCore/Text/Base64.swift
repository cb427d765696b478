/// RFC 4648 base64, standard alphabet, with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func append(_ bytes: ArraySlice<UInt8>, to out: inout [UInt8]) {
        out.reserveCapacity(out.count + (bytes.count + 2) / 3 * 4)
        var i = bytes.startIndex
        while i < bytes.endIndex {
            let left = bytes.endIndex - i
            let a = bytes[i]
            let b = left > 1 ? bytes[i + 1] : 0
            let c = left > 2 ? bytes[i + 2] : 0
            out.append(alphabet[Int(a >> 2)])
            out.append(alphabet[Int((a & 3) << 4 | b >> 4)])
            out.append(left > 1 ? alphabet[Int((b & 15) << 2 | c >> 6)] : UInt8(ascii: "="))
            out.append(left > 2 ? alphabet[Int(c & 63)] : UInt8(ascii: "="))
            i += 3
        }
    }
}

extension SHA256 {
    /// The digest of a text in base64, the form in which a page's policy names a style.
    package static func base64(_ text: String) -> String {
        var out: [UInt8] = []
        Base64.append(digest(of: Array(text.utf8))[...], to: &out)
        return String(decoding: out, as: UTF8.self)
    }
}
