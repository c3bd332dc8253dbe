package dev.parley.domain.protocol;

import dev.parley.domain.Coded;
import dev.parley.domain.access.Capability;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of the question whether a tool call may be carried out. */
public enum ApprovalAnswer implements Coded {
    /** It may, this time. */
    ONCE,
    /** It may, and whatever is the same in this session. */
    SESSION,
    /** It may, and whatever is the same in all sessions of the project. */
    PROJECT,
    /** It may, and whatever is the same in all projects of the host. */
    HOST,
    /** It may not. */
    REJECT,
    /** Nobody answered in time: it may not. */
    EXPIRED;

    /** The answer with this name, of those that people give; empty where there is none. */
    public static Optional<ApprovalAnswer> given(@Nullable String code) {
        return Arrays.stream(values())
                .filter(answer -> answer != EXPIRED && answer.code().equals(code))
                .findFirst();
    }

    /** What somebody must be allowed to do who answers this: the same as to make the rule that follows from it. */
    public Capability needs() {
        return switch (this) {
            case ONCE, SESSION, REJECT, EXPIRED -> Capability.SESSION_SEND;
            case PROJECT -> Capability.AGENT_MANAGE;
            case HOST -> Capability.SETTING_MANAGE;
        };
    }

    /** Whether the call is carried out. */
    public boolean allows() {
        return this != REJECT && this != EXPIRED;
    }
}
