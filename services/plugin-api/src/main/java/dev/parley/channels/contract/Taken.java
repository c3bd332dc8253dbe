package dev.parley.channels.contract;

/** What becomes of something that a channel gives. */
public sealed interface Taken {

    /** It is safe: the channel may forget it. */
    record Safe() implements Taken {}

    /**
     * It is not taken, and will not be when it comes again: the channel may forget it.
     *
     * @param code a word for programs, such as {@code not_allowed}, {@code project_archived}, {@code invalid_field}
     * @param message a sentence for people
     */
    record Refused(String code, String message) implements Taken {}

    /**
     * Nobody knows whether it is safe. The channel keeps it, confirms nothing, and gives it again after a second or more.
     *
     * @param why for operators
     */
    record NotSafe(String why) implements Taken {}
}
