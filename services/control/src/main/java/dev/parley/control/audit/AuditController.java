package dev.parley.control.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.Columns;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.SignedIn;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was done, for those who may know. */
@Controller("/v1/audit")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true")
@Tag(name = "Audit", description = "What was done, by whom, and with what outcome.")
class AuditController {
    private static final String SELECT = """
            SELECT audit_log_id, project_id, source_type_id, correlation_id, user_id, event_ts, success, message0, message1, message2,
                   message, user_comment
            FROM control.audit_log_t WHERE host_id = ?
            """;

    private final Database database;

    AuditController(Database database) {
        this.database = database;
    }

    /** Something that was done. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "AuditEntry", description = "Something that was done, or was tried.")
    record EntryJson(
            UUID id,
            @Nullable UUID project,

            @Schema(description = "What kind of thing, such as user or api-key.") @Nullable
            String source,

            @Schema(description = "What was done with it.") @Nullable
            String action,

            @Schema(description = "Its id.") @Nullable String subject,
            @Nullable String correlationId,
            @Nullable String user,

            @Schema(description = "The visible part of the key or token that was shown.") @Nullable
            String key,

            Instant at,
            boolean success,
            @Nullable String message,
            @Nullable String comment) {
        static EntryJson of(ResultSet row) throws SQLException {
            return new EntryJson(
                    Columns.uuid(row, "audit_log_id"),
                    Columns.uuidOrNull(row, "project_id"),
                    row.getString("source_type_id"),
                    row.getString("message0"),
                    row.getString("message1"),
                    row.getString("correlation_id"),
                    row.getString("user_id"),
                    row.getString("message2"),
                    Columns.time(row, "event_ts"),
                    "Y".equals(row.getString("success")),
                    row.getString("message"),
                    row.getString("user_comment"));
        }
    }

    /** Finds entries. */
    @Get
    @SignedIn
    @Operation(
            summary = "Read the audit log",
            description =
                    "The newest first. Administrators read the host's; those who lead a project, with ?project=, its own.")
    @ApiResponse(responseCode = "200", description = "A page of entries.")
    Page<EntryJson> find(
            @Nullable @QueryValue String project,
            @Parameter(description = "What kind of thing.") @Nullable @QueryValue String source,
            @Nullable @QueryValue String correlationId,
            @Nullable @QueryValue String user,
            @Parameter(description = "Not before.") @Nullable @QueryValue Instant from,
            @Parameter(description = "Before.") @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        Tenant tenant = tenant(caller, project);
        int most = Cursor.limit(limit);
        var sql = new StringBuilder(SELECT);
        List<@Nullable Object> values = new ArrayList<>(List.of(caller.host()));
        and(sql, values, " AND source_type_id = ?", source);
        and(sql, values, " AND correlation_id = ?", correlationId);
        and(sql, values, " AND user_id = ?", user);
        and(sql, values, " AND event_ts >= ?", from);
        and(sql, values, " AND event_ts < ?", to);
        Cursor after = Cursor.parse(cursor);
        if (after != null) {
            sql.append(" AND (event_ts, audit_log_id) < (?, ?)");
            values.add(after.time());
            values.add(after.id());
        }
        sql.append(" ORDER BY event_ts DESC, audit_log_id DESC LIMIT ?");
        values.add(most + 1);
        List<EntryJson> rows = database.in(
                tenant,
                transaction ->
                        transaction.query(sql.toString(), row -> Columns.all(row, EntryJson::of), values.toArray()));
        return Page.of(rows, most, row -> row, row -> Cursor.of(row.at(), row.id()));
    }

    private static Tenant tenant(Caller caller, @Nullable String project) {
        if (project == null) {
            caller.require(Capability.HOST_AUDIT);
            return caller.tenant();
        }
        Project its = caller.require(Capability.AUDIT_READ, project);
        return caller.tenant().project(its.project());
    }

    private static void and(
            StringBuilder sql, List<@Nullable Object> values, String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(condition);
            values.add(value);
        }
    }
}
