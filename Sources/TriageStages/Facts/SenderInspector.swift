internal import TriageCore

/// Detects what the record says about its sender: reach, verification, and patterns in handle and name.
final class SenderInspector: Sendable {
    private let verified = DetectorBits.mask(.senderVerified)
    private let high = DetectorBits.mask(.senderFollowers10k)
    private let mid = DetectorBits.mask(.senderFollowersMid)
    private let low = DetectorBits.mask(.senderFollowersLow)
    private let email = DetectorBits.mask(.senderEmail)
    private let digits = DetectorBits.mask(.senderHandleDigits)
    private let official = DetectorBits.mask(.senderHandleOfficial)
    private let brand = DetectorBits.mask(.senderHandleBrand)
    private let noReply = DetectorBits.mask(.senderNoReply)
    private let impersonates = DetectorBits.mask(.senderImpersonates)
    private let freeMail = DetectorBits.mask(.emailFree)
    private let companyMail = DetectorBits.mask(.emailCompany)

    /// One of the creator's handles or names, in lower-case letters only.
    private struct OwnName: Sendable {
        var letters: [UInt8]
        /// Its first letters; another handle that contains them poses as the creator.
        var needle: [UInt8]
        var needleMask: UInt32
        var mask: UInt32
    }

    /// A quick check that shows for most handles that they do not resemble a name.
    private struct Outline: Sendable {
        var needleMask: UInt32
        var mask: UInt32
        var count: Int

        /// Whether a handle with these letters and this length may resemble the name.
        @inline(__always)
        func mayBeNear(_ handle: UInt32, _ count: Int) -> Bool {
            needleMask & ~handle == 0 || abs(count - self.count) <= 2 && (mask ^ handle).nonzeroBitCount <= 6
        }
    }

    private let own: [OwnName]
    private let outlines: [Outline]
    /// The creator's own handles, in lower case.
    private let handles: [[UInt8]]

    /// Maximum number of bytes of a handle or name that are read.
    private static let limit = 96
    private static let officialList = 0
    private static let brandList = 1
    private static let pieceList = 2
    private static let noReplyList = 3
    private let parts = PartScan(
        [
            [
                "support", "official", "verif", "help", "secur", "team", "admin", "copyright", "billing", "appeal",
                "service", "center", "centre", "notice",
            ],
            [
                "studio", "agency", "brand", "media", "events", "records", "films", "lab", "shop", "store",
                "collective", "audio", "wear", "cosmetics", "gear", "press", "magazine", "radio", "podcast", "festival",
                "academy", "publishing", "music",
            ],
            // These match only as whole words.
            ["co", "inc", "ltd", "llc", "gmbh", "pr"],
            [
                "no-reply", "noreply", "no_reply", "no.reply", "do-not-reply", "donotreply", "mailer", "newsletter",
                "notification", "notice@", "billing@", "security@", "alert",
            ],
        ], traits: SenderInspector.traits(of:))

    init(_ profile: CreatorProfile) {
        let names = profile.handles + [profile.name]
        own = names.map { Self.letters(Array($0.utf8)) }.filter { $0.count >= 5 }.map { letters in
            let needle = Array(letters.count >= 8 ? letters.prefix(9) : letters[...])
            return OwnName(
                letters: letters, needle: needle, needleMask: needle.withUnsafeBufferPointer { LetterMask.of($0) },
                mask: letters.withUnsafeBufferPointer { LetterMask.of($0) })
        }
        outlines = own.map { Outline(needleMask: $0.needleMask, mask: $0.mask, count: $0.letters.count) }
        handles = profile.handles.map { Array($0.lowercased().utf8).filter { $0 != 0x40 } }
    }

    func inspect(
        _ record: UnsafePointer<Record>, arena: UnsafeBufferPointer<UInt8>, into detectors: inout DetectorBits
    ) {
        detectors.insert(verified, if: record.pointee.fields.isVerified == true)
        if let followers = record.pointee.fields.followers {
            detectors.insert(high, if: followers >= 10_000)
            detectors.insert(mid, if: followers >= 50 && followers < 10_000)
            detectors.insert(low, if: followers < 50)
        }
        let handle = record.pointee.fields.senderHandle.range.prefix(Self.limit)
        let name = record.pointee.fields.senderName.range.prefix(Self.limit)
        guard !handle.isEmpty || !name.isEmpty else { return }
        judge(
            UnsafeBufferPointer(rebasing: arena[handle]), UnsafeBufferPointer(rebasing: arena[name]),
            into: &detectors)
    }

    private func judge(
        _ handle: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>, into detectors: inout DetectorBits
    ) {
        let (traits, mayHaveParts) = parts.sum(handle)
        detectors.insert(digits, if: traits.digitCount >= 4)
        let at = traits.atCount > 0 ? handle.lastIndex(of: 0x40) ?? 0 : 0
        let isAddress = at > 0 && at + 3 < handle.count
        detectors.insert(email, if: isAddress)
        if isAddress {
            let isFree = isFreeMail(UnsafeBufferPointer(rebasing: handle[(at + 1)...]))
            detectors.insert(isFree ? freeMail : companyMail, if: true)
        }
        let ofHandle = mayHaveParts ? lists(in: handle) : 0
        let ofBoth = parts.sum(name).mayHaveParts ? ofHandle | lists(in: name) : ofHandle
        detectors.insert(official, if: ofHandle >> UInt32(Self.officialList) & 1 != 0)
        if !isAddress {
            detectors.insert(
                brand, if: ofBoth & (1 << UInt32(Self.brandList) | 1 << UInt32(Self.pieceList)) != 0)
        }
        detectors.insert(noReply, if: ofHandle >> UInt32(Self.noReplyList) & 1 != 0)
        if outlines.contains(where: { $0.mayBeNear(traits.kinds, traits.letterCount) }) {
            detectors.insert(impersonates, if: poses(handle))
        }
    }

