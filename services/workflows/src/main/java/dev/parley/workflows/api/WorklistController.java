package dev.parley.workflows.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Database;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.workflows.api.ProcessQueries.OpenTasks;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Routes of worklists: the tasks of a person or role, and their columns. A worklist without settings has all columns.
 */
@Controller("/v1/worklists")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Worklists", description = "Tasks of people and roles by category.")
class WorklistController {
    private static final String EVERY = "(all)";
    private static final String GLOBAL = "global";
    private static final String ACTIVE = "Active";
    private static final Set<String> STATUSES = Set.of(ACTIVE, "Inactive");
    private static final Set<String> FIELDS = Set.of("status", "appId", "columns");
    private static final int MAX_LENGTH = 126;

    /** Valid columns. */
    private static final List<String> COLUMNS = List.of(
            ("id name type prompt priority deadline startedAt claimedBy claimedUntil lockGroup processId instanceId session"
                            + " turnId callId question input status phase")
                    .split(" "));

    private final WorklistRows rows;
    private final Database database;
    private final ProcessService service;
    private final ProcessQueries processes;

    WorklistController(WorklistRows rows, Database database, ProcessService service, ProcessQueries processes) {
        this.rows = rows;
        this.database = database;
        this.service = service;
        this.processes = processes;
    }

    /**
     * List worklists. Worklists with settings of an assignee, ordered by category. The assignee me is the caller.
     *
     * @return The worklists: {data}.
     */
    @Get("/{assignee}")
    @Authenticated
    @Operation(operationId = "listWorklists")
    String list(@PathVariable String assignee, Caller caller) {
        String id = assigneeId(assignee, caller);
        List<Json> worklists = database.in(
                caller.tenant(),
                () -> rows.findOf(caller.host(), id).stream()
                        .map(row -> json(row, rows.columns(caller.host(), id, row.categoryId())))
                        .toList());
        return Json.of("data", Json.of(worklists)).toString();
    }

    /**
     * Create or replace a worklist. The body is {status, appId, columns}. status: Active, or Inactive for no new tasks;
     * defaults to Active. appId: app whose processes the tasks belong to, or global for all; defaults to global.
     * columns: names of columns in order; defaults to all. Only administrators can set worklists of others.
     *
     * @return The worklist.
     */
    @Put("/{assignee}/{category}")
    @Authenticated
    @Audited(source = "worklist", action = "set")
    @Operation(operationId = "setWorklist")
    String set(
            @PathVariable String assignee, @PathVariable String category, @Nullable @Body String body, Caller caller) {
        String id = editableAssigneeId(assignee, caller);
        String categoryId = category(category);
        Json request = ProcessService.object(body, FIELDS);
        String status = request.get("status").text().orElse(ACTIVE);
        if (!STATUSES.contains(status)) {
            throw ApiException.badRequest("invalid_status", "A 'status' is Active or Inactive");
        }
        String app = request.get("appId").text().orElse(GLOBAL);
        Set<String> columns = columns(request.get("columns"));
        return database.in(caller.tenant(), () -> {
                    rows.put(caller.host(), id, categoryId, status, app, caller.user());
                    rows.clearColumns(caller.host(), id, categoryId);
                    int sequence = 1;
                    for (String column : columns) {
                        rows.addColumn(caller.host(), id, categoryId, sequence++, column, caller.user());
                    }
                    return json(rows.find(caller.host(), id, categoryId).orElseThrow(), List.copyOf(columns));
                })
                .toString();
    }

    private static Set<String> columns(Json requested) {
        var columns = new LinkedHashSet<String>();
        for (Json column : requested.list()) {
            String name = column.display();
            if (!COLUMNS.contains(name) || !columns.add(name)) {
                throw ApiException.badRequest(
                        "invalid_columns", "'columns' are names, each once, of " + String.join(", ", COLUMNS));
            }
        }
        return columns;
    }

    /** Delete a worklist. Deletes the settings of the worklist; its tasks remain and are listed with all columns. */
    @Delete("/{assignee}/{category}")
    @Authenticated
    @Audited(source = "worklist", action = "delete")
    @Operation(operationId = "deleteWorklist")
    @ApiResponse(responseCode = "204", description = "The settings were deleted.")
    HttpResponse<Void> delete(@PathVariable String assignee, @PathVariable String category, Caller caller) {
        String id = editableAssigneeId(assignee, caller);
        if (database.in(caller.tenant(), () -> rows.delete(caller.host(), id, category)) == 0) {
            throw ApiException.notFound("unknown_worklist", "There is no such worklist");
        }
        return HttpResponse.noContent();
    }

