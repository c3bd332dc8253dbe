package dev.parley.control.projects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.Columns;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A project. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Project", description = "A project: sessions, files, bots and those who work with them.")
record ProjectJson(
        UUID id,

        @Schema(description = "What stands in paths: /v1/projects/{key}/…")
        String key,

        String name,
        @Nullable String description,

        @Schema(description = "local, git or remote.") String type,
        @Nullable String path,
        @Nullable String gitRemote,

        @Schema(
                description =
                        "What it is known by elsewhere, such as the root commit of a git repository; one for each project.")
        @Nullable
        String externalKey,

        @Nullable String iconUrl,
        @Nullable String color,

        @Schema(
                description = "Any JSON object. \"sessions\": \"shared\" shows everybody's sessions to all members; "
                        + "\"retentionDays\": after how many days without a word a session's content is removed; "
                        + "\"defaultModel\": the model of agents that have none of theirs; "
                        + "\"guardrails\": those of all its agents, before their own; "
                        + "\"projectChanges\": true copies what happens in it to the topic project-changes.",
                type = "object")
        JsonNode settings,

        @Nullable UUID owner,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant archivedAt,

        @Schema(
                description =
                        "Whether agents have tools for the folder that path names: open, or closed where it is not there "
                                + "or does not lie below one of tools.checkouts of the processes with the role tools, whose log says "
                                + "which; null where there is no path.")
        @Nullable
        String checkout,

        @JsonIgnore long version) {

    static final String COLUMNS = """
            p.project_id, p.project_key, p.name, p.description, p.type, p.path, p.git_remote, p.external_key, p.icon_url,
            p.color, p.settings, p.owner_id, p.created_ts, p.update_ts, p.archived_ts, p.aggregate_version
            """;

    static ProjectJson of(ResultSet row) throws SQLException {
        return new ProjectJson(
                Columns.uuid(row, "project_id"),
                row.getString("project_key"),
                row.getString("name"),
                row.getString("description"),
                row.getString("type"),
                row.getString("path"),
                row.getString("git_remote"),
                row.getString("external_key"),
                row.getString("icon_url"),
                row.getString("color"),
                Columns.json(row, "settings"),
                Columns.uuidOrNull(row, "owner_id"),
                Columns.time(row, "created_ts"),
                Columns.time(row, "update_ts"),
                Columns.timeOrNull(row, "archived_ts"),
                null,
                row.getLong("aggregate_version"));
    }

    /** The same, with what becomes of its checkout. @param open whether there are tools for it */
    ProjectJson with(boolean open) {
        String state = path == null || type.equals("remote") ? null : open ? "open" : "closed";
        return new ProjectJson(
                id,
                key,
                name,
                description,
                type,
                path,
                gitRemote,
                externalKey,
                iconUrl,
                color,
                settings,
                owner,
                createdAt,
                updatedAt,
                archivedAt,
                state,
                version);
    }
}
