package dev.parley.agents.model;

/** Receives an answer while the model generates it. Methods never fail and never block on subscribers. */
public interface ModelStream {
    /** Discards everything. */
    ModelStream NONE = new ModelStream() {
        @Override
        public void text(String piece) {}

        @Override
        public void reasoning(String piece) {}

        @Override
        public void toolArguments(String toolCallId, String toolName, String piece) {}
    };

    /** A piece of the answer text. */
    void text(String piece);

    /** A piece of the reasoning. */
    void reasoning(String piece);

    /** A piece of the arguments of a tool call. */
    void toolArguments(String toolCallId, String toolName, String piece);
}
