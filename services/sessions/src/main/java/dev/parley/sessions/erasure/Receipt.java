package dev.parley.sessions.erasure;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.platform.database.Columns;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of an erasure; it contains no erased content.
 *
 * @param waitingFor services that have not confirmed the removal
 * @param logCleanBy time from which no log contains the erased content, or null while the erasure is not complete
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Erasure", description = "An erasure and its progress, without content.")
record Receipt(
        UUID id,

        @Schema(
                description =
                        "Kind of the erasure: session, user, project, or agent (the memories of a deleted agent).")
        String kind,

        @Schema(
                description = "Record key of the session, id of the user, key of the project, or name of the agent "
                        + "prefixed with its project key.")
        String subject,

        @Schema(description = "State of the erasure: running or done.")
        String state,

        long sessions,
        long messages,
        long events,
        long files,
        List<String> waitingFor,
        @Nullable String requestedBy,
        Instant requestedAt,
        @Nullable Instant doneAt,

        @Schema(description = "Time from which no log contains it; null until the erasure is done.") @Nullable
        Instant logCleanBy) {
    static Receipt of(ResultSet row) throws SQLException {
        var kind = Erasure.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        return new Receipt(
                Columns.uuid(row, "erasure_id"),
                kind.name().toLowerCase(Locale.ROOT),
                row.getString("subject"),
                row.getString("state").equals("done") ? "done" : "running",
                row.getLong("sessions") + row.getLong("child_sessions"),
                row.getLong("messages") + row.getLong("child_messages"),
                row.getLong("events") + row.getLong("child_events"),
                row.getLong("files") + row.getLong("child_files"),
                unconfirmed(row, kind),
                row.getString("requested_by"),
                Columns.time(row, "requested_ts"),
                Columns.timeOrNull(row, "done_ts"),
                Columns.timeOrNull(row, "log_clean_ts"));
    }

    private static List<String> unconfirmed(ResultSet row, Erasure.Kind kind) throws SQLException {
        var services = new ArrayList<String>();
        if (!row.getString("state").equals("done")) {
            services.addAll(Erasures.SERVICES.getOrDefault(kind, List.of()));
            services.removeAll(Arrays.asList((String[]) row.getArray("services").getArray()));
            boolean isRequested = row.getString("state").equals("asked") && kind != Erasure.Kind.AGENT;
            if (row.getLong("child_open") > 0 || isRequested) {
                services.addFirst("sessions");
            }
        }
        return services;
    }
}
