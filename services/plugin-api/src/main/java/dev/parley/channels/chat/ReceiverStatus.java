package dev.parley.channels.chat;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The problem that prevents a bot from receiving, and the back-off of its receiver after consecutive failures: 500 ms,
 * doubled up to 30 s, or as long as the platform asks. Failures are counted by one thread.
 */
public final class ReceiverStatus {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverStatus.class);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

    private final String bot;
    private volatile @Nullable String problem;
    private int failures;

    public ReceiverStatus(String bot) {
        this.bot = bot;
    }

    /** The problem that prevents receiving until an operator acts; empty for none. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** The bot stopped; logged once until it works again. */
    public void onStopped(String reason) {
        if (problem == null) {
            LOG.atError()
                    .addKeyValue("bot", bot)
                    .addKeyValue("reason", reason)
                    .log("bot stopped, operator action required; inbound messages stay with the platform");
        }
        problem = reason;
    }

    /** The platform accepts the bot. */
    public void onAccepted() {
        problem = null;
    }

    /** Reports that an attempt to receive succeeded. */
    public void onSucceeded() {
        failures = 0;
    }

    /**
     * Waits after a failed attempt.
     *
     * @param retryAfter wait that the platform asks for, or null
     */
    public void backOff(@Nullable Duration retryAfter, @Nullable String reason) throws InterruptedException {
        LOG.atWarn().addKeyValue("bot", bot).addKeyValue("reason", reason).log("receiving failed; retrying");
        Duration backoff = Duration.ofMillis(500L << Math.min(failures++, 6));
        Thread.sleep(retryAfter != null ? retryAfter : backoff.compareTo(MAX_BACKOFF) < 0 ? backoff : MAX_BACKOFF);
    }
}
