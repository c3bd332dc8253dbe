package dev.parley.domain.memory;

import org.jspecify.annotations.Nullable;

/**
 * What made a unit of other units.
 *
 * @param how {@code rules-…} or {@code model-…}, with a version
 * @param prompt SHA-256 of what the model was told, or null where none was asked
 * @param model which one, {@code provider/model}, or null where none was asked
 */
public record Maker(
        String how, @Nullable String prompt, @Nullable String model) {
    /** Rules of this version. */
    static Maker rules(String version) {
        return new Maker(version, null, null);
    }
}
