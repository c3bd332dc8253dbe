package dev.parley.channels.contract;

import java.time.Duration;

/**
 * Rate limits of a channel.
 *
 * @param bot messages per second that a bot may send, over all conversations
 * @param burst sends and edits that a conversation accepts at once
 * @param calls sends and edits per {@code period} that a conversation accepts after the burst
 * @param edits minimum interval between two edits of a streaming message
 */
public record Limits(int bot, int burst, int calls, Duration period, Duration edits) {}
