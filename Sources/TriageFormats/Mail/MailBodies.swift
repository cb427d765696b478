/// Looks into the bytes of a mail for texts that its build, where it is damaged, does not lead to.
enum MailBodies {
    /// Whether a part of this type, which is shown as an attachment, may be what somebody wrote.
    static func mayBeText(_ mime: String) -> Bool {
        if mime == "text/calendar" || mime.contains("vcard") || mime == "text/rfc822-headers" { return false }
        return !["image/", "audio/", "video/", "application/", "message/", "multipart/", "font/", "model/"].contains {
            mime.hasPrefix($0)
        }
    }

    /// Whether any part that is no file has letters.
    static func haveWords(_ bytes: [UInt8]) -> Bool {
        var isHeader = true
        var isText = true
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let content = line.last == 0x0D ? line.dropLast() : line
            if content.starts(with: "--".utf8), content.count > 2 {
                (isHeader, isText) = (true, true)
            } else if isHeader {
                if content.isEmpty {
                    isHeader = false
                    continue
                }
                let lower = String(decoding: content.prefix(200), as: UTF8.self).lowercased()
                if lower.hasPrefix("content-type:") {
                    let type = lower.dropFirst(13).drop { $0 == " " }
                    isText = mayBeText(String(type.prefix { $0 != ";" }))
                }
                if lower.hasPrefix("content-disposition:"), lower.contains("attachment") { isText = false }
            } else if isText, content.contains(where: { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 }) {
                return true
            }
        }
        return false
    }

    /// Whether a line stands in the header that is no field: the empty line behind the header is missing.
    static func haveWordsInHeader(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.drop(while: Opening.isBlank).split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            guard let first = line.first, line.count > 1 || first != 0x0D else { return false }
            if first == 0x20 || first == 0x09 || first == UInt8(ascii: ">") { continue }
            if number == 0, line.starts(with: "From ".utf8) { continue }
            if MailSeparator.fieldName(line) == nil { return true }
        }
        return false
    }

    /// Whether a mail has a line in it that looks like a separator with a header behind it.
    static func holdMail(_ bytes: [UInt8]) -> Bool {
        var wasSeparator = false
        var wasBlank = false
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if wasSeparator, MailSeparator.fieldName(line) != nil { return true }
            wasSeparator = wasBlank && line.starts(with: "From ".utf8)
            wasBlank = line.isEmpty || line.elementsEqual([0x0D])
        }
        return false
    }
}
