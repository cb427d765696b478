import TriageCore
