package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.domain.protocol.TurnDelta;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A running turn: the text streamed so far, and the part that its message shows. */
final class LiveTurn {
    /** Minimum length of the first text shown, in characters. */
    private static final int MIN_FIRST = 40;

    private static final int MAX_TEXT = 64 << 10;

    final UUID turn;
    final ConversationAddress address;
    private final StringBuilder answer = new StringBuilder();
    private String toolStatus = "";
    /** Progress reported by the agent; it takes precedence over the name of a tool. */
    private String progress = "";

    private int step = -1;
    private boolean ended;

    /** Reference of the message that shows the turn, or null. */
    @Nullable
    String message;

    /** The text of the message. */
    String shown = "";

    long nextTyping;
    long nextEdit;
    /** Time of the last delta, by {@link System#nanoTime()}. */
    long lastDelta;

    LiveTurn(UUID turn, ConversationAddress address) {
        this.turn = turn;
        this.address = address;
    }

    /** The message that shows the turn. */
    ReplyDelivery.Outgoing outgoing() {
        return new ReplyDelivery.Outgoing(turn, 0, address, new Delivery(turn + "-0", turn, null));
    }

    /** Applies a delta. */
    void onDelta(TurnDelta delta, long now) {
        lastDelta = now;
        switch (delta.kind()) {
            case TOKEN -> {
                if (delta.step() > step) {
                    begin(delta.step());
                }
                if (answer.length() < MAX_TEXT) {
                    answer.append(delta.text());
                }
                toolStatus = "";
            }
            case RETRY -> begin(delta.step());
            case TOOL_CALL -> toolStatus = "🔧 " + delta.toolName() + " …";
            case TOOL_RESULT -> toolStatus = "";
            case DONE, ERROR -> ended = true;
            case PROGRESS -> progress = delta.text();
            case STARTED, REASONING, TOOL_ARGUMENTS, MESSAGE, APPROVAL, CALLER_CALL -> {}
        }
    }

    private void begin(int next) {
        step = next;
        answer.setLength(0);
    }

    /** The message now shows an earlier reply. */
    void forget() {
        message = null;
        shown = "";
        answer.setLength(0);
        toolStatus = "";
    }

    /** The text to show; empty while it is too short. */
    String text() {
        String status = progress.isEmpty() ? toolStatus : progress;
        if (ended || (message == null && answer.length() < MIN_FIRST && status.isEmpty())) {
            return "";
        }
        return status.isEmpty() ? answer.toString() : answer.isEmpty() ? status : answer + "\n\n" + status;
    }

    /** Ends the streaming: later text is not shown. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }
}
