/// The order of day, month and year in a date of three numbers.
public enum DateOrder: String, Sendable, CaseIterable {
    case dmy, mdy, ymd
}
