package dev.parley.control.credentials;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.Columns;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A credential, without what is secret. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Credential", description = "A key of a model provider, without the key.")
record CredentialJson(
        UUID id,
        String provider,
        @Nullable String name,

        @Schema(description = "How the key ends; empty where it is short.")
        String last4,

        @Schema(description = "Whether it pays where nothing else is said; one of each provider does.")
        boolean isDefault,

        @Schema(description = "user or host.") String owner,
        Instant createdAt,
        Instant updatedAt,

        @JsonIgnore long version) {

    static final String COLUMNS = """
            credential_id, provider, name, last4, is_default, user_id, created_ts, update_ts, aggregate_version
            """;

    static CredentialJson of(ResultSet row) throws SQLException {
        return new CredentialJson(
                Columns.uuid(row, "credential_id"),
                row.getString("provider"),
                row.getString("name"),
                row.getString("last4"),
                row.getBoolean("is_default"),
                Columns.uuidOrNull(row, "user_id") == null ? "host" : "user",
                Columns.time(row, "created_ts"),
                Columns.time(row, "update_ts"),
                row.getLong("aggregate_version"));
    }
}
