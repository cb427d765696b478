import TriageCore

/// Splits a JSON text larger than memory into its elements, fed in pieces of any size.
///
/// It only follows brackets and strings; the receiver of an element checks whether it is valid JSON. Line breaks
/// between tokens become spaces, so that each element is one line.
struct JSONSplitter {
    /// The structure of the text.
    enum Shape: Equatable {
        /// An array of elements.
        case array
        /// An object: the arrays with these names hold the elements, and other members are emitted whole.
        case container(Set<String>)
        /// Consecutive values.
        case sequence
    }

    /// What was found.
    enum Event {
        /// An element, with its offset and line.
        case element(UnsafeBufferPointer<UInt8>, offset: Int, line: Int)
        /// A member of the container that is not an array of elements.
        case member(String, UnsafeBufferPointer<UInt8>)
        /// An element that was too long to keep.
        case tooLong(offset: Int, line: Int)
        /// A syntax error, after which reading continues; the bytes belong to the element in progress.
        case fault(RejectReason, UnsafeBufferPointer<UInt8>, offset: Int, line: Int)
    }

    private enum State { case start, value, comma, key, inKey, colon, memberValue, memberComma, capture, done }

    /// Called with the name of each array of elements.
    var keySeen: (String) -> Void = { _ in }
    private let shape: Shape
    private let maximumLength: Int
    private var state = State.start
    private var isInContainer = false
    private var isAfterComma = false
    private var offset = 0
    private var line = 1

    // The value that is being captured.
    private var captured: [UInt8] = []
    private var start = 0
    private var startLine = 1
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isScalar = false
    private var isTooLong = false
    private var key: [UInt8] = []
    private var capturesMember = false
    private var hasComplained = false

    /// - Parameter offset: number of bytes in the source before the first one fed.
    init(_ shape: Shape, maximumLength: Int, offset: Int = 0) {
        self.offset = offset
        self.shape = shape
        self.maximumLength = maximumLength
    }

