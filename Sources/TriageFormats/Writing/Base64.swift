/// RFC 4648 base64, standard alphabet, with padding.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func append(_ bytes: ArraySlice<UInt8>, to out: inout [UInt8]) {
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
