package import TriageConfig
package import TriageCore
import TriageFormats
package import TriageRun

/// Sends messages through the stages in order, for commands that look at answers instead of writing records.
package struct MessageReading {
    private let method: ConfiguredMethod
    private let me: [String]
    private static let batchSize = 512

    /// - Parameter readsVoice: whether drafts use the creator's voice, if there is one.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    package init(_ configuration: ConfigurationOptions, me: [String], readsVoice: Bool = true) throws {
        method = try ConfiguredMethod(
            configuration: configuration, model: try configuration.statisticalModel(), readsVoice: readsVoice)
        self.me = me
    }

    package var loaded: LoadedConfiguration { method.loaded }

    /// Annotates every message of the inputs.
    ///
    /// - Parameters:
    ///   - library: used instead of the configured one.
    ///   - body: receives each batch with its answers, and returns whether to continue.
    package func forEachBatch(
        of input: InputOptions, library: FAQLibrary? = nil, _ body: @escaping (inout Batch) throws -> Bool
    ) throws {
        let pipeline = try method.pipeline(for: nil, library: library, me: me)
        let stop = try InputStop()
        var isDone = false
        let assembler = BatchAssembler(
            maximumLines: Self.batchSize, beginSource: { _ in },
            deliver: { input in
                guard !isDone else { return }
                var batch = pipeline.annotate(input)
                if try !body(&batch) {
                    isDone = true
                    stop.stop()
                }
            })
        var options = InputReader.Options()
        options.paths = input.paths.isEmpty ? ["-"] : input.paths
        options.format = input.from
        options.columns = input.map
        options.maximumLine = try input.maximumLine()
        options.ownIdentities = loaded.settings.ownIdentities + me
        options.timeZone = input.timezone ?? loaded.creator.timezone
        options.dateOrder = input.dateOrder
        try InputReader(
            options: options, stop: stop,
            notices: { try? CheckedWriter.standardError.write(Terminal.harmlessLine($0) + "\n") }
        ).read(into: assembler)
        try assembler.flush()
    }
}
