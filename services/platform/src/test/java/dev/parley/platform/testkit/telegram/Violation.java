package dev.parley.platform.testkit.telegram;

import java.time.Duration;
import java.time.Instant;

/**
 * A call to a chat that had been told to wait.
 *
 * @param early by how much too early
 */
public record Violation(Bot bot, long chatId, String method, Instant at, Duration early) {}
