package dev.parley.domain.memory;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a derived unit.
 *
 * @param how {@code rules-…} or {@code model-…}, with a version
 * @param prompt SHA-256 of the prompt, or null if no model was called
 * @param model {@code provider/model}, or null if no model was called
 */
public record Maker(
        String how, @Nullable String prompt, @Nullable String model) {
    /** Rules of this version. */
    public static Maker rules(String version) {
        return new Maker(version, null, null);
    }
}
