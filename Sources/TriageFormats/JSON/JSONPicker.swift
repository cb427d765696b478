import TriageCore

/// Walks through a JSON text larger than memory, fed in pieces of any size, and picks the values that a reader wants.
///
/// It only follows brackets, keys and strings; the receiver of a value checks whether it is valid JSON (``JSONNode``).
/// It holds one value in memory, `maximumLength` bytes at most, and the path to it.
struct JSONPicker {
    /// One step of the path to a value.
    enum Step: Hashable {
        case key(String)
        case element(Int)

        /// The key; nil in an array.
        var key: String? {
            if case .key(let key) = self { return key }
            return nil
        }
    }

    /// The kind of a value that begins.
    enum Kind { case object, array, scalar }

    /// What to do with a value.
    enum Choice {
        /// Visit its members or elements one by one; for a scalar the same as `take`.
        case enter
        /// Return the whole value.
        case take
        /// Skip it.
        case skip
        /// Skip it, and report any text in it: the value is unknown.
        case passOver
    }

    enum Event {
        /// A taken value, with its offset and line.
        case value([Step], UnsafeBufferPointer<UInt8>, offset: Int, line: Int)
        /// The beginning of an object or array that is entered.
        case opened([Step])
        /// The end of an object or array that was entered.
        case closed([Step])
        /// A value that should be taken but is too long.
        case tooLong([Step], offset: Int, line: Int)
        /// The text is not valid JSON from here on; no more events follow.
        case fault(RejectReason, offset: Int, line: Int)
    }

    private enum State { case value, valueOrEnd, key, keyOrEnd, inKey, colon, comma, inside, afterTop, broken }

    private struct Level {
        var isArray: Bool
        var count = 0
    }

    /// The maximum depth that is entered; deeper values are skipped.
    private static let maximumLevels = 32

    /// How many bytes of a skipped unknown value are examined.
    private static let longestLook = 1 << 16

    private let maximumLength: Int
    private let isSequence: Bool
    private let choose: ([Step], Kind) -> Choice
    private let unread: ([Step], UnsafeBufferPointer<UInt8>) -> Void
    private var state = State.value
    private var path: [Step] = []
    private var levels: [Level] = []
    private var offset: Int
    private var line: Int
    private var keyBytes: [UInt8] = []
    private var isKeyEscaped = false

    // The value that is being taken or skipped.
    private var held: [UInt8] = []
    private var isTaken = false
    private var isPassedOver = false
    private var isTooLong = false
    private var start = 0
    private var startLine = 1
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isScalar = false

    /// - Parameters:
    ///   - maximumLength: maximum number of bytes of a taken value.
    ///   - offset: number of bytes in the source before the first one fed.
    ///   - line: line number of the first byte.
    ///   - isSequence: whether several JSON values follow one another; each begins with an empty path.
    ///   - unread: called with the beginning of each skipped value that is unknown.
    ///   - choose: called once for every value that is reached, with its path.
    init(
        maximumLength: Int, offset: Int = 0, line: Int = 1, isSequence: Bool = false,
        unread: @escaping ([Step], UnsafeBufferPointer<UInt8>) -> Void = { _, _ in },
        choose: @escaping ([Step], Kind) -> Choice
    ) {
        self.unread = unread
        self.maximumLength = maximumLength
        self.offset = offset
        self.line = line
        self.isSequence = isSequence
        self.choose = choose
    }

