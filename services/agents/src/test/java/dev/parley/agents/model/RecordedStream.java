package dev.parley.agents.model;

import java.util.ArrayList;
import java.util.List;

/** What was heard of a model while it spoke. */
public final class RecordedStream implements ModelStream {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final List<String> arguments = new ArrayList<>();

    @Override
    public void text(String piece) {
        text.append(piece);
    }

    @Override
    public void reasoning(String piece) {
        reasoning.append(piece);
    }

    @Override
    public void toolArguments(String toolCallId, String toolName, String piece) {
        arguments.add(toolCallId + " " + toolName + " " + piece);
    }

    public String text() {
        return text.toString();
    }

    public String reasoning() {
        return reasoning.toString();
    }

    /** StreamedText of arguments: the call's id, its tool and the piece. */
    public List<String> arguments() {
        return List.copyOf(arguments);
    }
}
