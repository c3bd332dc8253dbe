package dev.parley.workflows.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of host-level workflows, which every project of the host can start. */
@Controller("/v1/workflows")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.workflows", value = "true")
@Tag(name = "Workflows", description = "Definitions of workflows: published by version, and started.")
class WorkflowController {
    private final DefinitionAnswers answers;
    private final ProcessService processes;

    WorkflowController(DefinitionAnswers answers, ProcessService processes) {
        this.answers = answers;
        this.processes = processes;
    }

    @Get
    @Authenticated
    @Operation(
            operationId = "listWorkflows",
            summary = "List workflows of the host",
            description = "Each version for itself, by namespace and name.")
    @ApiResponse(responseCode = "200", description = "A page of them: {data, next}.")
    String list(
            @Nullable @QueryValue String namespace,
            @Nullable @QueryValue String name,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return answers.list(
                DefinitionAnswers.place(caller, null, Capability.WORKFLOW_READ), namespace, name, limit, cursor);
    }

    @Post
    @Consumes({"application/yaml", "application/x-yaml", "text/yaml", MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON})
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Audited(source = "workflow", action = "publish")
    @Operation(
            operationId = "publishWorkflow",
            summary = "Publish a workflow for the host",
            description =
                    "The body is its YAML, or JSON; what is wrong with it is said all at once, with pointer, line and column. "
                            + "Published again, the same text changes nothing.")
    @ApiResponse(responseCode = "201", description = "It is published: {id, namespace, name, version, warnings}.")
    @ApiResponse(responseCode = "200", description = "It was published before, the same.")
    @ApiResponse(responseCode = "400", description = "It cannot run; errors says why.")
    @ApiResponse(responseCode = "409", description = "This version says something else.")
    HttpResponse<String> publish(
            @Body String yaml,
            @Parameter(description = "true: checks it and changes nothing.") @Nullable @QueryValue Boolean dryRun,
            @Parameter(hidden = true) Caller caller) {
        return answers.publish(DefinitionAnswers.place(caller, null, Capability.WORKFLOW_MANAGE), yaml, dryRun, caller);
    }

    @Get("/{id}")
    @Authenticated
    @Operation(
            operationId = "getWorkflow",
            summary = "Get a workflow of the host",
            description = "By its id, by namespace:name for the newest version, or by namespace:name:version.")
    @ApiResponse(responseCode = "200", description = "The workflow, with what it needs, and the schema of its input.")
    String get(@PathVariable String id, @Parameter(hidden = true) Caller caller) {
        return answers.show(DefinitionAnswers.place(caller, null, Capability.WORKFLOW_READ), id);
    }

    @Delete("/{id}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Audited(source = "workflow", action = "delete")
    @Operation(
            operationId = "deleteWorkflow",
            summary = "Delete a version of a workflow of the host",
            description = "Its processes go on, and no more begin. Publishing the same text brings it back.")
    @ApiResponse(responseCode = "204", description = "It is gone.")
    HttpResponse<Void> delete(@PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return answers.delete(DefinitionAnswers.place(caller, null, Capability.WORKFLOW_MANAGE), id, caller);
    }

    @Get("/{id}/definition")
    @Produces("application/yaml")
    @Authenticated
    @Operation(
            operationId = "getWorkflowDefinition",
            summary = "Get the text of a workflow of the host",
            description = "Byte for byte as it was published.")
    @ApiResponse(responseCode = "200", description = "The YAML.")
    HttpResponse<String> definition(@PathVariable String id, @Parameter(hidden = true) Caller caller) {
        return answers.text(DefinitionAnswers.place(caller, null, Capability.WORKFLOW_READ), id);
    }

    @Get("/{id}/diagram")
    @Produces("text/vnd.mermaid")
    @Authenticated
    @Operation(
            operationId = "getWorkflowDiagram",
            summary = "Get a diagram of a workflow of the host",
            description = "A flowchart for Mermaid.")
    @ApiResponse(responseCode = "200", description = "The diagram.")
    HttpResponse<String> diagram(@PathVariable String id, @Parameter(hidden = true) Caller caller) {
        return answers.diagram(DefinitionAnswers.place(caller, null, Capability.WORKFLOW_READ), id);
    }

    @Post("/{id}/instances")
    @RequiresCapability(Capability.WORKFLOW_RUN)
    @Audited(source = "process", action = "start")
    @Operation(
            operationId = "startProcess",
            summary = "Start a process in the default project",
            description =
                    "The body is {input, instanceId, business}, each of which may be left out. Whoever starts twice with the "
                            + "same instanceId or Idempotency-Key has started one process.")
    @ApiResponse(responseCode = "202", description = "It has begun: the process as it is.")
    @ApiResponse(responseCode = "200", description = "It has ended within the time that was waited: the process.")
    @ApiResponse(
            responseCode = "400",
            description = "The input is not as the definition wants it; there is no process.")
    HttpResponse<String> start(
            @PathVariable String id,
            @Parameter(description = "How long to wait for its end, such as 30s.") @Nullable @QueryValue String wait,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Body String body,
            @Parameter(hidden = true) Caller caller) {
        return processes.start(caller, null, id, body, wait, idempotencyKey);
    }
}
