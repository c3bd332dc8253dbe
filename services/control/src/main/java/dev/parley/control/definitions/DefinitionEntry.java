package dev.parley.control.definitions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A tool, a skill or an endpoint in the HTTP API. Read-only fields are ignored in requests. */
public sealed interface DefinitionEntry permits ToolJson, SkillEntry, EndpointJson {
    /** The name of the entry. */
    String name();

    /** The version; it distinguishes the entries of one name. */
    String version();

    /** Whether the entry can be used. */
    boolean enabled();

    /** The text that searches match. */
    String searchText();

    /** A copy without the fields that only its definers may see. */
    DefinitionEntry redacted();

    /** A copy with its read-only fields; null omits one. */
    DefinitionEntry withServerFields(@Nullable String source, @Nullable Instant updatedAt);
}
