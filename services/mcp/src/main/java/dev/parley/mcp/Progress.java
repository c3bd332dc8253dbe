package dev.parley.mcp;

/** Receives progress messages of a call. */
@FunctionalInterface
interface Progress {
    /** Discards the messages. */
    Progress NONE = new Progress() {
        @Override
        public void report(String message) {
            // the client did not ask for progress
        }

        @Override
        public boolean isReported() {
            return false;
        }
    };

    /**
     * Sends a message.
     *
     * @throws InterruptedException when the client has disconnected
     */
    void report(String message) throws InterruptedException;

    /** Whether messages reach the client, which then waits longer. */
    default boolean isReported() {
        return true;
    }
}
