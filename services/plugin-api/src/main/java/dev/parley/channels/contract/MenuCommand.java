package dev.parley.channels.contract;

import java.util.Map;
import java.util.Objects;

/**
 * A command that users type, for the menu of the other side.
 *
 * @param name without the slash: at most 32 letters in lower case
 * @param descriptions by language: an IETF tag, or empty for English, which is always there; at most 256 characters
 * @param alone whether its answer concerns the sender alone: in groups others need not see it
 */
public record MenuCommand(String name, Map<String, String> descriptions, boolean alone) {
    public MenuCommand {
        descriptions = Map.copyOf(descriptions);
    }

    /** A command that others in a group see answered. */
    public MenuCommand(String name, Map<String, String> descriptions) {
        this(name, descriptions, false);
    }

    /** The description in a language; in English where it is missing. */
    public String description(String language) {
        String english = Objects.requireNonNull(descriptions.get(""));
        return Objects.requireNonNullElse(descriptions.get(language), english);
    }
}