    /// Processes the next bytes.
    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (Event) throws -> Void) rethrows {
        var i = 0
        while i < bytes.count {
            switch state {
            case .inside: i = try inside(bytes, i, emit)
            case .inKey: i = inKey(bytes, i)
            case .broken: i = bytes.count
            default:
                let byte = bytes[i]
                if !Opening.isBlank(byte), !(levels.isEmpty && TextDecoder.mark.contains(byte)) {
                    guard try !structure(byte, at: offset + i, emit) else { continue }
                } else if byte == 0x0A {
                    line += 1
                }
                i += 1
            }
        }
        offset += bytes.count
    }

    /// Called at the end of the text.
    mutating func finish(_ emit: (Event) throws -> Void) rethrows {
        // A top-level number ends with the text.
        if state == .inside, isScalar, !isInString, levels.isEmpty { try complete(emit) }
        guard state != .afterTop, state != .broken else { return }
        if state == .value, levels.isEmpty { return }
        try fail("json.truncated", "the input ends before its JSON does", at: state == .inside ? start : offset, emit)
    }

    /// Processes a byte between values.
    ///
    /// - Returns: whether the byte must be examined again.
    private mutating func structure(_ byte: UInt8, at place: Int, _ emit: (Event) throws -> Void) rethrows -> Bool {
        switch state {
        case .value, .valueOrEnd:
            if byte == UInt8(ascii: "]"), state == .valueOrEnd {
                try close(emit)
            } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "}")
                || byte == UInt8(ascii: "]")
            {
                try fail("json.syntax", "a value is missing", at: place, emit)
            } else {
                try begin(byte, at: place, emit)
                return state == .inside
            }
        case .key, .keyOrEnd:
            if byte == UInt8(ascii: "\"") {
                keyBytes.removeAll(keepingCapacity: true)
                isKeyEscaped = false
                isEscaped = false
                state = .inKey
            } else if byte == UInt8(ascii: "}"), state == .keyOrEnd {
                try close(emit)
            } else {
                try fail("json.syntax", "expected a key in quotes", at: place, emit)
            }
        case .colon:
            if byte == UInt8(ascii: ":") {
                state = .value
            } else {
                try fail("json.syntax", "expected ':'", at: place, emit)
            }
        case .comma:
            let isArray = levels.last?.isArray ?? true
            if byte == UInt8(ascii: ",") {
                state = isArray ? .value : .key
            } else if byte == UInt8(ascii: "]"), isArray {
                try close(emit)
            } else if byte == UInt8(ascii: "}"), !isArray {
                try close(emit)
            } else {
                try fail("json.syntax", isArray ? "expected ',' or ']'" : "expected ',' or '}'", at: place, emit)
            }
        case .afterTop where isSequence:
            state = .value
            return true
        case .afterTop: try fail("json.syntax", "unexpected text after the end of the JSON", at: place, emit)
        case .inside, .inKey, .broken: break
        }
        return false
    }

    private mutating func begin(_ byte: UInt8, at place: Int, _ emit: (Event) throws -> Void) rethrows {
        if let last = levels.indices.last, levels[last].isArray {
            path.append(.element(levels[last].count))
            levels[last].count += 1
        }
        let kind: Kind = byte == UInt8(ascii: "{") ? .object : byte == UInt8(ascii: "[") ? .array : .scalar
        let choice = choose(path, kind)
        if choice == .enter, kind != .scalar, levels.count < Self.maximumLevels {
            levels.append(Level(isArray: kind == .array))
            state = kind == .array ? .valueOrEnd : .keyOrEnd
            try emit(.opened(path))
            return
        }
        isTaken = choice == .take || choice == .enter
        isPassedOver = choice == .passOver
        isTooLong = false
        held.removeAll(keepingCapacity: held.capacity <= 1 << 20)
        start = place
        startLine = line
        depth = 0
        isInString = false
        isEscaped = false
        isScalar = kind == .scalar
        state = .inside
    }

    /// Processes bytes of a value that is taken or skipped.
    private mutating func inside(
        _ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ emit: (Event) throws -> Void
    ) rethrows -> Int {
        var i = from
        var isDone = false
        while i < bytes.count, !isDone {
            let byte = bytes[i]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    isDone = isScalar
                } else if byte == 0x0A {
                    line += 1
                }
                i += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of a scalar may also end its container.
                if isScalar {
                    keep(bytes, from, i)
                    try complete(emit)
                    return i
                }
                depth -= 1
                isDone = depth == 0
            case UInt8(ascii: ","), 0x20, 0x09, 0x0D, 0x0A:
                if isScalar {
                    keep(bytes, from, i)
                    try complete(emit)
                    return i
                }
                if byte == 0x0A { line += 1 }
            default: break
            }
            i += 1
        }
        keep(bytes, from, i)
        if isDone { try complete(emit) }
        return i
    }

    private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ to: Int) {
        if isPassedOver, held.count < Self.longestLook {
            let last = min(to, from + Self.longestLook - held.count)
            held.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[from..<last]))
        }
        guard isTaken, !isTooLong else { return }
        if held.count + to - from > maximumLength {
            isTooLong = true
            held = []
        } else {
            held.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[from..<to]))
        }
    }

    private mutating func complete(_ emit: (Event) throws -> Void) rethrows {
        if isPassedOver {
            held.withUnsafeBufferPointer { unread(path, $0) }
        } else if isTooLong {
            try emit(.tooLong(path, offset: start, line: startLine))
        } else if isTaken {
            try held.withUnsafeBufferPointer { try emit(.value(path, $0, offset: start, line: startLine)) }
        }
        next()
    }

    private mutating func close(_ emit: (Event) throws -> Void) rethrows {
        levels.removeLast()
        try emit(.closed(path))
        next()
    }

    /// Advances past a value.
    private mutating func next() {
        if !path.isEmpty { path.removeLast() }
        state = levels.isEmpty ? .afterTop : .comma
    }

    private mutating func inKey(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int) -> Int {
        var i = from
        while i < bytes.count {
            let byte = bytes[i]
            i += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                isKeyEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                path.append(.key(key()))
                state = .colon
                return i
            }
            if keyBytes.count < 1024 { keyBytes.append(byte) }
        }
        return i
    }

    private func key() -> String {
        guard isKeyEscaped else { return String(decoding: keyBytes, as: UTF8.self) }
        return JSONNode([0x22] + keyBytes + [0x22])?.string ?? String(decoding: keyBytes, as: UTF8.self)
    }

    private mutating func fail(
        _ code: String, _ words: String, at place: Int, _ emit: (Event) throws -> Void
    ) rethrows {
        state = .broken
        try emit(.fault(RejectReason(code: code, reason: words, offset: place), offset: place, line: line))
    }
}
