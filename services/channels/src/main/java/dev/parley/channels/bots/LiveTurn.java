package dev.parley.channels.bots;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.domain.protocol.TurnDelta;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A turn that goes on: what its agent has said so far, and what of that is to be seen. */
final class LiveTurn {
    /** Fewer characters are not worth a message of their own. */
    private static final int FIRST = 40;

    private static final int MOST = 64 << 10;

    final UUID turn;
    final ConversationAddress address;
    private final StringBuilder said = new StringBuilder();
    private String doing = "";
    /** What its agent says that it does, which tells more than the name of a tool. */
    private String progress = "";

    private int step = -1;
    private boolean ended;

    /** The message that shows it, or null. */
    @Nullable
    String message;

    /** What the message says. */
    String shown = "";

    long nextTyping;
    long nextEdit;
    /** When it was heard of last. */
    long heard;

    LiveTurn(UUID turn, ConversationAddress address) {
        this.turn = turn;
        this.address = address;
    }

    /** Takes in what was heard of the turn. */
    void hear(TurnDelta delta, long now) {
        heard = now;
        switch (delta.kind()) {
            case TOKEN -> {
                if (delta.step() > step) {
                    begin(delta.step());
                }
                if (said.length() < MOST) {
                    said.append(delta.text());
                }
                doing = "";
            }
            case RETRY -> begin(delta.step());
            case TOOL_CALL -> doing = "🔧 " + delta.toolName() + " …";
            case TOOL_RESULT -> doing = "";
            case DONE, ERROR -> ended = true;
            case PROGRESS -> progress = delta.text();
            case STARTED, REASONING, TOOL_ARGUMENTS, MESSAGE, APPROVAL, CALLER_CALL -> {}
        }
    }

    private void begin(int next) {
        step = next;
        said.setLength(0);
    }

    /** The message that showed it shows something else now, which came before. */
    void forget() {
        message = null;
        shown = "";
        said.setLength(0);
        doing = "";
    }

    /** What there is to be shown, or empty while that is not worth it. */
    String text() {
        String status = progress.isEmpty() ? doing : progress;
        if (ended || (message == null && said.length() < FIRST && status.isEmpty())) {
            return "";
        }
        return status.isEmpty() ? said.toString() : said.isEmpty() ? status : said + "\n\n" + status;
    }

    /** Nothing of it is shown any more. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }
}
