import TriageCore
package import TriageRun

/// What a sync was asked for, apart from the command line that asked it.
package struct SyncRequest {
    package var input: InputOptions
    package var configuration: ConfigurationOptions
    package var asking: LLMOptions
    /// Nil: the one of the configuration.
    package var store: String?
    package var output: String?
    package var rejects: String?
    package var adopts = false
    /// Seconds to wait for another run.
    package var patience = 0
    package var isDryRun = false
    package var keepsMessages = true
    /// In US dollars; nil: no limit.
    package var maxCostPerDay: Double?
    /// Where the run's summary goes, and where its figures for a monitor.
    package var summary: String?
    package var metrics: String?
    package var offersAbove = 70
    package var jobs: Int?
    package var batchSize: Int?
    package var isQuiet = false

    package init(
        input: InputOptions, configuration: ConfigurationOptions, asking: LLMOptions, store: String? = nil,
        output: String? = nil, rejects: String? = nil, adopts: Bool = false, patience: Int = 0, isDryRun: Bool = false,
        keepsMessages: Bool = true, maxCostPerDay: Double? = nil, summary: String? = nil, metrics: String? = nil,
        offersAbove: Int = 70, jobs: Int? = nil, batchSize: Int? = nil, isQuiet: Bool = false
    ) {
        self.input = input
        self.configuration = configuration
        self.asking = asking
        self.store = store
        self.output = output
        self.rejects = rejects
        self.adopts = adopts
        self.patience = patience
        self.isDryRun = isDryRun
        self.keepsMessages = keepsMessages
        self.maxCostPerDay = maxCostPerDay
        self.summary = summary
        self.metrics = metrics
        self.offersAbove = offersAbove
        self.jobs = jobs
        self.batchSize = batchSize
        self.isQuiet = isQuiet
    }

    /// Files in a folder that is read which are no exports: settings, and what the run writes beside its output.
    package var ownSettings: [String] {
        [summary, metrics, asking.cache].compactMap(\.self) + configuration.files
    }
}
