package dev.parley.workflows.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Audited;
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

/** Routes of a project's workflows, and of its host's by name. */
@Controller("/v1/projects/{project}/workflows")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.workflows", value = "true")
@Tag(name = "Workflows", description = "Definitions of workflows: published by version, and started.")
class ProjectWorkflowController {
    private final DefinitionAnswers answers;
    private final ProcessService processes;

    ProjectWorkflowController(DefinitionAnswers answers, ProcessService processes) {
        this.answers = answers;
        this.processes = processes;
    }

    @Get
    @RequiresCapability(Capability.WORKFLOW_READ)
    @Operation(
            operationId = "listProjectWorkflows",
            summary = "List workflows of a project",
            description = "Each version for itself, by namespace and name.")
    @ApiResponse(responseCode = "200", description = "A page of them: {data, next}.")
    String list(
            @PathVariable String project,
            @Nullable @QueryValue String namespace,
            @Nullable @QueryValue String name,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return answers.list(
                DefinitionAnswers.place(caller, project, Capability.WORKFLOW_READ), namespace, name, limit, cursor);
    }

    @Post
    @Consumes({"application/yaml", "application/x-yaml", "text/yaml", MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON})
    @RequiresCapability(Capability.WORKFLOW_MANAGE)
    @Audited(source = "workflow", action = "publish")
    @Operation(
            operationId = "publishProjectWorkflow",
            summary = "Publish a workflow for a project",
            description =
                    "The body is its YAML, or JSON; what is wrong with it is said all at once, with pointer, line and column. "
                            + "Published again, the same text changes nothing.")
    @ApiResponse(responseCode = "201", description = "It is published: {id, namespace, name, version, warnings}.")
    @ApiResponse(responseCode = "200", description = "It was published before, the same.")
    @ApiResponse(responseCode = "400", description = "It cannot run; errors says why.")
    @ApiResponse(responseCode = "409", description = "This version says something else.")
    HttpResponse<String> publish(
            @PathVariable String project,
            @Body String yaml,
            @Parameter(description = "true: checks it and changes nothing.") @Nullable @QueryValue Boolean dryRun,
            @Parameter(hidden = true) Caller caller) {
        return answers.publish(
                DefinitionAnswers.place(caller, project, Capability.WORKFLOW_MANAGE), yaml, dryRun, caller);
    }

    @Get("/{id}")
    @RequiresCapability(Capability.WORKFLOW_READ)
    @Operation(
            operationId = "getProjectWorkflow",
            summary = "Get a workflow of a project",
            description = "By its id, by namespace:name for the newest version, or by namespace:name:version.")
    @ApiResponse(responseCode = "200", description = "The workflow, with what it needs, and the schema of its input.")
    String get(@PathVariable String project, @PathVariable String id, @Parameter(hidden = true) Caller caller) {
        return answers.show(DefinitionAnswers.place(caller, project, Capability.WORKFLOW_READ), id);
    }

    @Delete("/{id}")
    @RequiresCapability(Capability.WORKFLOW_MANAGE)
    @Audited(source = "workflow", action = "delete")
    @Operation(
            operationId = "deleteProjectWorkflow",
            summary = "Delete a version of a workflow of a project",
            description = "Its processes go on, and no more begin. Publishing the same text brings it back.")
    @ApiResponse(responseCode = "204", description = "It is gone.")
    HttpResponse<Void> delete(
            @PathVariable String project, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return answers.delete(DefinitionAnswers.place(caller, project, Capability.WORKFLOW_MANAGE), id, caller);
    }

    @Get("/{id}/definition")
    @Produces("application/yaml")
    @RequiresCapability(Capability.WORKFLOW_READ)
    @Operation(
            operationId = "getProjectWorkflowDefinition",
            summary = "Get the text of a workflow of a project",
            description = "Byte for byte as it was published.")
    @ApiResponse(responseCode = "200", description = "The YAML.")
    HttpResponse<String> definition(
            @PathVariable String project, @PathVariable String id, @Parameter(hidden = true) Caller caller) {
        return answers.text(DefinitionAnswers.place(caller, project, Capability.WORKFLOW_READ), id);
    }

    @Get("/{id}/diagram")
    @Produces("text/vnd.mermaid")
    @RequiresCapability(Capability.WORKFLOW_READ)
    @Operation(
            operationId = "getProjectWorkflowDiagram",
            summary = "Get a diagram of a workflow of a project",
            description = "A flowchart for Mermaid.")
    @ApiResponse(responseCode = "200", description = "The diagram.")
    HttpResponse<String> diagram(
            @PathVariable String project, @PathVariable String id, @Parameter(hidden = true) Caller caller) {
        return answers.diagram(DefinitionAnswers.place(caller, project, Capability.WORKFLOW_READ), id);
    }

    @Post("/{id}/instances")
    @RequiresCapability(Capability.WORKFLOW_RUN)
    @Audited(source = "process", action = "start")
    @Operation(
            operationId = "startProjectProcess",
            summary = "Start a process in a project",
            description =
                    "The body is {input, instanceId, business}, each of which may be left out. Whoever starts twice with the "
                            + "same instanceId or Idempotency-Key has started one process.")
    @ApiResponse(responseCode = "202", description = "It has begun: the process as it is.")
    @ApiResponse(responseCode = "200", description = "It has ended within the time that was waited: the process.")
    @ApiResponse(
            responseCode = "400",
            description = "The input is not as the definition wants it; there is no process.")
    HttpResponse<String> start(
            @PathVariable String project,
            @PathVariable String id,
            @Parameter(description = "How long to wait for its end, such as 30s.") @Nullable @QueryValue String wait,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Body String body,
            @Parameter(hidden = true) Caller caller) {
        return processes.start(caller, project, id, body, wait, idempotencyKey);
    }
}
