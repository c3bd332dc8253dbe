package dev.parley.workflows.catalogue;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A published definition.
 *
 * @param projectId null for a host-level definition
 * @param definition the published text, unchanged
 * @param digest SHA-256 of it
 */
@MappedEntity(value = "wf_definition_t", schema = "workflows")
public record DefinitionRow(
        UUID hostId,
        @Id UUID wfDefId,
        @Nullable UUID projectId,
        String namespace,
        String name,
        String version,
        String definition,
        String digest,
        @Nullable String title,
        @Nullable String summary,
        long aggregateVersion,
        boolean active,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {
    /** {@code namespace:name:version} */
    public String reference() {
        return namespace + ":" + name + ":" + version;
    }
}
