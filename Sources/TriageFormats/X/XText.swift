/// Brings text of X to what its writer saw: entities decoded, shortened links as they were.
enum XText {
    /// - Parameter links: the address behind each `t.co` link; an empty one takes the link out.
    static func plain(_ text: String, links: [String: String]) -> String {
        // Entities first: an address may hold what looks like one.
        let decoded = text.utf8.contains(0x26) ? BasicEntities.decode(Array(text.utf8)) : Array(text.utf8)
        guard !links.isEmpty else { return String(decoding: decoded, as: UTF8.self) }
        return String(decoding: expand(decoded, links), as: UTF8.self)
    }

    private static let schemes = [Array("https://t.co/".utf8), Array("http://t.co/".utf8)]

    private static func expand(_ bytes: [UInt8], _ links: [String: String]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            guard bytes[i] == 0x68, let scheme = schemes.first(where: { bytes[i...].starts(with: $0) }) else {
                out.append(bytes[i])
                i += 1
                continue
            }
            var end = i + scheme.count
            while end < bytes.count, isAlphanumeric(bytes[end]) { end += 1 }
            if let address = links[String(decoding: bytes[i..<end], as: UTF8.self)] {
                if address.isEmpty {
                    while let last = out.last, last == 0x20 { out.removeLast() }
                } else {
                    out.append(contentsOf: address.utf8)
                }
            } else {
                out.append(contentsOf: bytes[i..<end])
            }
            i = end
        }
        return out
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
    }
}
