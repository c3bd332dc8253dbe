package dev.parley.channels.contract;

/**
 * A finding about a bot, without secrets.
 *
 * @param isFine false for a problem, whose text says what to do
 */
public record Finding(boolean isFine, String text) {}
