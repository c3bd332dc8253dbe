package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of every event of a workflow process.
 *
 * @param seq number of the event within its process, gapless from 1
 * @param user the user who caused it, or null
 */
public record WorkflowMeta(
        ProcessRef process, long seq, Instant at, @Nullable String user) {}
