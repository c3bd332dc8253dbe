package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import java.util.UUID;

/**
 * The call of a parent process that started this one.
 *
 * @param process the parent
 * @param callId id of the call, part of its result
 * @param attempt of the call, part of its result
 * @param depth number of ancestors of the started process
 */
public record ParentCall(ProcessRef process, UUID callId, int attempt, int depth) {}
