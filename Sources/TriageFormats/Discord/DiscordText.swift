/// The text of messages that were exported as Discord keeps it, without names put in.
enum DiscordText {
    /// Bytes of what may stand between `<` and `>`.
    private static let longest = 64

    /// `<@42>` becomes the name of 42, `<:wave:7>` the word of that emoji; everything else stays.
    ///
    /// - Parameter names: of accounts by their ids.
    static func plain(_ text: String, names: [String: String]) -> String {
        guard text.utf8.contains(0x3C) else { return text }
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x3C, let end = bytes[at...].prefix(longest).firstIndex(of: 0x3E),
                let plain = plain(bytes[(at + 1)..<end], names)
            else {
                out.append(bytes[at])
                at += 1
                continue
            }
            out += plain
            at = end + 1
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func plain(_ inside: ArraySlice<UInt8>, _ names: [String: String]) -> [UInt8]? {
        if inside.first == UInt8(ascii: "@") {
            let id = inside.dropFirst(inside.dropFirst().first == UInt8(ascii: "!") ? 2 : 1)
            return names[String(decoding: id, as: UTF8.self)].map { Array("@\($0)".utf8) }
        }
        let parts = inside.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty || parts[0].elementsEqual([UInt8(ascii: "a")]), !parts[1].isEmpty,
            Snowflake.isDigits(String(decoding: parts[2], as: UTF8.self))
        else { return nil }
        return [0x3A] + parts[1] + [0x3A]
    }
}
