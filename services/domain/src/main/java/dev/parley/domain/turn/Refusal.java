package dev.parley.domain.turn;

import java.util.Optional;

/** The reason why a command is rejected. */
record Refusal(String code, String message) {
    static final Refusal UNKNOWN_SESSION = new Refusal("unknown_session", "there is no such session");

    /** The author is a guest in the session of another user. */
    static final Refusal NOT_YOURS = new Refusal(
            "not_yours",
            "the session belongs to another user: you may read it and write in it, but not change it or what others"
                    + " did in it");

    /** A question is not for the author, see {@link Standing#answers}. */
    static final Refusal NOT_YOURS_TO_ANSWER = new Refusal(
            "not_yours",
            "only the person whose message began this turn, and those who lead the project, answer what it asks");

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
