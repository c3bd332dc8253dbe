package dev.parley.channels.protocols;

import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a turn, as they come. Each model call says one, and so does each message in the middle. What was sent cannot be taken back:
 * an attempt that is made again goes on where its words are the same, and begins a new text where they differ.
 */
public final class AnswerText {
    private static final String CUT = "\n(cut)";

    private final boolean onlyReply;
    private final int from;
    private final List<StringBuilder> sent = new ArrayList<>();
    private StringBuilder heard = new StringBuilder();
    private boolean open;
    private int step = -1;
    private int attempt;
    private boolean isCut;

    /**
     * A piece of text.
     *
     * @param begins whether a new text begins with it
     */
    public record Piece(boolean begins, String text) {}

    /** @param onlyReply whether nothing but the final reply is told, as a whole: an answer in JSON has nothing before it */
    public AnswerText(boolean onlyReply) {
        this(onlyReply, 0);
    }

    /** @param from number of the first model call whose words are told: those before it were told before */
    public AnswerText(boolean onlyReply, int from) {
        this.onlyReply = onlyReply;
        this.from = from;
    }

    /** What is to be sent after this delta; null for nothing. */
    public @Nullable Piece add(TurnDelta delta) {
        if (delta.step() < from && delta.kind() != TurnDelta.Kind.DONE) {
            return null;
        }
        return switch (delta.kind()) {
            case TOKEN -> onlyReply ? null : token(delta);
            case MESSAGE -> onlyReply || delta.text().isEmpty() ? null : message(delta.text());
            case RETRY -> again(delta.attempt());
            case DONE -> delta.state() == TurnState.COMPLETED ? reply(delta.text()) : null;
            case STARTED, REASONING, TOOL_ARGUMENTS, TOOL_CALL, TOOL_RESULT, PROGRESS, APPROVAL, CALLER_CALL, ERROR ->
                null;
        };
    }

    private @Nullable Piece again(int newAttempt) {
        attempt = newAttempt;
        heard = new StringBuilder();
        return null;
    }

    private @Nullable Piece token(TurnDelta delta) {
        if (delta.step() != step) {
            step = delta.step();
            attempt = delta.attempt();
            heard = new StringBuilder();
            open = false;
        } else if (delta.attempt() > attempt) {
            again(delta.attempt());
        } else if (delta.attempt() < attempt) {
            return null; // of an attempt that was given up
        }
        heard.append(delta.text());
        return upTo(heard.toString());
    }

    private Piece message(String text) {
        open = false;
        sent.add(new StringBuilder(text));
        return new Piece(true, text);
    }

    /** The final reply: what of it was not sent. */
    public @Nullable Piece reply(String reply) {
        String said = open ? sent.getLast().toString() : "";
        isCut = reply.endsWith(CUT) && (said.isEmpty() || !said.endsWith(CUT));
        String text = isCut ? reply.substring(0, reply.length() - CUT.length()) : reply;
        return text.isBlank() ? null : upTo(text);
    }

    /** What is to be sent so that the text reads so. */
    private @Nullable Piece upTo(String text) {
        if (text.isEmpty()) {
            return null;
        }
        String said = open ? sent.getLast().toString() : "";
        if (said.startsWith(text)) {
            return null;
        }
        if (open && text.startsWith(said)) {
            sent.getLast().append(text, said.length(), text.length());
            return new Piece(false, text.substring(said.length()));
        }
        open = true;
        sent.add(new StringBuilder(text));
        return new Piece(true, text);
    }

    /** All texts, in order. */
    public List<String> texts() {
        return sent.stream().map(StringBuilder::toString).toList();
    }

    /** Whether the reply ended because it was as long as it may be. */
    public boolean isCut() {
        return isCut;
    }
}