    /// Returns the lists that match a part of a handle or name; those of ``pieceList`` only match whole words.
    private func lists(in text: UnsafeBufferPointer<UInt8>) -> PartScan.Lists {
        var found: PartScan.Lists = 0
        parts.scan(text) { list, _, place in
            if list == Self.pieceList {
                let before = place.lowerBound > 0 ? PartScan.lowered(text[place.lowerBound - 1]) : 0
                let after = place.upperBound < text.count ? PartScan.lowered(text[place.upperBound]) : 0
                guard !isWordByte(before), !isWordByte(after) else { return }
            }
            found |= 1 << UInt32(list)
        }
        return found
    }

    /// Calls `body` with a lower-case copy.
    private func withLowered<R>(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
            for i in 0..<text.count { buffer[i] = PartScan.lowered(text[i]) }
            return body(UnsafeBufferPointer(buffer))
        }
    }

    private func isFreeMail(_ domain: UnsafeBufferPointer<UInt8>) -> Bool {
        withLowered(domain) { AddressKinds.isFreeMail($0) }
    }

    /// Whether a handle resembles the creator's own without being it.
    private func poses(_ handle: UnsafeBufferPointer<UInt8>) -> Bool {
        guard handle.count >= 5 else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: handle.count) { buffer in
            var count = 0
            for byte in handle {
                let letter = Self.letter(PartScan.lowered(byte))
                guard letter != 0 else { continue }
                buffer[count] = letter
                count += 1
            }
            let letters = UnsafeBufferPointer(rebasing: buffer[..<count])
            let mask = LetterMask.of(letters)
            for name in own where isNear(letters, mask, name) { return !isOwn(handle) }
            return false
        }
    }

    private func isOwn(_ handle: UnsafeBufferPointer<UInt8>) -> Bool {
        withLowered(handle) { handle in
            handles.contains { handle.elementsEqual($0) || handle[0] == 0x40 && handle.dropFirst().elementsEqual($0) }
        }
    }

    private func isNear(_ letters: UnsafeBufferPointer<UInt8>, _ mask: UInt32, _ name: OwnName) -> Bool {
        // The handle contains the first letters of the name: "alexframes_invest", "mayaadeyemi.vip".
        if name.needleMask & ~mask == 0, letters.count >= name.needle.count {
            for start in 0...(letters.count - name.needle.count) where letters[start] == name.needle[0] {
                if letters[start..<start + name.needle.count].elementsEqual(name.needle) { return true }
            }
        }
        // Two edits change few letters and leave one end unchanged.
        guard name.letters.count >= 7, abs(letters.count - name.letters.count) <= 2,
            (name.mask ^ mask).nonzeroBitCount <= 6
        else { return false }
        guard
            letters.prefix(3).elementsEqual(name.letters.prefix(3))
                || letters.suffix(3).elementsEqual(name.letters.suffix(3))
        else { return false }
        return distance(letters, name.letters) * 5 <= max(letters.count, name.letters.count)
    }

    /// Returns the edit distance between two short words.
    private func distance(_ a: UnsafeBufferPointer<UInt8>, _ b: [UInt8]) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: b.count + 1) { row in
            for j in 0...b.count { row[j] = j }
            for i in 0..<a.count {
                var diagonal = row[0]
                row[0] = i + 1
                for j in 0..<b.count {
                    let above = row[j + 1]
                    row[j + 1] = min(min(above, row[j]) + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                    diagonal = above
                }
            }
            return row[b.count]
        }
    }

    /// Returns the byte's letter, as read by ``letter(_:)``, as a bit, and whether it is a letter, a digit or an at
    /// sign.
    private static func traits(of byte: UInt8) -> PartScan.Traits {
        let letter = letter(PartScan.lowered(byte))
        return PartScan.Traits(
            kinds: isLetter(letter) ? 1 << UInt32(letter &- 0x61) : 0,
            counts: (letter == 0 ? 0 : 1) | (isDigit(byte) ? 1 << 10 : 0) | (byte == 0x40 ? 1 << 20 : 0))
    }

    /// Returns a letter, with digits that imitate letters read as such; 0 for anything else.
    private static func letter(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x61...0x7A: byte
        case 0x30: 0x6F
        case 0x31: 0x6C
        case 0x33: 0x65
        case 0x35: 0x73
        default: byte >= 0x80 ? byte : 0
        }
    }

    private static func letters(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { letter(PartScan.lowered($0)) }.filter { $0 != 0 }
    }
}

// The number of letters, digits and at signs in a handle, ten bits each.
extension PartScan.Traits {
    fileprivate var letterCount: Int { Int(counts & 0x3FF) }
    fileprivate var digitCount: Int { Int(counts >> 10 & 0x3FF) }
    fileprivate var atCount: Int { Int(counts >> 20) }
}