    /**
     * List the tasks of a worklist. Tasks of a user, or of a role as role:name. The category (all) includes every
     * category.
     *
     * @return A page of tasks: {columns, data, next}.
     */
    @Get("/{assignee}/{category}/tasks")
    @Authenticated
    @Operation(operationId = "listWorklistTasks")
    String tasks(
            @PathVariable String assignee,
            @PathVariable String category,
            @Nullable @QueryValue String project,
            @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        Project in = caller.require(Capability.WORKFLOW_READ, project);
        String id = assigneeId(assignee, caller);
        int pageSize = Cursor.limit(limit);
        service.freshenTasks(fresh);
        Optional<WorklistRow> settings = database.in(caller.tenant(), () -> rows.find(caller.host(), id, category));
        List<String> columns = settings.isEmpty()
                ? List.of()
                : database.in(caller.tenant(), () -> rows.columns(caller.host(), id, category));
        var filter = new OpenTasks(
                ProcessService.reader(caller, in.projectKey()),
                List.of(id),
                category.equals(EVERY) ? null : category,
                settings.map(WorklistRow::appId)
                        .filter(app -> !app.equals(GLOBAL))
                        .orElse(null),
                settings.filter(row -> !row.statusCode().equals(ACTIVE))
                        .map(WorklistRow::updatedAt)
                        .orElse(null));
        List<Found> found = processes.open(caller.tenant(), in.project(), filter, Cursor.parse(cursor), pageSize + 1);
        return page(found, pageSize, columns).toString();
    }

    private static Json page(List<Found> found, int limit, List<String> columns) {
        List<Found> page = found.size() > limit ? found.subList(0, limit) : found;
        Found last = found.size() > limit ? page.getLast() : null;
        List<Json> data = page.stream().map(task -> row(task.json(), columns)).toList();
        return Json.of("columns", names(columns))
                .with("data", Json.of(data))
                .with("next", last == null ? Values.NULL : Json.of(Cursor.of(last.startedAt(), last.id())));
    }

    private static Json names(List<String> columns) {
        return Json.of(columns.stream().map(Json::of).toList());
    }

    /** A task with the requested columns in their order; with all columns if none are set. */
    private static Json row(Json task, List<String> columns) {
        if (columns.isEmpty()) {
            return task;
        }
        var row = new LinkedHashMap<String, Json>();
        for (String column : columns) {
            row.put(column, column.equals("prompt") ? task.get("question").get("prompt") : task.get(column));
        }
        row.putIfAbsent("id", task.get("id"));
        return Json.of(row);
    }

    private static String assigneeId(String assignee, Caller caller) {
        return assignee.equals("me") ? caller.user() : assignee;
    }

    /** The id of an assignee whose worklists the caller can change. */
    private static String editableAssigneeId(String assignee, Caller caller) {
        String id = assigneeId(assignee, caller);
        if (!id.equals(caller.user())) {
            caller.require(Capability.SETTING_MANAGE);
        }
        if (id.isBlank() || id.length() > MAX_LENGTH) {
            throw ApiException.badRequest("invalid_assignee", "An assignee has 1 to " + MAX_LENGTH + " characters");
        }
        return id;
    }

    private static String category(String category) {
        if (category.isBlank() || category.length() > MAX_LENGTH) {
            throw ApiException.badRequest("invalid_category", "A category has 1 to " + MAX_LENGTH + " characters");
        }
        return category;
    }

    private static Json json(WorklistRow row, List<String> columns) {
        return Json.of("assignee", Json.of(row.assigneeId()))
                .with("category", Json.of(row.categoryId()))
                .with("status", Json.of(row.statusCode()))
                .with("appId", Json.of(row.appId()))
                .with("columns", names(columns))
                .with("version", Json.of(row.aggregateVersion()))
                .with("updatedAt", Json.of(row.updatedAt().toString()))
                .with("updatedBy", Json.of(row.updatedBy()));
    }
}
