package dev.parley.memory.recall;

/** Limits on the number of candidates of a query. */
public enum RecallEffort {
    LOW(100),
    MID(300),
    HIGH(1_000);

    private final int candidates;

    RecallEffort(int candidates) {
        this.candidates = candidates;
    }

    /** Maximum number of candidates of a retriever. */
    public int candidates() {
        return candidates;
    }
}
