package dev.parley.channels.contract;

import java.time.Duration;

/**
 * What a channel permits.
 *
 * @param bot messages that a bot may send in a second, wherever
 * @param burst messages and changes that a conversation takes at once
 * @param calls messages and changes that it takes in {@code period} after that
 * @param edits the least time between two changes of a message that still grows
 */
public record Limits(int bot, int burst, int calls, Duration period, Duration edits) {}
