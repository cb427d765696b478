internal import TriageCore

/// What the record says of its sender: reach, verification, and the look of handle and name.
struct SenderInspector: Sendable {
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

    /// The creator's handles and name, letters only and lower case.
    private let own: [[UInt8]]
    /// The handles as they are, lower case.
    private let handles: [[UInt8]]

    /// Bytes of a handle or name that are looked at.
    private static let limit = 96
    private static let officialParts: [StaticString] = [
        "support", "official", "verif", "help", "secur", "team", "admin", "copyright", "billing", "appeal", "service",
        "center", "centre", "notice",
    ]
    private static let brandParts: [StaticString] = [
        "studio", "agency", "brand", "media", "events", "records", "films", "lab", "shop", "store", "collective",
        "audio", "wear", "cosmetics", "gear", "press", "magazine", "radio", "podcast", "festival", "academy",
        "publishing", "music",
    ]
    private static let brandPieces: [StaticString] = ["co", "inc", "ltd", "llc", "gmbh", "pr"]
    private static let noReplyParts: [StaticString] = [
        "no-reply", "noreply", "no_reply", "no.reply", "do-not-reply", "donotreply", "mailer", "newsletter", "notification",
        "notice@", "billing@", "security@", "alert",
    ]

    init(_ profile: CreatorProfile) {
        let names = profile.handles + [profile.name]
        own = names.map { Self.letters(Array($0.utf8)) }.filter { $0.count >= 5 }
        handles = profile.handles.map { Array($0.lowercased().utf8).filter { $0 != 0x40 } }
    }

    func inspect(
        _ fields: RecordFields, arena: UnsafeBufferPointer<UInt8>, into detectors: inout DetectorBits
    ) {
        detectors.insert(verified, if: fields.isVerified == true)
        if let followers = fields.followers {
            detectors.insert(high, if: followers >= 10_000)
            detectors.insert(mid, if: followers >= 50 && followers < 10_000)
            detectors.insert(low, if: followers < 50)
        }
        let handle = fields.senderHandle.range
        let name = fields.senderName.range
        guard !handle.isEmpty || !name.isEmpty else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.limit * 2 + 1) { buffer in
            var count = 0
            for byte in arena[handle].prefix(Self.limit) {
                buffer[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                count += 1
            }
            let handleCount = count
            buffer[count] = 0x20
            count += 1
            for byte in arena[name].prefix(Self.limit) {
                buffer[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                count += 1
            }
            let both = UnsafeBufferPointer(rebasing: buffer[..<count])
            let lowered = UnsafeBufferPointer(rebasing: buffer[..<handleCount])
            judge(lowered, both, into: &detectors)
        }
    }

    private func judge(
        _ handle: UnsafeBufferPointer<UInt8>, _ both: UnsafeBufferPointer<UInt8>, into detectors: inout DetectorBits
    ) {
        var digitCount = 0
        var at = -1
        for (i, byte) in handle.enumerated() {
            digitCount += isDigit(byte) ? 1 : 0
            if byte == 0x40, i > 0 { at = i }
        }
        detectors.insert(digits, if: digitCount >= 4)
        let isAddress = at > 0 && at + 3 < handle.count
        detectors.insert(email, if: isAddress)
        if isAddress {
            let isFree = AddressKinds.isFreeMail(UnsafeBufferPointer(rebasing: handle[(at + 1)...]))
            detectors.insert(isFree ? freeMail : companyMail, if: true)
        }
        let parts = PartScan(handle: handle, both: both)
        detectors.insert(official, if: Self.officialParts.contains { parts.handleHas($0) })
        if !isAddress {
            detectors.insert(
                brand,
                if: Self.brandParts.contains { parts.anyHas($0) } || Self.brandPieces.contains { parts.hasPiece($0) })
        }
        detectors.insert(noReply, if: Self.noReplyParts.contains { parts.handleHas($0) })
        if !own.isEmpty { detectors.insert(impersonates, if: poses(handle)) }
    }

    /// Whether a handle is near the creator's own without being it.
    private func poses(_ handle: UnsafeBufferPointer<UInt8>) -> Bool {
        guard handle.count >= 5, !handles.contains(where: { handle.elementsEqual($0) || handle.dropFirst().elementsEqual($0) && handle[0] == 0x40 })
        else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: handle.count) { buffer in
            var count = 0
            for byte in handle {
                guard let letter = Self.letter(byte) else { continue }
                buffer[count] = letter
                count += 1
            }
            let letters = UnsafeBufferPointer(rebasing: buffer[..<count])
            for name in own where isNear(letters, name) { return true }
            return false
        }
    }

