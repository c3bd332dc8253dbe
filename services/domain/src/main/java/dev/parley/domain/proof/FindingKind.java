package dev.parley.domain.proof;

import dev.parley.domain.Coded;

/** Ways in which an operation does not have exactly one end. */
public enum FindingKind implements Coded {
    MESSAGE_WITHOUT_TURN("a message became no turn, joined none and was not refused"),
    COMMAND_WITHOUT_OUTCOME("a command has no outcome"),
    COMMAND_DEAD_LETTER("a command is on dead-letters and was not re-driven"),
    TWO_OUTCOMES("a command was decided in two ways"),
    TURN_WITHOUT_MESSAGE("a turn was accepted without a message"),
    TURN_TWICE("a turn was accepted twice"),
    TURN_NOT_ON_EVENTS("a turn is remembered that is not on turn-events"),
    TURN_NOT_STARTED("a turn waits although no turn runs before it"),
    TURN_WITHOUT_END("a turn has not ended by its deadline"),
    TURN_ENDED_TWICE("a turn ended twice"),
    END_WITHOUT_TURN("a turn ended that was never accepted"),
    REPLY_MISSING("a turn ended and its chat has no reply"),
    REPLY_TWICE("a turn has two final replies"),
    REPLY_WITHOUT_TURN("a reply is of no turn"),
    REPLY_NOT_DELIVERED("no bot has dealt with a reply"),
    REPLY_DEAD_LETTER("a reply is on dead-letters"),
    CALL_TWICE("a tool call was handed out twice as the first time"),
    CALL_WITHOUT_RESULT("a turn ended and its tool call has no result"),
    CALL_ENDED_TWICE("a tool call has two results"),
    RESULT_WITHOUT_CALL("a result is of no tool call"),
    APPROVAL_WITHOUT_END("an approval is open, and its turn has ended or its time is over"),
    CALL_WITHOUT_ANSWER("a tool call was executed although its approval was not decided"),
    APPROVAL_ENDED_TWICE("an approval has two answers"),
    ANSWER_WITHOUT_QUESTION("an answer belongs to no approval"),
    EVENTS_MISSING("numbers are missing among the events of a session"),
    EVENT_TWICE("an event has a number that its session had already"),
    FOREIGN_RECORD("a record is none of its topic's, or in the wrong place");

    private final String text;

    FindingKind(String text) {
        this.text = text;
    }

    /** A description. */
    public String text() {
        return text;
    }
}
