package dev.parley.workflows.api;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.access.Capability;
import dev.parley.domain.workflow.WorkflowCommand.Control;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes that control processes: suspend, resume, cancel, retry, skip, restart. */
@Controller("/v1/processes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Processes")
class ProcessControlController {
    private static final Map<Control, Set<String>> FIELDS = Map.of(
            Control.RETRY, Set.of("reason", "task"),
            Control.SKIP, Set.of("reason", "task", "output"));

    private final ProcessService service;
    private final ProcessQueries processes;
    private final ProcessCommands commands;

    ProcessControlController(ProcessService service, ProcessQueries processes, ProcessCommands commands) {
        this.service = service;
        this.processes = processes;
        this.commands = commands;
    }

    /**
     * Cancel a process. Stops the calls of the process and the child processes that it waits for. The body is {reason}.
     *
     * @return The process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/cancel")
    @Authenticated
    @Audited(source = "process", action = "cancel")
    @Operation(operationId = "cancelProcess")
    @ApiResponse(responseCode = "409", description = "The process has ended.")
    String cancel(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return control(caller, id, Control.CANCEL, body);
    }

    /**
     * Suspend a process. Running tasks finish; no new task starts. The body is {reason}.
     *
     * @return The process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/suspend")
    @Authenticated
    @Audited(source = "process", action = "suspend")
    @Operation(operationId = "suspendProcess")
    @ApiResponse(responseCode = "409", description = "The process has ended.")
    String suspend(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return control(caller, id, Control.SUSPEND, body);
    }

    /**
     * Resume a process. Continues a suspended process. The body is {reason}.
     *
     * @return The process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/resume")
    @Authenticated
    @Audited(source = "process", action = "resume")
    @Operation(operationId = "resumeProcess")
    @ApiResponse(responseCode = "409", description = "The process has ended.")
    String resume(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return control(caller, id, Control.RESUME, body);
    }

    /**
     * Retry a failed process. Restarts the failed task with the same idempotency key; the process continues from there.
     * Possible for seven days after the failure. The body is {task, reason}; task defaults to the failed task and can
     * name one that contains it.
     *
     * @return The process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/retry")
    @Authenticated
    @Audited(source = "process", action = "retry")
    @Operation(operationId = "retryProcess")
    @ApiResponse(responseCode = "409", description = "The process has not failed, or it has no such task.")
    String retry(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return control(caller, id, Control.RETRY, body);
    }

    /**
     * Skip a task. Completes a failed or running task with the given output. The body is {task, output, reason}; task
     * defaults to the failed task, output to the task's input.
     *
     * @return The process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/skip")
    @Authenticated
    @Audited(source = "process", action = "skip")
    @Operation(operationId = "skipTask")
    @ApiResponse(responseCode = "409", description = "The process has ended without failing, or it has no such task.")
    String skip(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        return control(caller, id, Control.SKIP, body);
    }

    /**
     * Update the business keys of a process. The body is {business, reason}; business keys that are not named are
     * unchanged.
     *
     * @return The process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Patch("/{id}")
    @Authenticated
    @Audited(source = "process", action = "change")
    @Operation(operationId = "changeProcess")
    @ApiResponse(responseCode = "409", description = "The process has ended.")
    String change(@PathVariable UUID id, @Body String body, Caller caller) {
        Json request = ProcessService.object(body, Set.of("business", "reason"));
        Found found = service.process(caller, id, Capability.WORKFLOW_RUN);
        return control(caller, found, Control.SET_KEYS, request, ProcessService.business(request));
    }

    private String control(Caller caller, UUID id, Control control, @Nullable String body) {
        Json request = ProcessService.object(body, FIELDS.getOrDefault(control, Set.of("reason")));
        Found found = service.process(caller, id, Capability.WORKFLOW_MANAGE);
        return control(caller, found, control, request, request.get("output"));
    }

    private String control(Caller caller, Found found, Control control, Json request, Json value) {
        return commands.send(
                        caller,
                        meta -> new ControlProcess(
                                meta,
                                ProcessService.ref(caller, found),
                                control,
                                request.get("reason").text().orElse(""),
                                request.get("task").text().orElse(null),
                                value.isNull() ? null : value.toString()))
                .toString();
    }

    /**
     * Restart a process. Starts a new process of the same definition with the same input; its originId is the id of
     * this process. The body is {from, reason}; from is optionally the task of the outermost list to start at, with the
     * last input of that task and the final context of this process.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/restart")
    @Authenticated
    @Audited(source = "process", action = "restart")
    @Operation(operationId = "restartProcess")
    @ApiResponse(responseCode = "202", description = "The new process.")
    @ApiResponse(
            responseCode = "409",
            description = "The process has not ended, its definition has been deleted, or the task named by "
                    + "from has not begun in it.")
    HttpResponse<String> restart(@PathVariable UUID id, @Nullable @Body String body, Caller caller) {
        Optional<String> from = ProcessService.object(body, Set.of("from", "reason"))
                .get("from")
                .text();
        service.freshen(true); // the tables must include the end of the process
        Found found = service.process(caller, id, Capability.WORKFLOW_MANAGE);
        if (found.json().get("completedAt").isNull()) {
            throw ProcessService.conflict("process_runs", "The process has not ended: cancel it first");
        }
        Json start = from.map(task -> startFrom(caller, found, task)).orElse(Values.NULL);
        return HttpResponse.accepted().body(restart(caller, found, start).toString());
    }

    private Json restart(Caller caller, Found origin, Json from) {
        DefinitionRow definition = service.definition(caller, origin);
        var ref = new ProcessRef(caller.host(), origin.projectKey(), UUID.randomUUID());
        return commands.send(
                caller,
                meta -> new StartProcess(
                        meta,
                        ref,
                        definition.wfDefId(),
                        definition.definition(),
                        ref.id().toString(),
                        origin.json().get("input").toString(),
                        origin.json().get("business").toString(),
                        null,
                        origin.id(),
                        null,
                        from.isNull() ? null : from.toString()));
    }

    /** A task of the outermost list with its last input, and the context of the process. */
    private Json startFrom(Caller caller, Found process, String task) {
        Json input = processes
                .lastInput(caller.tenant(), process.id(), task)
                .orElseThrow(() -> ProcessService.conflict(
                        "unknown_task", "No task '" + task + "' of the outermost list has begun in this process"));
        return Json.of("task", Json.of(task))
                .with("input", input)
                .with("context", process.json().get("context"));
    }
}
