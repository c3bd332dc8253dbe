package dev.parley.mcp;

/** Tells whoever waits how far it is. */
@FunctionalInterface
interface Progress {
    /** Nobody listens. */
    Progress NONE = new Progress() {
        @Override
        public void tell(String message) {
            // they did not ask to be told
        }

        @Override
        public boolean isHeard() {
            return false;
        }
    };

    /** Says what goes on. @throws InterruptedException when whoever waited is gone */
    void tell(String message) throws InterruptedException;

    /** Whether somebody listens, and so is patient. */
    default boolean isHeard() {
        return true;
    }
}
