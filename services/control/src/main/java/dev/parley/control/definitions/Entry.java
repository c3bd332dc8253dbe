package dev.parley.control.definitions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A tool, a skill or an endpoint in the HTTP API. Read-only fields are ignored in requests. */
public sealed interface Entry permits ToolJson, SkillJson, EndpointJson {
    /** Its name. */
    @Nullable
    String name();

    /** Which one of its name. */
    @Nullable
    String version();

    /** Whether it can be used. */
    @Nullable
    Boolean enabled();

    /** The text that searches match. */
    String searchText();

    /** Without fields that only its definers may see. */
    Entry redacted();

    /** With its read-only fields; null omits one. */
    Entry withServerFields(@Nullable String source, @Nullable Instant updatedAt);
}
