package dev.parley.control.hosts;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.control.http.Columns;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/** A tenant, as operators see it. */
@Serdeable
@Schema(name = "Host", description = "A tenant: its people, projects and sessions are nobody else's.")
record HostJson(
        UUID id,
        String key,
        String name,

        @Schema(description = "Whether its people may do anything.")
        boolean active,

        Instant createdAt,
        @JsonIgnore long version) {
    static final String COLUMNS = "host_id, host_key, name, active, created_ts, aggregate_version";

    static HostJson of(ResultSet row) throws SQLException {
        return new HostJson(
                Columns.uuid(row, "host_id"),
                row.getString("host_key"),
                row.getString("name"),
                row.getBoolean("active"),
                Columns.time(row, "created_ts"),
                row.getLong("aggregate_version"));
    }
}
