package dev.parley.control.projects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A project: sessions, files, bots and its members.
 *
 * @param key Key of the project, used in paths: /v1/projects/{key}/…
 * @param type Type: local, git or remote.
 * @param externalKey Key in an external system, such as the root commit of a git repository; no two projects have the
 *     same.
 * @param checkout State of the agents' tools for the folder in path: open, or closed if the folder does not exist or is
 *     not below one of tools.checkouts of the processes with the role tools (their log gives the reason); null if there
 *     is no path.
 */
@Serdeable
@MappedEntity(value = "project_t", schema = "control")
@RecordBuilder
@Schema(name = "Project")
record ProjectJson(
        @Id @MappedProperty("project_id") UUID id,
        @MappedProperty("project_key") String key,
        String name,
        @Nullable String description,
        String type,
        @Nullable String path,
        @Nullable String gitRemote,
        @Nullable String externalKey,
        @Nullable String iconUrl,
        @Nullable String color,

        @Schema(
                description = "Any JSON object. \"sessions\": \"shared\" shows all sessions to all members; "
                        + "\"retentionDays\": days without a message after which a session's content is "
                        + "removed; \"defaultModel\": model of agents that have none of their own; "
                        + "\"guardrails\": guardrails of all agents of the project, before their own; "
                        + "\"projectChanges\": true copies events of the project to the topic "
                        + "project-changes.",
                type = "object")
        @TypeDef(type = DataType.JSON)
        JsonNode settings,

        @Nullable @MappedProperty("owner_id") UUID owner,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @Nullable @MappedProperty("archived_ts") Instant archivedAt,
        @Nullable String checkout,
        @JsonIgnore @MappedProperty("aggregate_version") long version)
        implements ProjectJsonBuilder.With {

    /**
     * A copy of the project with the state of its checkout.
     *
     * @param open whether the checkout has tools
     */
    ProjectJson with(boolean open) {
        String state = path == null || type.equals("remote") ? null : open ? "open" : "closed";
        return withCheckout(state);
    }
}
