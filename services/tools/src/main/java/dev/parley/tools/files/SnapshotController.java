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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The snapshots of a workspace over HTTP. */
@Controller("/v1/projects/{project}/snapshots")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.tools", value = "true", beans = Workspaces.class)
@Tag(name = "Workspace")
class SnapshotController {
    private final WorkspaceRequests requests;

    SnapshotController(Workspaces workspaces) {
        this.requests = new WorkspaceRequests(workspaces);
    }

    /**
     * List snapshots. Snapshots of the workspace, newest first.
     *
     * @return A page of snapshots.
     */
    @Get
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listSnapshots")
    Page<SnapshotJson> list(
            @PathVariable String project,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<WorkspaceSnapshot> found = requests.run(
                caller,
                Capability.FILE_READ,
                project,
                workspace -> workspace.snapshots(Cursor.timeOf(after), Cursor.idOf(after), max + 1));
        return Page.of(found, max, SnapshotJson::of, snapshot -> Cursor.of(snapshot.at(), snapshot.id()));
    }

    /**
     * Create a snapshot. The snapshot is kept until it is deleted. A project has at most 1,000 snapshots requested by
     * users.
     */
    @Post
    @RequiresCapability(Capability.FILE_WRITE)
    @Operation(operationId = "takeSnapshot")
    @ApiResponse(responseCode = "201", description = "The snapshot.")
    HttpResponse<SnapshotJson> take(@PathVariable String project, Caller caller) {
        return HttpResponse.created(SnapshotJson.of(requests.run(
                caller,
                Capability.FILE_WRITE,
                project,
                workspace -> workspace.snapshot(WorkspaceRequests.author(caller)))));
    }

    /**
     * Get a snapshot.
     *
     * @return The snapshot.
     */
    @Get("/{id}")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "getSnapshot")
    SnapshotJson get(@PathVariable String project, @PathVariable UUID id, Caller caller) {
        return SnapshotJson.of(requests.run(caller, Capability.FILE_READ, project, workspace -> find(workspace, id)));
    }

    private static WorkspaceSnapshot find(Workspace workspace, UUID id) {
        return workspace.findSnapshot(id).orElseThrow(SnapshotController::unknown);
    }

    private static ApiException unknown() {
        return ApiException.notFound("unknown_snapshot", "There is no such snapshot");
    }

    /**
     * List the files of a snapshot. Files of the snapshot, ordered by path.
     *
     * @return A page of files.
     */
    @Get("/{id}/files")
    @RequiresCapability(Capability.FILE_READ)
    @Operation(operationId = "listSnapshotFiles")
    Page<EntryJson> files(
            @PathVariable String project,
            @PathVariable UUID id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<WorkspaceSnapshot.Entry> entries = requests.run(caller, Capability.FILE_READ, project, workspace -> {
            find(workspace, id);
            return workspace.entries(id, after == null ? "" : after.first(), max + 1);
        });
        return Page.of(entries, max, EntryJson::of, entry -> Cursor.of(entry.path(), entry.file()));
    }

    /**
     * Restore a snapshot. Files get the content of the snapshot; newer files are deleted. The previous state is saved
     * as a snapshot.
     *
     * @return The snapshot was restored.
     */
    @Post("/{id}/restore")
    @RequiresCapability(Capability.FILE_WRITE)
    @Audited(source = "snapshot", action = "restore")
    @Operation(operationId = "restoreSnapshot")
    RestoredJson restore(@PathVariable String project, @PathVariable UUID id, Caller caller) {
        return RestoredJson.of(requests.run(caller, Capability.FILE_WRITE, project, workspace -> {
            find(workspace, id);
            return workspace.restore(id, WorkspaceRequests.author(caller));
        }));
    }

    /** Delete a snapshot. The files of the workspace are unchanged. */
    @Delete("/{id}")
    @RequiresCapability(Capability.FILE_WRITE)
    @Audited(source = "snapshot", action = "delete")
    @Operation(operationId = "deleteSnapshot")
    @ApiResponse(responseCode = "204", description = "The snapshot was deleted.")
    HttpResponse<Void> delete(@PathVariable String project, @PathVariable UUID id, Caller caller) {
        if (!requests.run(caller, Capability.FILE_WRITE, project, workspace -> workspace.deleteSnapshot(id))) {
            throw unknown();
        }
        return HttpResponse.noContent();
    }
}
