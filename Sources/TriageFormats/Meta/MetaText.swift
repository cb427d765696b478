/// Repairs what Meta's JSON exports do to text: each byte of UTF-8 is written as a character of its own.
enum MetaText {
    /// The text as it was written; call it once for each string and before any trimming, because U+0085 and U+00A0 are
    /// bytes here.
    ///
    /// Text that is not of that kind comes back as it is: all of it must be U+0000–U+00FF and valid UTF-8 as bytes.
    static func repaired(_ text: String) -> String {
        var bytes: [UInt8] = []
        var isASCII = true
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            isASCII = isASCII && byte < 0x80
            bytes.append(byte)
        }
        if isASCII { return text }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

extension JSONNode {
    /// A string of a Meta export, repaired.
    var metaText: String? { string.map(MetaText.repaired) }
}
