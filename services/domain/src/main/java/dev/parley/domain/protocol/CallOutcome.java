package dev.parley.domain.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of a tool call that nobody saw the end of, as a person found out. */
public enum CallOutcome {
    HAPPENED,
    DID_NOT_HAPPEN;

    /** Its name in JSON and tables, for example {@code did_not_happen}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The outcome with this name. */
    public static Optional<CallOutcome> of(@Nullable String code) {
        return Arrays.stream(values())
                .filter(outcome -> outcome.code().equals(code))
                .findFirst();
    }
}
