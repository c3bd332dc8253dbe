package dev.parley.channels.protocols;

import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a turn as they are streamed: one for each model call and each intermediate message. Sent text
 * cannot be withdrawn: a retried attempt continues where its text is the same, and starts a new text where it differs.
 */
public final class AnswerText {
    private static final String CUT = "\n(cut)";

    private final boolean onlyReply;
    private final int from;
    private final List<StringBuilder> texts = new ArrayList<>();
    private StringBuilder received = new StringBuilder();
    private boolean open;
    private int step = -1;
    private int attempt;
    private boolean isCut;

    /**
     * A piece of text.
     *
     * @param begins whether it starts a new text
     */
    public record Piece(boolean begins, String text) {}

    /** @param onlyReply whether only the final reply is sent, as a whole: nothing may precede an answer in JSON */
    public AnswerText(boolean onlyReply) {
        this(onlyReply, 0);
    }

    /** @param from number of the first model call whose text is sent; earlier ones were sent before */
    public AnswerText(boolean onlyReply, int from) {
        this.onlyReply = onlyReply;
        this.from = from;
    }

    /** The piece to send after this delta; null for none. */
    public @Nullable Piece add(TurnDelta delta) {
        if (delta.step() < from && delta.kind() != TurnDelta.Kind.DONE) {
            return null;
        }
        return switch (delta.kind()) {
            case TOKEN -> onlyReply ? null : token(delta);
            case MESSAGE -> onlyReply || delta.text().isEmpty() ? null : message(delta.text());
            case RETRY -> restart(delta.attempt());
            case DONE -> delta.state() == TurnState.COMPLETED ? reply(delta.text()) : null;
            case STARTED, REASONING, TOOL_ARGUMENTS, TOOL_CALL, TOOL_RESULT, PROGRESS, APPROVAL, CALLER_CALL, ERROR ->
                null;
        };
    }

    private @Nullable Piece restart(int newAttempt) {
        attempt = newAttempt;
        received = new StringBuilder();
        return null;
    }

    private @Nullable Piece token(TurnDelta delta) {
        if (delta.step() != step) {
            step = delta.step();
            attempt = delta.attempt();
            received = new StringBuilder();
            open = false;
        } else if (delta.attempt() > attempt) {
            restart(delta.attempt());
        } else if (delta.attempt() < attempt) {
            return null; // of an abandoned attempt
        }
        received.append(delta.text());
        return complete(received.toString());
    }

    private Piece message(String text) {
        open = false;
        texts.add(new StringBuilder(text));
        return new Piece(true, text);
    }

    /** The part of the final reply that was not sent. */
    public @Nullable Piece reply(String reply) {
        String current = open ? texts.getLast().toString() : "";
        isCut = reply.endsWith(CUT) && (current.isEmpty() || !current.endsWith(CUT));
        String text = isCut ? reply.substring(0, reply.length() - CUT.length()) : reply;
        return text.isBlank() ? null : complete(text);
    }

    /** The piece that completes this text. */
    private @Nullable Piece complete(String text) {
        if (text.isEmpty()) {
            return null;
        }
        String current = open ? texts.getLast().toString() : "";
        if (current.startsWith(text)) {
            return null;
        }
        if (open && text.startsWith(current)) {
            texts.getLast().append(text, current.length(), text.length());
            return new Piece(false, text.substring(current.length()));
        }
        open = true;
        texts.add(new StringBuilder(text));
        return new Piece(true, text);
    }

    /** All texts, in order. */
    public List<String> texts() {
        return texts.stream().map(StringBuilder::toString).toList();
    }

    /** Whether the reply reached its maximum length. */
    public boolean isCut() {
        return isCut;
    }
}
