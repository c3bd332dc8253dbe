package dev.parley.memory.search;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What can be found. */
public enum Kind {
    /** A piece of what was said, as it was said. */
    TURN,
    /** A fact, an opinion, an observation or a mental model. */
    UNIT,
    /** An answer that was thought through, kept with what it rests on. */
    REFLECTION;

    /** Its name for clients, for example {@code turn}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of this name. */
    public static Optional<Kind> of(String code) {
        return Arrays.stream(values()).filter(kind -> kind.code().equals(code)).findFirst();
    }
}
