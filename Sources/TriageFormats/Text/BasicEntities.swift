/// The entities that platforms leave in text which is otherwise plain.
enum BasicEntities {
    typealias Entity = (name: [UInt8], byte: UInt8)

    /// The signs that mean something in markup, which some platforms escape and nothing else.
    static let signs: [Entity] = [
        (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3C), (Array("&gt;".utf8), 0x3E),
    ]
    /// And quotes.
    static let all: [Entity] = signs + [(Array("&quot;".utf8), 0x22), (Array("&#39;".utf8), 0x27)]

    /// Decoded once: `&amp;lt;` is `&lt;`.
    static func decode(_ text: String) -> String {
        text.utf8.contains(0x26) ? String(decoding: decode(Array(text.utf8)), as: UTF8.self) : text
    }

    /// Decoded once.
    static func decode(_ bytes: [UInt8], _ entities: [Entity] = all) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            if bytes[i] == 0x26, let entity = entities.first(where: { bytes[i...].starts(with: $0.name) }) {
                out.append(entity.byte)
                i += entity.name.count
            } else {
                out.append(bytes[i])
                i += 1
            }
        }
        return out
    }
}
