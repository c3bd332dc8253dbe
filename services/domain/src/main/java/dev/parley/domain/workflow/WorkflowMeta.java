package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of every event of a workflow process.
 *
 * @param seq number of the event within its process, gapless from 1
 * @param user the user who caused it, or null
 * @param comment what this user says about it, or null
 */
public record WorkflowMeta(
        ProcessRef process,
        long seq,
        Instant at,
        @Nullable String user,
        @Nullable String comment) {
    /** Metadata of an event without a comment. */
    public WorkflowMeta(ProcessRef process, long seq, Instant at, @Nullable String user) {
        this(process, seq, at, user, null);
    }

    /** These metadata at another time, with another comment. */
    public WorkflowMeta with(Instant time, @Nullable String words) {
        return new WorkflowMeta(process, seq, time, user, words);
    }
}
