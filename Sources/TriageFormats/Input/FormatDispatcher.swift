import TriageCore

/// Feeds one file to a reader: decodes it, detects its format from the opening, and passes the bytes on.
final class FormatDispatcher {
    private let context: ReadingContext
    let member: Member
    private let formats: [any ExportFormat]
    /// The format from `--from` or from a claim; nil: detected by content.
    private let format: (any ExportFormat)?
    private var reader: (any ExportReader)?
    private var ownsReader: Bool
    private let whenFound: (any ExportFormat, Detection) throws -> Void
    private var decoder = TextDecoder()
    private var opening: [UInt8] = []
    private var markLength = 0
    private var isOpen = false
    private var wantsMore = true
    /// The detected format.
    private(set) var detection: Detection?
    /// Whether the format is unknown.
    private(set) var isUnknown = false
    /// Whether the file had no bytes, or only blank lines.
    private(set) var isEmpty = false
    /// Whether any byte arrived.
    private(set) var hasBytes = false
    /// A description of a file of unknown format.
    private(set) var sight = ""

    /// - Parameters:
    ///   - reader: the one that reads all files of a claim; nil: create one for this file alone.
    ///   - whenFound: called with the detected format before the messages are read; may throw.
    init(
        _ member: Member, _ context: ReadingContext, formats: [any ExportFormat], format: (any ExportFormat)?,
        reader: (any ExportReader)? = nil,
        whenFound: @escaping (any ExportFormat, Detection) throws -> Void = { _, _ in }
    ) {
        self.whenFound = whenFound
        self.member = member
        self.context = context
        self.formats = formats
        self.format = format
        self.reader = reader
        ownsReader = reader == nil
    }

    /// Processes the next bytes.
    ///
    /// - Returns: whether more are wanted.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        hasBytes = hasBytes || !bytes.isEmpty
        try decoder.decode(bytes, isLast: false) { try self.take($0, markLength: $1) }
        return wantsMore
    }

    /// Called when a live input is idle: decides the format if possible, and emits what is held back.
    func idle() throws {
        if !isOpen, !opening.isEmpty { try open(isWhole: false, isIdle: true) }
        if isOpen, !isUnknown { try reader?.idle() }
        try context.assembler.flush()
    }

    /// Called at the end of the file.
    func finish(fault: RejectReason? = nil) throws {
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        try decoder.decode(nothing, isLast: true) { try self.take($0, markLength: $1) }
        // Blank lines are records too, in inputs where each line gets an answer.
        if !isOpen, !opening.isEmpty, context.options.answersBlankLines || !opening.allSatisfy(Opening.isBlank) {
            try open(isWhole: true, isIdle: false)
        }
        isEmpty = !isOpen && fault == nil
        guard let reader, isOpen, !isUnknown else {
            if let fault, !isUnknown, detection?.hasMessages != false {
                context.assembler.beginSource(member.source)
                try context.assembler.append(reject: fault, number: 1, offset: 0)
            }
            return
        }
        try reader.end(fault: fault)
        if ownsReader { try reader.finish() }
    }

    private func take(_ bytes: UnsafeBufferPointer<UInt8>, markLength: Int) throws {
        self.markLength = markLength
        guard wantsMore, !isUnknown else { return }
        if isOpen {
            if let reader { wantsMore = try reader.read(bytes) }
            return
        }
        opening.append(contentsOf: bytes)
        // A named format examines the opening too, and the pieces may be of any size.
        if opening.count >= Opening.limit {
            try open(isWhole: false, isIdle: false)
        } else if context.options.isLive, opening.contains(0x0A) {
            try open(isWhole: false, isIdle: false)
        } else if format == nil, opening.contains(0x0A), opening.count >= 1 << 12 {
            // One record per line can be recognized early, and the first answer should not have to wait.
            try open(isWhole: false, isIdle: true)
        }
    }

    /// Detects the format and opens the reader.
    ///
    /// - Parameter isIdle: accept only an opening that leaves no doubt; otherwise wait for more bytes.
    private func open(isWhole: Bool, isIdle: Bool) throws {
        let head = Opening(
            bytes: Array(opening.prefix(Opening.limit)), isWhole: isWhole, markLength: markLength)
        if !ownsReader, try isOfAnother(head) { return }
        if reader == nil, format == nil, context.options.isLive || (head.isBlank && context.options.answersBlankLines) {
            // An incomplete line is not enough to decide.
            guard isWhole || head.bytes.contains(0x0A) || head.bytes.count >= Opening.limit else { return }
            let webhooks = MetaWebhookFormat()
            detection = webhooks.detect(head)
            let found: any ExportFormat = detection == nil ? JSONLFormat() : webhooks
            reader = found.makeReader(context)
            detection = detection ?? Detection(format: found.name, reason: "one record per line")
        }
        if reader == nil {
            // Decide early only if the first line is a record, or an event of a format with one event per line.
            if isIdle, format == nil, !JSONLFormat.isCertain(head) { return }
            if let format {
                reader = format.makeReader(context)
                detection = Detection(format: format.name, reason: "named by --from")
            } else if let found = ExportFormats.detect(
                head, among: formats, path: member.source, isMapped: !context.options.columns.isEmpty)
            {
                reader = found.format.makeReader(context)
                detection = found.detection
                guard found.detection.hasMessages else {
                    reader = nil
                    isOpen = true
                    opening = []
                    wantsMore = false
                    return
                }
                try whenFound(found.format, found.detection)
                for missing in found.detection.missing { context.notices(missing) }
            } else if let table = formats.lazy.compactMap({ $0 as? TableFormat }).first,
                let found = try table.detect(head, columns: context.options.columns)
            {
                reader = table.makeReader(context)
                detection = found
                try whenFound(table, found)
            }
        }
        isOpen = true
        guard let reader else {
            isUnknown = true
            sight = Sight.describe(head)
            opening = []
            wantsMore = false
            return
        }
        try reader.begin(member, opening: head)
        let held = opening
        opening = []
        wantsMore = try held.withUnsafeBufferPointer { try reader.read($0) }
    }

    /// Whether a file claimed by its name turns out, by its content, to be of another format, which then reads it
    /// alone.
    private func isOfAnother(_ head: Opening) throws -> Bool {
        guard let format, format.isUnsure(of: member.path), format.detect(head) == nil,
            let found = ExportFormats.detect(head, among: formats), !format.reads(found.format)
        else { return false }
        detection = found.detection
        isOpen = true
        ownsReader = true
        reader = nil
        let held = opening
        opening = []
        wantsMore = false
        guard member.pass > 0, found.detection.hasMessages else { return true }
        let alone = ReadingContext(
            assembler: context.assembler, options: context.options, notices: context.notices, repeats: context.repeats,
            unread: context.unread)
        let reader = found.format.makeReader(alone)
        self.reader = reader
        for missing in found.detection.missing { context.notices(missing) }
        try reader.begin(member, opening: head)
        wantsMore = try held.withUnsafeBufferPointer { try reader.read($0) }
        return true
    }
}
