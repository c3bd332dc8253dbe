package dev.parley.channels.contract;

/** The messages of a group that a bot answers. */
public enum Groups {
    /** None. */
    OFF,
    /** Mentions, replies to the bot, and commands. */
    MENTION,
    ALL
}
