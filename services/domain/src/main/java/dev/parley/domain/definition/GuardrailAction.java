package dev.parley.domain.definition;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a guardrail does about a text. */
public enum GuardrailAction {
    /** The text goes on as it is. */
    ALLOW,
    /** Nobody gets it, and the turn ends. */
    BLOCK,
    /** Another text takes its place. */
    REWRITE;

    /** As tools and people write it. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one that is written so. */
    public static Optional<GuardrailAction> of(String code) {
        return Stream.of(values()).filter(one -> one.code().equals(code)).findFirst();
    }
}
