package dev.parley.domain.protocol;

import dev.parley.domain.Coded;
import dev.parley.domain.access.Capability;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A decision on an approval of a tool call. */
public enum ApprovalAnswer implements Coded {
    /** Allowed, this call only. */
    ONCE,
    /** Allowed, with a rule for this session. */
    SESSION,
    /** Allowed, with a rule for the project. */
    PROJECT,
    /** Allowed, with a rule for the host. */
    HOST,
    /** Denied. */
    REJECT,
    /** Denied on timeout: no answer before the deadline. */
    EXPIRED;

    /** The answer with this name, of those that people give; empty where there is none. */
    public static Optional<ApprovalAnswer> ofPerson(@Nullable String code) {
        return Arrays.stream(values())
                .filter(answer -> answer != EXPIRED && answer.code().equals(code))
                .findFirst();
    }

    /** The capability required for this answer: the same as for creating the rule that it implies. */
    public Capability needs() {
        return switch (this) {
            case ONCE, SESSION, REJECT, EXPIRED -> Capability.SESSION_SEND;
            case PROJECT -> Capability.AGENT_MANAGE;
            case HOST -> Capability.SETTING_MANAGE;
        };
    }

    /** Whether the call is executed. */
    public boolean allows() {
        return this != REJECT && this != EXPIRED;
    }
}
