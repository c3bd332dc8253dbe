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
 * @param revision of its last publication or deletion; grows from change to change among the versions of a name
 * @param imported whether it was imported and not published since: its schedule does not run yet
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
        long revision,
        boolean imported,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {
    /** {@code namespace:name:version} */
    public String reference() {
        return namespace + ":" + name + ":" + version;
    }
}
