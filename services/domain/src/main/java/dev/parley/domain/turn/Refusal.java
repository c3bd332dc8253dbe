package dev.parley.domain.turn;

import java.util.Optional;

/** The reason why a command is rejected. */
record Refusal(String code, String message) {
    static final Refusal UNKNOWN_SESSION = new Refusal("unknown_session", "there is no such session");

    /** A refusal if the condition holds. */
    static Optional<Refusal> when(boolean condition, String code, String message) {
        return condition ? Optional.of(new Refusal(code, message)) : Optional.empty();
    }

    /** The context does not contain what a command names, such as {@code the turn} or {@code an answer}. */
    static Refusal notInContext(String code, String subject, Object id) {
        return new Refusal(
                code,
                "the model is not shown %s %s: it is none of this session, was taken back, or is part of a summary"
                        .formatted(subject, id));
    }
}
