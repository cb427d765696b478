import Platform

/// Scans the raw bytes of a damaged email for text that its MIME structure does not lead to.
enum MailBodies {
    /// Whether a part of this type that is shown as an attachment may hold text that somebody wrote.
    static func mayBeText(_ mime: String) -> Bool {
        if mime == "text/calendar" || mime.contains("vcard") || mime == "text/rfc822-headers" { return false }
        return !["image/", "audio/", "video/", "application/", "message/", "multipart/", "font/", "model/"].contains {
            mime.hasPrefix($0)
        }
    }

    /// Whether any part that is not a file contains letters.
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

    /// Whether the parts do not begin and end as the header declares, so that some of them are not visible.
    static func areBroken(_ bytes: [UInt8]) -> Bool {
        var declared: [[UInt8]] = []
        var begun = Set<[UInt8]>()
        var ended = Set<[UInt8]>()
        var isHeader = true
        // Whether the line is after the last part, or before the first part of the most recently declared boundary.
        var isBehind = false
        var isBefore = false
        let isFound = contains(bytes) { line in
            // Skip quickly: almost all of a large email is attachments.
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
                // Text in this place is generated for programs that do not support MIME parts.
                let start = String(decoding: content.prefix(8), as: UTF8.self).lowercased()
                if start == "content-" { return true }
            } else if isBehind, content.contains(where: { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 }) {
                return true
            }
            return false
        }
        return isFound || declared.contains { !begun.contains($0) || !ended.contains($0) }
    }

    /// The boundary that a header line declares.
    private static func boundary(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: line.prefix(1024), as: UTF8.self)
        // Match in any case; the offset is the same in the original line.
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

    /// Whether the header contains a line that is not a field, because the empty line after the header is missing.
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

    /// Whether any line satisfies a condition; blank lines before the email are skipped.
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

    /// Whether the email contains a line that looks like an mbox separator followed by a header.
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
