package dev.parley.channels.whatsapp;

import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Cloud API refused a call, or did not answer.
 *
 * @see <a href="https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes">error
 *     codes</a>
 */
final class WhatsAppApiException extends Exception {
    private static final long serialVersionUID = 1;

    /** No answer, or none that says what happened. */
    static final int NO_ANSWER = -1;

    /** The person wrote more than 24 hours ago. */
    static final int WINDOW_CLOSED = 131_047;

    /** Too many messages to one person. */
    static final int PAIR_LIMIT = 131_056;

    /** The waits before another attempt, where nothing was sent: limits of rates, and passing faults of the platform. */
    private static final Map<Integer, Duration> LATER = Map.ofEntries(
            Map.entry(2, Duration.ofSeconds(2)), // temporarily unavailable
            Map.entry(4, Duration.ofSeconds(30)), // calls of the app
            Map.entry(80_007, Duration.ofSeconds(30)), // calls of the business account
            Map.entry(130_429, Duration.ofSeconds(2)), // messages of the phone number
            Map.entry(131_000, Duration.ofSeconds(2)), // failed for an unknown reason
            Map.entry(131_016, Duration.ofSeconds(2)), // a service is unavailable
            Map.entry(131_048, Duration.ofMinutes(10)), // messages of the phone number were marked as spam
            Map.entry(PAIR_LIMIT, Duration.ofSeconds(6)),
            Map.entry(131_057, Duration.ofMinutes(1)), // maintenance of the account
            Map.entry(133_004, Duration.ofSeconds(30))); // server temporarily unavailable

    /** The token, the app, its rights, the account and its payments. */
    private static final Set<Integer> REVOKED =
            Set.of(0, 3, 10, 190, 368, 131_005, 131_031, 131_042, 131_045, 133_000, 133_010);

    /** The person: no account, an old app, another country, not among the numbers of a test. */
    private static final Set<Integer> CLOSED = Set.of(130_497, 131_026, 131_030, 131_050);

    private final int code;
    private final boolean inDoubt;
    private final @Nullable Duration retryAfter;

    /**
     * @param code Meta's error code, or {@link #NO_ANSWER}
     * @param message without secrets
     * @param inDoubt whether the call may have been carried out
     * @param retryAfter wait that the platform asks for, or null
     */
    WhatsAppApiException(int code, String message, boolean inDoubt, @Nullable Duration retryAfter) {
        super(message);
        this.code = code;
        this.inDoubt = inDoubt;
        this.retryAfter = retryAfter;
    }

    int code() {
        return code;
    }

    /** The wait before another attempt that the platform asks for, or that its documentation names; null for none. */
    @Nullable
    Duration retryAfter() {
        return retryAfter == null ? LATER.get(code) : retryAfter;
    }

    /** Whether a retry may help. */
    boolean isTransient() {
        return inDoubt || code == NO_ANSWER || LATER.containsKey(code);
    }

    /** The failure of a message that was not sent. */
    SendFailure toSendFailure(Kind kind) {
        return new SendFailure(kind, String.valueOf(getMessage()), retryAfter(), this);
    }

    /** The consequence for a message. */
    Kind kind() {
        if (inDoubt) {
            return Kind.IN_DOUBT;
        }
        if (code == NO_ANSWER || LATER.containsKey(code)) {
            return Kind.LATER;
        }
        boolean isForbidden = code >= 200 && code < 300;
        return isForbidden || REVOKED.contains(code)
                ? Kind.REVOKED
                : CLOSED.contains(code) ? Kind.CLOSED : Kind.REFUSED;
    }
}