    private func isNear(_ letters: UnsafeBufferPointer<UInt8>, _ name: [UInt8]) -> Bool {
        // The name's first letters inside the handle: "alexframes_invest", "mayaadeyemi.vip".
        let needle = name.count >= 8 ? name.prefix(9) : name[...]
        if letters.count >= needle.count {
            for start in 0...(letters.count - needle.count) where letters[start] == needle[0] {
                if letters[start..<start + needle.count].elementsEqual(needle) { return true }
            }
        }
        guard name.count >= 7, abs(letters.count - name.count) <= 2 else { return false }
        // One end must agree before the distance is worth its time.
        guard letters.prefix(3).elementsEqual(name.prefix(3)) || letters.suffix(3).elementsEqual(name.suffix(3)) else { return false }
        return distance(letters, name) * 5 <= max(letters.count, name.count)
    }

    /// Edits between two short words.
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

    /// A letter with the digits that stand in for letters read as those; nil for anything else.
    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x61...0x7A: byte
        case 0x30: 0x6F
        case 0x31: 0x6C
        case 0x33: 0x65
        case 0x35: 0x73
        default: byte >= 0x80 ? byte : nil
        }
    }

    private static func letters(_ bytes: [UInt8]) -> [UInt8] {
        bytes.compactMap { letter($0 &- 0x41 < 26 ? $0 | 0x20 : $0) }
    }
}

/// Asks a handle and a name for parts of words.
private struct PartScan {
    let handle: UnsafeBufferPointer<UInt8>
    let both: UnsafeBufferPointer<UInt8>
    /// Letters that occur, one bit each: most parts are ruled out by their first letter.
    private let firstLetters: UInt32

    init(handle: UnsafeBufferPointer<UInt8>, both: UnsafeBufferPointer<UInt8>) {
        self.handle = handle
        self.both = both
        var letters: UInt32 = 0
        for byte in both where isLetter(byte) { letters |= 1 << UInt32(byte &- 0x61) }
        firstLetters = letters
    }

    private func mayHave(_ part: StaticString) -> Bool {
        // Every letter of the part must occur somewhere.
        for i in 0..<part.utf8CodeUnitCount {
            let byte = part.utf8Start[i]
            if isLetter(byte), firstLetters >> UInt32(byte &- 0x61) & 1 == 0 { return false }
        }
        return true
    }

    func handleHas(_ part: StaticString) -> Bool { mayHave(part) && has(part, in: handle) }
    func anyHas(_ part: StaticString) -> Bool { mayHave(part) && has(part, in: both) }

    private func has(_ part: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = part.utf8CodeUnitCount
        guard bytes.count >= count else { return false }
        let first = part.utf8Start[0]
        outer: for i in 0...(bytes.count - count) where bytes[i] == first {
            for j in 1..<count where bytes[i + j] != part.utf8Start[j] { continue outer }
            return true
        }
        return false
    }

    /// Whether a whole word of handle or name is the part.
    func hasPiece(_ piece: StaticString) -> Bool {
        guard mayHave(piece) else { return false }
        let count = piece.utf8CodeUnitCount
        guard both.count >= count else { return false }
        outer: for i in 0...(both.count - count) {
            for j in 0..<count where both[i + j] != piece.utf8Start[j] { continue outer }
            let before = i > 0 ? both[i - 1] : 0
            let after = i + count < both.count ? both[i + count] : 0
            if !isWordByte(before), !isWordByte(after) { return true }
        }
        return false
    }
}
