package dev.parley.control.people;

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

/** Somebody, as they and administrators see them. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "User", description = "Somebody who uses this installation.")
record Person(
        UUID id,
        String username,
        @Nullable String email,
        @Nullable String avatarUrl,

        @Schema(description = "admin or user, in the caller's host.")
        String role,

        @Schema(description = "What clients keep for this person.", type = "object")
        JsonNode preferences,

        @Schema(description = "For example Europe/Berlin.") @Nullable
        String timeZone,

        @Schema(description = "For example de.") @Nullable String language,
        boolean active,
        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "When they signed in last, or null.") @Nullable
        Instant lastLoginAt,

        @JsonIgnore long version) {

    static final String COLUMNS = """
            u.user_id, u.username, u.email, u.avatar_url, h.role, u.preferences, u.time_zone, u.language,
            u.active AND h.active AS active, u.created_ts, u.update_ts, u.last_login_ts,
            u.aggregate_version + h.aggregate_version - 1 AS version
            """;

    static Person of(ResultSet row) throws SQLException {
        return new Person(
                Columns.uuid(row, "user_id"),
                row.getString("username"),
                row.getString("email"),
                row.getString("avatar_url"),
                row.getString("role"),
                Columns.json(row, "preferences"),
                row.getString("time_zone"),
                row.getString("language"),
                row.getBoolean("active"),
                Columns.time(row, "created_ts"),
                Columns.time(row, "update_ts"),
                Columns.timeOrNull(row, "last_login_ts"),
                row.getLong("version"));
    }
}
