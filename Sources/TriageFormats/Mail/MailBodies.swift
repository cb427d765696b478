#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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

    /// Whether the parts of a mail do not begin and end as its header says, so that some of them are not seen.
    static func areBroken(_ bytes: [UInt8]) -> Bool {
        var declared: [[UInt8]] = []
        var begun = Set<[UInt8]>()
        var ended = Set<[UInt8]>()
        var isHeader = true
        // Behind the end of all parts, and in front of the first one of those that were declared last.
        var isBehind = false
        var isBefore = false
        let isFound = contains(bytes) { line in
            // Nearly all of a large mail is files.
            if !isHeader, !isBefore, !isBehind, line.first != UInt8(ascii: "-") { return false }
            var content = line
            while let last = content.last, Opening.isBlank(last) { content = content.dropLast() }
            if content.count > 2, content.starts(with: "--".utf8) {
                let name = Array(content.dropFirst(2))
                if declared.contains(name) {
                    (isHeader, isBehind, isBefore) = (true, false, false)
                    begun.insert(name)
                    return false
                }
                if name.suffix(2).elementsEqual("--".utf8), declared.contains(Array(name.dropLast(2))) {
                    ended.insert(Array(name.dropLast(2)))
                    (isHeader, isBehind) = (false, true)
                    return false
                }
            }
            if isHeader {
                if content.isEmpty {
                    isHeader = false
                    isBefore = declared.contains { !begun.contains($0) }
                } else if let name = boundary(content) {
                    declared.append(name)
                } else if !begun.isEmpty, let first = line.first, first != 0x20, first != 0x09,
                    first == UInt8(ascii: "<") || MailSeparator.fieldName(content) == nil
                {
                    return true
                }
            } else if isBefore {
                // What stands there are words of programs for programs that know no parts.
                let start = String(decoding: content.prefix(8), as: UTF8.self).lowercased()
                if start == "content-" { return true }
            } else if isBehind, content.contains(where: { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 }) {
                return true
            }
            return false
        }
        return isFound || declared.contains { !begun.contains($0) || !ended.contains($0) }
    }

    /// What a header line says that stands between the parts.
    private static func boundary(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: line.prefix(1024), as: UTF8.self)
        // In any case, and the same number of characters before it.
        guard let range = text.lowercased().firstRange(of: "boundary=") else { return nil }
        let before = text.lowercased()[..<range.upperBound].count
        var name = text.dropFirst(before)
        if name.first == "\"" {
            name = name.dropFirst().prefix { $0 != "\"" }
        } else {
            name = name.prefix { $0 != ";" && $0 != " " }
        }
        return name.isEmpty ? nil : Array(name.utf8)
    }

    /// Whether a line stands in the header that is no field: the empty line behind the header is missing.
    static func haveWordsInHeader(_ bytes: [UInt8]) -> Bool {
        var isFound = false
        var number = 0
        _ = contains(bytes) { line in
            defer { number += 1 }
            guard let first = line.first, line.count > 1 || first != 0x0D else { return number > 0 }
            if first == 0x20 || first == 0x09 || first == UInt8(ascii: ">") { return false }
            if number == 0, line.starts(with: "From ".utf8) { return false }
            isFound = MailSeparator.fieldName(line) == nil
            return isFound
        }
        return isFound
    }

    /// Whether a line is such as is looked for; blank lines before the mail do not count.
    private static func contains(_ bytes: [UInt8], _ isOne: (ArraySlice<UInt8>) -> Bool) -> Bool {
        var start = bytes.firstIndex { !Opening.isBlank($0) } ?? bytes.count
        while start < bytes.count {
            let end = bytes.withUnsafeBytes { buffer -> Int in
                guard let base = buffer.baseAddress, let found = memchr(base + start, 0x0A, buffer.count - start) else {
                    return buffer.count
                }
                return UnsafeRawPointer(found) - base
            }
            if isOne(bytes[start..<end]) { return true }
            start = end + 1
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
