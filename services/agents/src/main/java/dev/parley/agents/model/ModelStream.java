package dev.parley.agents.model;

/** What a model says while it says it, for those who watch. Never fails and never waits for them. */
public interface ModelStream {
    /** Shows nothing to anybody. */
    ModelStream NONE = new ModelStream() {
        @Override
        public void text(String piece) {}

        @Override
        public void reasoning(String piece) {}

        @Override
        public void toolArguments(String toolCallId, String toolName, String piece) {}
    };

    /** A piece of its answer. */
    void text(String piece);

    /** A piece of its reasoning. */
    void reasoning(String piece);

    /** A piece of the arguments of a tool call that it is writing. */
    void toolArguments(String toolCallId, String toolName, String piece);
}
