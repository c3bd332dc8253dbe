package dev.parley.control.definitions;

import dev.parley.platform.document.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a tool, a skill or an endpoint, as stored.
 *
 * @param project null for the host's own
 * @param stored the entry, or why this build refuses it
 * @param row the version of the row
 */
public record CatalogueRow<B extends DefinitionEntry>(
        UUID host, @Nullable UUID project, String name, String version, Stored<B> stored, Instant updatedAt, long row) {
    /** The text that searches match. */
    public String searchText() {
        return stored.valid().map(DefinitionEntry::searchText).orElse(name);
    }
}
