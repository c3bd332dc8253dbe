package dev.parley.control.definitions;

import dev.parley.domain.document.Fault;
import dev.parley.platform.definitions.DefinitionVersions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Versions of tools and skills. */
final class EntryVersions {
    /** The version of what names none. */
    static final String FIRST = "1.0.0";

    private static final int MAX_LENGTH = 32;

    private EntryVersions() {}

    /** What is invalid in the field {@code version}, if it has a value. */
    static Optional<Fault> fault(@Nullable String version) {
        return version == null || version.length() <= MAX_LENGTH && DefinitionVersions.isVersion(version)
                ? Optional.empty()
                : Optional.of(new Fault(
                        "version", "must be a version such as 1.0.0 or 2.0.0-beta.1, with at most 32 characters"));
    }
}
