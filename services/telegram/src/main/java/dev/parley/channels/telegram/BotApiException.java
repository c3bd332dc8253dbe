package dev.parley.channels.telegram;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Telegram refused a call, or did not answer. */
final class BotApiException extends Exception {
    private static final long serialVersionUID = 1;

    /** No answer came. */
    static final int NO_ANSWER = 0;

    private final int code;
    private final boolean inDoubt;
    private final transient @Nullable Duration retryAfter;
    private final @Nullable String migratedTo;

    /**
     * @param code Telegram's error code, or {@link #NO_ANSWER}
     * @param description Telegram's description, or a replacement, without the token
     * @param inDoubt the call may have been carried out
     */
    BotApiException(
            int code, String description, boolean inDoubt, @Nullable Duration retryAfter, @Nullable String migratedTo) {
        super(description);
        this.code = code;
        this.inDoubt = inDoubt;
        this.retryAfter = retryAfter;
        this.migratedTo = migratedTo;
    }

    int code() {
        return code;
    }

    boolean inDoubt() {
        return inDoubt;
    }

    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /** The new id of the group, where it was addressed with the old one. */
    @Nullable
    String migratedTo() {
        return migratedTo;
    }

    boolean says(String phrase) {
        return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains(phrase);
    }
}
