import TriageCore

/// What a sync was asked for, apart from the command line that asked it.
struct SyncRequest {
    var input: InputOptions
    var configuration: ConfigurationOptions
    var asking: AskingOptions
    /// Nil: the one of the configuration.
    var store: String?
    var output: String?
    var rejects: String?
    var adopts = false
    /// Seconds to wait for another run.
    var patience = 0
    var isDryRun = false
    var keepsMessages = true
    /// In US dollars; nil: no limit.
    var maxCostPerDay: Double?
    /// Where the run's summary goes, and where its figures for a monitor.
    var summary: String?
    var metrics: String?
    var offersAbove = 70
    var jobs: Int?
    var batchSize: Int?
    var isQuiet = false

    /// Files in a folder that is read which are no exports: settings, and what the run writes beside its output.
    var ownSettings: [String] {
        [summary, metrics, asking.cache].compactMap(\.self) + configuration.files
    }
}
