package dev.parley.channels.contract;

/** Result of handing a message or command to Parley: whether the channel may acknowledge it. */
public sealed interface Taken {

    /** Stored durably: acknowledge it. */
    record Safe() implements Taken {}

    /**
     * Rejected permanently: acknowledge it, a redelivery is rejected again.
     *
     * @param code machine-readable, such as {@code not_allowed}, {@code project_archived}, {@code invalid_field}
     * @param message for users
     */
    record Refused(String code, String message) implements Taken {}

    /**
     * It is unknown whether it was stored. The channel does not acknowledge it and redelivers it after at least one
     * second.
     *
     * @param why reason, for operators
     */
    record NotSafe(String why) implements Taken {}
}
