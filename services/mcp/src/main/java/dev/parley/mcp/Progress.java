package dev.parley.mcp;

/** Receives progress messages of a call. */
@FunctionalInterface
interface Progress {
    /** Nobody listens. */
    Progress NONE = new Progress() {
        @Override
        public void report(String message) {
            // they did not ask to be told
        }

        @Override
        public boolean isHeard() {
            return false;
        }
    };

    /** Says what goes on. @throws InterruptedException when whoever waited is gone */
    void report(String message) throws InterruptedException;

    /** Whether somebody listens, and so is patient. */
    default boolean isHeard() {
        return true;
    }
}
