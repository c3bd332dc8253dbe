package dev.parley.server.replay;

import dev.parley.domain.protocol.ToolStatus;

/**
 * A recorded tool call with its result.
 *
 * @param arguments as the model wrote them, with those that a skill added
 * @param status how it ended; {@code PENDING} where it did not
 */
public record RecordedCall(String name, String arguments, ToolStatus status, String content) {}
