package dev.parley.memory.recall;

/** How thoroughly is looked. */
public enum RecallEffort {
    LOW(100),
    MID(300),
    HIGH(1_000);

    private final int candidates;

    RecallEffort(int candidates) {
        this.candidates = candidates;
    }

    /** How many an arm may find. */
    public int candidates() {
        return candidates;
    }
}
