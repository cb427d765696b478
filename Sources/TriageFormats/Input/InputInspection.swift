internal import TriageCore

/// What an input was identified as, without reading its messages.
package struct InputFinding: Sendable, Equatable {
    /// The input, or the file in it.
    package var path: String
    /// The detected format; nil: unknown.
    package var detection: Detection?
    /// A description of an unknown file; empty for known ones.
    package var sight = ""
    /// How many files would be read; 0 for those without messages.
    package var files = 1
}

extension InputReader {
    /// Identifies each of the options' paths, as ``read(into:)`` would.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (66). `archive.encrypted` and other archive faults are returned as
    ///   findings.
    package func inspect() throws -> [InputFinding] {
        let format = try options.format.map { try ExportFormats.named($0, among: formats) }
        let log = ReadingLog()
        var findings: [InputFinding] = []
        for input in try gather(log) {
            switch input {
            case .file(let path): findings.append(try inspect(file: path, format))
            case .containers(let containers):
                for container in containers { findings += try inspect(container, format) }
            }
        }
        findings += log.left.map { InputFinding(path: $0.path, sight: $0.reason, files: 0) }
        return findings
    }

    private func inspect(_ container: any Container, _ format: (any ExportFormat)?) throws -> [InputFinding] {
        let path = container.name
        var findings: [InputFinding] = []
        do {
            let listing = try container.list()
            if listing.isEncrypted { return [InputFinding(path: path, sight: "encrypted; unpack it first", files: 0)] }
            if container is ArchiveContainer, let office = OfficeFile(listing.paths, name: path) {
                return [InputFinding(path: path, sight: office.sight, files: 0)]
            }
            for refused in listing.refused {
                findings.append(InputFinding(path: path, sight: refused.reason, files: 0))
            }
            var paths = listing.paths
            for candidate in format.map({ [$0] }) ?? formats {
                while let claim = candidate.claim(paths) {
                    let claimed = Set(claim.passes.flatMap { $0 })
                    findings.append(
                        InputFinding(path: path, detection: claim.detection, files: claim.passes.last?.count ?? 0))
                    paths.removeAll { claimed.contains($0) || claim.covers($0) }
                }
            }
            try container.read(paths) { member, next in
                let dispatcher = OpeningPump()
                while let bytes = try next(), try dispatcher.feed(bytes) {}
                findings.append(try finding(path + ":" + member, dispatcher.opening(), format))
            }
        } catch let fault as ArchiveFault {
            findings.append(InputFinding(path: path, sight: fault.reason.reason, files: 0))
        }
        return findings
    }

    private func inspect(file path: String, _ format: (any ExportFormat)?) throws -> InputFinding {
        let source = try ByteSource(path: path, stop: nil)
        let dispatcher = OpeningPump()
        var isFirst = true
        while case .bytes(let bytes) = try source.next(whenIdle: {}) {
            if isFirst, let kind = ArchiveKind(bytes) {
                let piped = InputFinding(
                    path: path, sight: "a \(kind.words) from a pipe; give its path", files: 0)
                guard case .packed = kind else { return piped }
                do {
                    let isSeekable = source.isSeekable
                    let head = Array(bytes)
                    if isSeekable { try source.rewind() }
                    let archive = try ArchiveReader(source, kind: kind, prefix: isSeekable ? [] : head, limits: limits)
                    guard try archive.nextEntry() != nil else { break }
                    if archive.isTar { return piped }
                    while let bytes = try archive.nextBytes(), try dispatcher.feed(bytes) {}
                } catch let fault as ArchiveFault {
                    return InputFinding(path: path, sight: fault.reason.reason, files: 0)
                }
                break
            }
            isFirst = false
            guard try dispatcher.feed(bytes) else { break }
        }
        return try finding(path, dispatcher.opening(), format)
    }

    private func finding(
        _ path: String, _ opening: Opening, _ format: (any ExportFormat)?
    ) throws -> InputFinding {
        let candidates = format.map { [$0] } ?? formats
        guard let found = ExportFormats.detect(opening, among: candidates, path: path)?.detection else {
            return InputFinding(path: path, sight: opening.isBlank ? "nothing" : Sight.describe(opening), files: 0)
        }
        return InputFinding(path: path, detection: found, files: found.hasMessages ? 1 : 0)
    }
}

/// Collects the opening of a file, decoded.
private final class OpeningPump {
    private var decoder = TextDecoder()
    private var bytes: [UInt8] = []
    private var markLength = 0
    private var isWhole = true

    /// - Returns: whether more bytes are wanted.
    func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws -> Bool {
        decoder.decode(chunk, isLast: false) { take($0, $1) }
        isWhole = bytes.count <= Opening.limit
        return isWhole
    }

    func opening() throws -> Opening {
        decoder.decode(UnsafeBufferPointer(start: nil, count: 0), isLast: true) { take($0, $1) }
        return Opening(bytes: Array(bytes.prefix(Opening.limit)), isWhole: isWhole, markLength: markLength)
    }

    private func take(_ decoded: UnsafeBufferPointer<UInt8>, _ mark: Int) {
        markLength = mark
        bytes.append(contentsOf: decoded)
    }
}
