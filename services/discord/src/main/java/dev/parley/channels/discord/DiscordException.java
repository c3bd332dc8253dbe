package dev.parley.channels.discord;

import dev.parley.channels.contract.SendFailure.Kind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Discord refused a call, or did not answer. */
final class DiscordException extends Exception {
    private static final long serialVersionUID = 1;

    /** No answer came. */
    static final int NO_ANSWER = 0;

    private final int status;
    private final int code;
    private final boolean inDoubt;
    private final transient @Nullable Duration retryAfter;

    /**
     * @param status of HTTP, or {@link #NO_ANSWER}
     * @param code Discord's own, or 0
     * @param description Discord's description, or a replacement, without secrets
     * @param inDoubt the call may have been carried out
     */
    DiscordException(int status, int code, String description, boolean inDoubt, @Nullable Duration retryAfter) {
        super(description);
        this.status = status;
        this.code = code;
        this.inDoubt = inDoubt;
        this.retryAfter = retryAfter;
    }

    int status() {
        return status;
    }

    /** The wait that Discord asks for, or null. */
    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /** Whether a retry may help. */
    boolean isTransient() {
        return status == NO_ANSWER || status == 408 || status == 429 || status >= 500;
    }

    /** Whether Discord refuses the form of a message, which may be sent in another one; not its place or its words. */
    boolean isOfForm() {
        return status == 400 && kind() == Kind.REFUSED && isChatClosed();
    }

    /**
     * The consequence for a message.
     *
     * @see <a
     *     href="https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-json-error-codes">codes</a>
     */
    Kind kind() {
        return switch (status) {
            case 401 -> Kind.REVOKED;
            case 403 -> code == FOREIGN ? Kind.GONE : isChatClosed() ? Kind.CLOSED : Kind.REFUSED;
            case 404 -> code == UNKNOWN_MESSAGE ? Kind.GONE : Kind.CLOSED;
            case 400 -> code == ARCHIVED || code == NO_DM ? Kind.CLOSED : Kind.REFUSED;
            case NO_ANSWER -> inDoubt ? Kind.IN_DOUBT : Kind.LATER;
            case 408, 429 -> Kind.LATER;
            default -> status >= 500 ? inDoubt ? Kind.IN_DOUBT : Kind.LATER : Kind.REFUSED;
        };
    }

    private static final int UNKNOWN_MESSAGE = 10008;
    /** Messages of others cannot be edited. */
    private static final int FOREIGN = 50005;

    private static final int ARCHIVED = 50083;
    private static final int NO_DM = 50007;

    /** Missing access or permission, or blocked; not a hit of a word filter. */
    private boolean isChatClosed() {
        return code != 200000 && code != 200001 && code != 240000;
    }
}
