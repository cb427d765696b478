/// One reading of JSON for everything that servers and models write: RFC 8259 and nothing else.
///
/// Foundation's two readers take a byte order mark and trailing commas, and of a doubled key one takes the first and the
/// other the last. Here those are faults, so that what was checked is what is used. Time is linear in the bytes.
public enum StrictJSON {
    /// What to do with half of a surrogate pair, which models write when they are cut.
    public enum Surrogates: Sendable { case refuse, replace }

    /// Reads a text that is one value between white space.
    ///
    /// - Parameter surrogates: `.replace` reads `\ud83d` alone as U+FFFD.
    /// - Throws: the first fault with the byte where it is.
    public static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .envelope, surrogates: Surrogates = .refuse
    ) throws(JSONFault) -> JSONValue {
        try parse(bytes, in: 0..<bytes.count, limits: limits, surrogates: surrogates)
    }

    /// Reads a model's answer: the one object in text that may have a thought before it, a fence or prose around it.
    ///
    /// Half surrogates become U+FFFD. Offsets count from the start of the text.
    public static func answer(in bytes: [UInt8], limits: JSONLimits = .answer) throws(JSONFault) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONFault(.tooLarge, at: limits.bytes) }
        return try parse(bytes, in: firstObject(in: bytes), limits: limits, surrogates: .replace)
    }

    static func parse(
        _ bytes: [UInt8], in range: Range<Int>, limits: JSONLimits, surrogates: Surrogates
    ) throws(JSONFault) -> JSONValue {
        guard range.count <= limits.bytes else { throw JSONFault(.tooLarge, at: range.lowerBound + limits.bytes) }
        let result: Result<JSONValue, JSONFault> = bytes.withUnsafeBufferPointer { all in
            var parser = JSONParser(
                UnsafeBufferPointer(rebasing: all[range]), limits: limits, surrogates: surrogates)
            do throws(JSONFault) {
                return .success(try parser.document())
            } catch {
                return .failure(JSONFault(error.kind, at: error.offset + range.lowerBound))
            }
        }
        return try result.get()
    }
}
