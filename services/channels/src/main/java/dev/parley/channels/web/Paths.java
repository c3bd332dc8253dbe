package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import org.jspecify.annotations.Nullable;

/** What paths have in common. */
final class Paths {
    private Paths() {}

    /** The project of a path; that of {@code /v1/sessions/…} is the default one. */
    static String project(@Nullable String given) {
        return given == null ? RecordKey.DEFAULT_PROJECT : given;
    }
}
