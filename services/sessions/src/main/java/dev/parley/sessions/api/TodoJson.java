package dev.parley.sessions.api;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;

/** A todo. */
@Serdeable
@Schema(name = "Todo", description = "One item of the list that an agent keeps of what it does in a session.")
record TodoJson(
        @Schema(description = "Its place in the list, from 0.")
        int position,

        @Schema(description = "What is to be done.") String content,

        @Schema(description = "The same while it is being done.")
        String activeForm,

        @Schema(description = "pending, in_progress or completed; one of a list is in_progress, or none.")
        String status,

        @Schema(description = "When the list was written.") Instant updatedAt) {

    static final String COLUMNS = "t.position, t.content, t.active_form, t.status, t.update_ts";

    static TodoJson of(ResultSet row) throws SQLException {
        return new TodoJson(
                row.getInt("position"),
                row.getString("content"),
                row.getString("active_form"),
                row.getString("status"),
                Objects.requireNonNull(Views.instant(row, "update_ts")));
    }
}
