package dev.parley.agents.model;

/**
 * Passes on what a model says, and notices that it does.
 *
 * @param stream where it goes
 * @param spoke is run with each piece
 */
record ActivityTrackingStream(ModelStream stream, Runnable spoke) implements ModelStream {
    @Override
    public void text(String piece) {
        notice(piece);
        stream.text(piece);
    }

    @Override
    public void reasoning(String piece) {
        notice(piece);
        stream.reasoning(piece);
    }

    @Override
    public void toolArguments(String toolCallId, String toolName, String piece) {
        notice(piece);
        stream.toolArguments(toolCallId, toolName, piece);
    }

    private void notice(String piece) {
        if (!piece.isEmpty()) {
            spoke.run();
        }
    }
}
