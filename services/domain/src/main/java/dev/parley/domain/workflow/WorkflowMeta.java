package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What every event of a process carries.
 *
 * @param seq its number in the process, from 1, without gaps
 * @param user who has caused it, or null where nobody did
 */
public record WorkflowMeta(
        ProcessRef process, long seq, Instant at, @Nullable String user) {}
