package dev.parley.control.audit;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the audit log. */
@Controller("/v1/audit")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Audit", description = "Audit log of actions: actor, target and outcome.")
class AuditController {
    private final Database database;
    private final AuditRows rows;

    AuditController(Database database, AuditRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /**
     * An action that was carried out or attempted.
     *
     * @param source Kind of the target, such as user or api-key.
     * @param action Action on the target.
     * @param subject Id of the target.
     * @param key Visible part of the key or token that was presented.
     */
    @Serdeable
    @Schema(name = "AuditEntry")
    record EntryJson(
            UUID id,
            @Nullable UUID project,
            @Nullable String source,
            @Nullable String action,
            @Nullable String subject,
            @Nullable String correlationId,
            @Nullable String user,
            @Nullable String key,
            Instant at,
            boolean success,
            @Nullable String message,
            @Nullable String comment) {
        static EntryJson of(AuditRow row) {
            return new EntryJson(
                    row.auditLogId(),
                    row.projectId(),
                    row.source(),
                    row.action(),
                    row.subject(),
                    row.correlationId(),
                    row.userId(),
                    row.key(),
                    row.at(),
                    "Y".equals(row.success()),
                    row.message(),
                    row.userComment());
        }
    }

    /**
     * Read the audit log. Entries, newest first. Administrators read the host's; project leaders read their project's
     * with ?project=.
     *
     * @param source Kind of the target, such as user or api-key.
     * @param from Earliest time, inclusive.
     * @param to Latest time, exclusive.
     * @return A page of entries.
     */
    @Get
    @Authenticated
    Page<EntryJson> find(
            @Nullable @QueryValue String project,
            @Nullable @QueryValue String source,
            @Nullable @QueryValue String correlationId,
            @Nullable @QueryValue String user,
            @Nullable @QueryValue Instant from,
            @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        Tenant tenant = tenant(caller, project);
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<AuditRow> found = database.listingIn(
                tenant,
                () -> rows.page(
                        caller.host(),
                        source,
                        correlationId,
                        user,
                        from,
                        to,
                        Cursor.timeOf(after),
                        Cursor.idOf(after),
                        max + 1));
        return Page.of(found, max, row -> EntryJson.of(row), row -> Cursor.of(row.at(), row.auditLogId()));
    }

    private static Tenant tenant(Caller caller, @Nullable String project) {
        if (project == null) {
            caller.require(Capability.HOST_AUDIT);
            return caller.tenant();
        }
        Project target = caller.require(Capability.AUDIT_READ, project);
        return caller.tenant().project(target.project());
    }
}
