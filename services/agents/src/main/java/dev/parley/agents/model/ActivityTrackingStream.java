package dev.parley.agents.model;

/**
 * A stream that reports activity and forwards everything.
 *
 * @param stream the stream that it forwards to
 * @param onActivity runs with each piece that is not empty
 */
record ActivityTrackingStream(ModelStream stream, Runnable onActivity) implements ModelStream {
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
            onActivity.run();
        }
    }
}
