package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.util.UUID;

/**
 * The call of a process that is made by another one.
 *
 * @param process whose call it is
 * @param callId which its result names
 * @param attempt which its result names, too
 * @param depth how many processes are above the one that is started
 */
public record ParentCall(ProcessRef process, UUID callId, int attempt, int depth) {}
