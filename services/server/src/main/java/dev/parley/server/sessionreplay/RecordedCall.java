package dev.parley.server.sessionreplay;

import dev.parley.domain.protocol.ToolStatus;

/**
 * A recorded tool call with its result.
 *
 * @param arguments of the model, with those that a skill added
 * @param status of the result; {@code PENDING} without one
 */
public record RecordedCall(String name, String arguments, ToolStatus status, String content) {}