    /// Processes the next bytes.
    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: (Event) throws -> Void) rethrows {
        var i = 0
        while i < bytes.count {
            if state == .capture {
                i = try capture(bytes, from: i, emit)
            } else {
                let byte = bytes[i]
                if try !step(byte, at: offset + i, emit) { continue }
                if byte == 0x0A { line += 1 }
                i += 1
            }
        }
        offset += bytes.count
    }

    /// Called at the end of the text.
    mutating func finish(_ emit: (Event) throws -> Void) rethrows {
        if state == .capture, isScalar, !isInString, shape == .sequence { try complete(emit) }
        switch (state, shape) {
        case (.done, _), (.start, _), (.value, .sequence): break
        default:
            let reason = RejectReason(
                code: "json.truncated", reason: "the input ends before its JSON does", offset: captured.count)
            let kept = isTooLong || capturesMember || state != .capture ? [] : captured
            try kept.withUnsafeBufferPointer {
                try emit(.fault(reason, $0, offset: state == .capture ? start : offset, line: line))
            }
        }
        state = .done
    }

    /// Processes one byte outside a captured value.
    ///
    /// - Returns: whether it was consumed.
    private mutating func step(_ byte: UInt8, at place: Int, _ emit: (Event) throws -> Void) rethrows -> Bool {
        if state == .inKey {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                state = .colon
                return true
            }
            if key.count < 256 { key.append(byte) }
            return true
        }
        if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { return true }
        // Concatenated texts may each begin with a byte order mark.
        if shape == .sequence, TextDecoder.mark.contains(byte) { return true }
        switch state {
        case .start:
            switch (shape, byte) {
            case (.array, 0x5B): state = .value
            case (.container, 0x7B):
                state = .key
            case (.sequence, _):
                begin(byte, at: place, isMember: false)
            default:
                try complain("the input does not begin as expected", at: place, emit)
                state = .done
            }
        case .value:
            if byte == 0x5D, shape != .sequence {
                if isAfterComma { try complain("unexpected comma before ']'", at: place, emit) }
                state = isInContainer ? .memberComma : .done
            } else if byte == 0x2C {
                try complain("expected a value, found a comma", at: place, emit)
            } else {
                begin(byte, at: place, isMember: false)
            }
        case .comma:
            isAfterComma = byte == 0x2C
            if byte == 0x2C {
                state = .value
            } else if byte == 0x5D {
                state = isInContainer ? .memberComma : .done
            } else {
                try complain("expected ',' or ']'", at: place, emit)
                state = .value
                return false
            }
        case .key:
            if byte == 0x22 {
                key.removeAll(keepingCapacity: true)
                isEscaped = false
                state = .inKey
            } else if byte == 0x7D {
                state = .done
            } else {
                try complain("expected a key in quotes", at: place, emit)
            }
        case .colon:
            if byte == 0x3A { state = .memberValue } else { try complain("expected ':'", at: place, emit) }
        case .memberValue:
            if byte == 0x5B, case .container(let names) = shape, names.contains(String(decoding: key, as: UTF8.self)) {
                isInContainer = true
                isAfterComma = false
                keySeen(String(decoding: key, as: UTF8.self))
                state = .value
            } else {
                begin(byte, at: place, isMember: true)
            }
        case .memberComma:
            isInContainer = false
            if byte == 0x2C {
                state = .key
            } else if byte == 0x7D {
                state = .done
            } else {
                try complain("expected ',' or '}'", at: place, emit)
            }
        case .done: try complain("unexpected text after the end of the JSON", at: place, emit)
        case .inKey, .capture: break
        }
        return true
    }

    /// Reports a fault once, without the errors that follow from it.
    private mutating func complain(_ words: String, at place: Int, _ emit: (Event) throws -> Void) rethrows {
        guard !hasComplained else { return }
        hasComplained = true
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        try emit(.fault(RejectReason(code: "json.syntax", reason: words), nothing, offset: place, line: line))
    }

    private mutating func begin(_ byte: UInt8, at place: Int, isMember: Bool) {
        captured.removeAll(keepingCapacity: true)
        start = place
        startLine = line
        capturesMember = isMember
        isTooLong = false
        isEscaped = false
        isInString = byte == 0x22
        isScalar = !(byte == 0x7B || byte == 0x5B)
        depth = isScalar ? 0 : 1
        captured.append(byte)
        state = .capture
    }

    /// Captures bytes of a value.
    ///
    /// - Returns: the first index that is not part of it.
    private mutating func capture(
        _ bytes: UnsafeBufferPointer<UInt8>, from first: Int, _ emit: (Event) throws -> Void
    ) rethrows -> Int {
        var i = first
        // `begin` already took the first byte.
        if offset + i == start { i += 1 }
        var clean = i
        while i < bytes.count {
            let byte = bytes[i]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                    if depth == 0 {
                        keep(bytes, clean..<(i + 1))
                        try complete(emit)
                        return i + 1
                    }
                } else if byte == 0x0A {
                    line += 1
                }
                i += 1
                continue
            }
            if byte > 0x5D && byte < 0x7B {
                i += 1
                continue
            }
            switch byte {
            case 0x22: isInString = true
            case 0x7B, 0x5B:
                if isScalar { return try endScalar(bytes, clean, i, emit) }
                depth += 1
            case 0x7D, 0x5D:
                if isScalar { return try endScalar(bytes, clean, i, emit) }
                depth -= 1
                if depth == 0 {
                    keep(bytes, clean..<(i + 1))
                    try complete(emit)
                    return i + 1
                }
            case 0x2C where isScalar: return try endScalar(bytes, clean, i, emit)
            case 0x20 where isScalar, 0x09 where isScalar: return try endScalar(bytes, clean, i, emit)
            case 0x0A, 0x0D:
                if isScalar { return try endScalar(bytes, clean, i, emit) }
                keep(bytes, clean..<i)
                if !isTooLong { captured.append(0x20) }
                clean = i + 1
                if byte == 0x0A { line += 1 }
            default: break
            }
            i += 1
        }
        keep(bytes, clean..<i)
        return i
    }

    private mutating func endScalar(
        _ bytes: UnsafeBufferPointer<UInt8>, _ clean: Int, _ end: Int, _ emit: (Event) throws -> Void
    ) rethrows -> Int {
        keep(bytes, clean..<end)
        try complete(emit)
        return end
    }

    private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        guard !isTooLong, !range.isEmpty else { return }
        guard captured.count + range.count <= maximumLength else {
            isTooLong = true
            captured = []
            return
        }
        captured.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
    }

    private mutating func complete(_ emit: (Event) throws -> Void) rethrows {
        if capturesMember {
            let name = String(decoding: key, as: UTF8.self)
            if !isTooLong { try captured.withUnsafeBufferPointer { try emit(.member(name, $0)) } }
            state = .memberComma
        } else {
            if isTooLong {
                try emit(.tooLong(offset: start, line: startLine))
            } else {
                try captured.withUnsafeBufferPointer { try emit(.element($0, offset: start, line: startLine)) }
            }
            state = shape == .sequence ? .value : .comma
        }
        isTooLong = false
    }
}
