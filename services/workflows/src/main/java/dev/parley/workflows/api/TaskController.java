package dev.parley.workflows.api;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowCommand.TaskAction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.workflows.api.ProcessQueries.OpenTasks;
import dev.parley.workflows.json.Json;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of human tasks. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Tasks", description = "Questions that workflows and agents ask people.")
class TaskController {
    private static final Set<String> FIELDS = Set.of("value", "fields", "comment", "assignee");

    private final ProcessService service;
    private final ProcessQueries processes;
    private final ProcessCommands commands;
    private final AgentTaskService agents;

    TaskController(
            ProcessService service, ProcessQueries processes, ProcessCommands commands, AgentTaskService agents) {
        this.service = service;
        this.processes = processes;
        this.commands = commands;
        this.agents = agents;
    }

    /**
     * List open tasks. Pending tasks of a project, highest priority first, then oldest first. With mine=true, only
     * those that the caller can answer.
     *
     * @param project Key of the project. Defaults to the default project.
     * @param fresh If true, waits until the result includes all earlier changes.
     * @return A page of tasks: {data, next}.
     */
    @Get("/tasks")
    @Authenticated
    @Operation(operationId = "listTasks")
    String list(
            @Nullable @QueryValue String project,
            @Nullable @QueryValue Boolean mine,
            @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        Project in = caller.require(Capability.WORKFLOW_READ, project);
        int pageSize = Cursor.limit(limit);
        service.freshenTasks(fresh);
        var assignees = new ArrayList<String>();
        if (Boolean.TRUE.equals(mine)) {
            assignees.add(caller.user());
            caller.taskRoles(in.projectKey()).forEach(role -> assignees.add(Assignee.role(role)));
        }
        return ProcessController.page(
                processes.open(
                        caller.tenant(),
                        in.project(),
                        OpenTasks.of(ProcessService.reader(caller, in.projectKey()), assignees),
                        Cursor.parse(cursor),
                        pageSize + 1),
                pageSize);
    }

    /**
     * Get a task. Includes the current and former assignments.
     *
     * @return The task.
     */
    @Get("/tasks/{id}")
    @Authenticated
    @Operation(operationId = "getTask")
    String get(@PathVariable UUID id, Caller caller) {
        return service.task(caller, id, Capability.WORKFLOW_READ).json().toString();
    }

    /**
     * Claim a task. For half an hour, only the caller can answer the task and the tasks of its lock group.
     *
     * @return The process of the task.
     */
    @Post("/tasks/{id}/claim")
    @Authenticated
    @Audited(source = "task", action = "claim")
    @Operation(operationId = "claimTask")
    @ApiResponse(
            responseCode = "409",
            description = "The task is claimed by another user, completed, or an agent's question.")
    String claim(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return handle(caller, id, TaskAction.CLAIM, body, null);
    }

    /**
     * Release a task. Other users can claim the task again.
     *
     * @return The process of the task.
     */
    @Post("/tasks/{id}/release")
    @Authenticated
    @Audited(source = "task", action = "release")
    @Operation(operationId = "releaseTask")
    @ApiResponse(
            responseCode = "409",
            description = "The task is claimed by another user, completed, or an agent's question.")
    String release(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return handle(caller, id, TaskAction.RELEASE, body, null);
    }

    /**
     * Delegate a task. The body is {assignee, comment}; the assignee is a user's id, or role: and the name of a role.
     *
     * @return The process of the task.
     */
    @Post("/tasks/{id}/delegate")
    @Authenticated
    @Audited(source = "task", action = "delegate")
    @Operation(operationId = "delegateTask")
    @ApiResponse(
            responseCode = "409",
            description = "The task is claimed by another user, completed, or an agent's question.")
    String delegate(@PathVariable UUID id, @Body String body, Caller caller) {
        return handle(caller, id, TaskAction.DELEGATE, body, null);
    }

    /**
     * Answer a task. The body is {value} or {fields}, and optionally {comment}. Repeated requests with the same
     * Idempotency-Key take effect once.
     *
     * @return The process of the task, or the task if it is an agent's question.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/tasks/{id}/complete")
    @Authenticated
    @Audited(source = "task", action = "complete")
    @Operation(operationId = "completeTask")
    @ApiResponse(responseCode = "400", description = "The answer is invalid; the task stays open.")
    @ApiResponse(
            responseCode = "409",
            description = "The task was claimed or answered by another user; the detail names the user and the time.")
    String complete(
            @PathVariable UUID id,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Body String body,
            Caller caller) {
        return handle(caller, id, TaskAction.COMPLETE, body, idempotencyKey);
    }

    /**
     * Cancel a task. The task fails; its workflow can catch the error. Only for project owners and admins. The body is
     * {comment}.
     *
     * @return The process of the task.
     */
    @Post("/tasks/{id}/cancel")
    @Authenticated
    @Audited(source = "task", action = "cancel")
    @Operation(operationId = "cancelTask")
    @ApiResponse(responseCode = "403", description = "The caller is neither owner nor admin of the project.")
    String cancel(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return handle(caller, id, TaskAction.CANCEL_TASK, body, null);
    }

    private String handle(Caller caller, UUID id, TaskAction action, @Nullable String body, @Nullable String key) {
        Json request = ProcessService.object(body, FIELDS);
        Found task = service.task(caller, id, Capability.WORKFLOW_RUN);
        if (task.json().get("question").isNull()) {
            throw ProcessService.conflict("no_human_task", "This task does not wait for a person");
        }
        if (AgentTaskService.isAgents(task.json())) {
            return agents.handle(caller, task, action, request, key).toString();
        }
        try {
            return handle(caller, task, action, request, key);
        } catch (ApiException e) {
            throw e.code().equals("task_closed") ? service.closedConflict(caller, id) : e;
        }
    }

    private String handle(Caller caller, Found task, TaskAction action, Json request, @Nullable String key) {
        UUID processId = Ids.parse(task.json().get("processId").display());
        var process = new ProcessRef(caller.host(), task.projectKey(), processId);
        UUID command = key == null ? UUID.randomUUID() : Ids.of("task", task.id(), action, caller.user(), key);
        long order = Long.parseLong(task.json().get("order").display());
        return commands.send(
                        caller,
                        command,
                        meta -> new HandleTask(
                                meta,
                                process,
                                order,
                                action,
                                caller.taskRoles(task.projectKey()),
                                action == TaskAction.COMPLETE ? request.toString() : null,
                                request.get("assignee").text().orElse(null),
                                request.get("comment").text().orElse(null)))
                .toString();
    }
}
