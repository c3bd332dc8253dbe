package dev.parley.tools.files;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.tools.files.SnapshotJson.EntryJson;
import dev.parley.tools.files.SnapshotJson.RestoredJson;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a project's workspace was. */
@Controller("/v1/projects/{project}/snapshots")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.tools", value = "true", beans = Workspaces.class)
@Tag(name = "Workspace")
class SnapshotController {
    private final Answers answers;

    SnapshotController(Workspaces workspaces) {
        this.answers = new Answers(workspaces);
    }

    /** Lists snapshots. */
    @Get
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listSnapshots", summary = "List snapshots", description = "The newest first.")
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<SnapshotJson> list(
            @PathVariable String project,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        int most = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<Snapshot> found = answers.in(
                caller,
                Capability.FILE_READ,
                project,
                workspace -> workspace.snapshots(
                        after == null ? null : after.time(), after == null ? null : after.id(), most + 1));
        return Page.of(found, most, SnapshotJson::of, one -> Cursor.of(one.at(), one.id()));
    }

    /** Takes a snapshot. */
    @Post
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(
            operationId = "takeSnapshot",
            summary = "Take a snapshot",
            description = "It stays until it is deleted. At most 1,000 of a project.")
    @ApiResponse(responseCode = "201", description = "The snapshot.")
    HttpResponse<SnapshotJson> take(@PathVariable String project, @Parameter(hidden = true) Caller caller) {
        return HttpResponse.created(SnapshotJson.of(answers.in(
                caller, Capability.FILE_WRITE, project, workspace -> workspace.snapshot(Answers.author(caller)))));
    }

    /** Shows a snapshot. */
    @Get("/{id}")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "getSnapshot", summary = "Get a snapshot")
    @ApiResponse(responseCode = "200", description = "The snapshot.")
    SnapshotJson get(@PathVariable String project, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return SnapshotJson.of(answers.in(caller, Capability.FILE_READ, project, workspace -> found(workspace, id)));
    }

    private static Snapshot found(Workspace workspace, UUID id) {
        return workspace.findSnapshot(id).orElseThrow(SnapshotController::unknown);
    }

    private static ApiException unknown() {
        return ApiException.notFound("unknown_snapshot", "There is no such snapshot");
    }

    /** Lists the files of a snapshot. */
    @Get("/{id}/files")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listSnapshotFiles", summary = "List the files of a snapshot", description = "By path.")
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<EntryJson> files(
            @PathVariable String project,
            @PathVariable UUID id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        int most = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<Snapshot.Entry> entries = answers.in(caller, Capability.FILE_READ, project, workspace -> {
            found(workspace, id);
            return workspace.entries(id, after == null ? "" : after.first(), most + 1);
        });
        return Page.of(entries, most, EntryJson::of, entry -> Cursor.of(entry.path(), entry.file()));
    }

    /** Makes everything what it was. */
    @Post("/{id}/restore")
    @RequiresCapability(Capability.FILE_WRITE)
    @Audited(source = "snapshot", action = "restore")
    @Operation(
            operationId = "restoreSnapshot",
            summary = "Restore a snapshot",
            description =
                    "Files are what they were, those that came since are deleted. What was there before is a snapshot as well.")
    @ApiResponse(responseCode = "200", description = "What became of it.")
    RestoredJson restore(@PathVariable String project, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return RestoredJson.of(answers.in(caller, Capability.FILE_WRITE, project, workspace -> {
            found(workspace, id);
            return workspace.restore(id, Answers.author(caller));
        }));
    }

    /** Forgets a snapshot. */
    @Delete("/{id}")
    @RequiresCapability(Capability.FILE_WRITE)
    @Audited(source = "snapshot", action = "delete")
    @Operation(operationId = "deleteSnapshot", summary = "Delete a snapshot", description = "No file changes.")
    @ApiResponse(responseCode = "204", description = "It is gone.")
    HttpResponse<Void> delete(
            @PathVariable String project, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        if (!answers.in(caller, Capability.FILE_WRITE, project, workspace -> workspace.deleteSnapshot(id))) {
            throw unknown();
        }
        return HttpResponse.noContent();
    }
}
