package dev.parley.memory.erasure;

import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Recurring;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically erases banks of deleted agents that events in flight have reopened. Runs on every instance; the
 * erasure is idempotent.
 */
public final class LateMemories extends Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(LateMemories.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final ErasedMemories erased;

    public LateMemories(ErasedMemories erased) {
        super("late-memories", Duration.ZERO, "late memories of deleted agents cannot be erased");
        this.erased = erased;
    }

    @Override
    protected void pass() throws InterruptedException {
        int reopened = erased.ofReopened();
        if (reopened > 0) {
            LOG.info("erased late records of {} banks of deleted agents", reopened);
        }
        erased.forgetDeletedBefore(Instant.now().minus(Topics.logKept()));
    }

    @Override
    protected Duration rest(boolean failed) {
        return INTERVAL;
    }
}
