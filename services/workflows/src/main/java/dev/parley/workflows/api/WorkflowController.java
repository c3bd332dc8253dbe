package dev.parley.workflows.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of host-level workflows, which every project of the host can start. */
@Controller("/v1/workflows")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Workflows", description = "Workflow definitions, which are published by version and started as processes.")
class WorkflowController {
    private final DefinitionService definitions;
    private final ProcessService processes;

    WorkflowController(DefinitionService definitions, ProcessService processes) {
        this.definitions = definitions;
        this.processes = processes;
    }

    /**
     * List workflows of the host. All versions, ordered by namespace and name.
     *
     * @return A page of workflows: {data, next}.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listWorkflows")
    String list(
            @Nullable @QueryValue String namespace,
            @Nullable @QueryValue String name,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        return definitions.list(
                DefinitionService.scope(caller, null, Capability.WORKFLOW_READ), namespace, name, limit, cursor);
    }

    /**
     * Publish a workflow for the host. The body is the definition in YAML or JSON. All problems are reported, with
     * pointer, line and column. The same text again restores a deleted version and sets its schedule.
     *
     * @param dryRun If true, validates the definition without publishing it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post
    @Consumes({"application/yaml", "application/x-yaml", "text/yaml", MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON})
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Audited(source = "workflow", action = "publish")
    @Operation(operationId = "publishWorkflow")
    @ApiResponse(
            responseCode = "201",
            description = "The version was published: {id, namespace, name, version, warnings}.")
    @ApiResponse(
            responseCode = "200",
            description = "The same text was already published, or dryRun is true and the definition is valid.")
    @ApiResponse(responseCode = "400", description = "The definition is invalid; errors lists all problems.")
    @ApiResponse(
            responseCode = "409",
            description = "This version exists with different content, or the maximum number of versions is reached.")
    HttpResponse<String> publish(@Body String yaml, @Nullable @QueryValue Boolean dryRun, Caller caller) {
        return definitions.publish(
                DefinitionService.scope(caller, null, Capability.WORKFLOW_MANAGE), yaml, dryRun, caller);
    }

    /**
     * Get a workflow of the host. The workflow is named by its id, by namespace:name for the newest version, or by
     * namespace:name:version.
     *
     * @return The workflow, with the server features that it needs and the schema of its input.
     */
    @Get("/{id}")
    @Authenticated
    @Operation(operationId = "getWorkflow")
    String get(@PathVariable String id, Caller caller) {
        return definitions.show(DefinitionService.scope(caller, null, Capability.WORKFLOW_READ), id);
    }

    /**
     * Delete a version of a workflow of the host. Running processes continue; no new ones start. Publishing the same
     * text restores the version.
     */
    @Delete("/{id}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Audited(source = "workflow", action = "delete")
    @Operation(operationId = "deleteWorkflow")
    @ApiResponse(responseCode = "204", description = "The version was deleted.")
    HttpResponse<Void> delete(@PathVariable UUID id, Caller caller) {
        return definitions.delete(DefinitionService.scope(caller, null, Capability.WORKFLOW_MANAGE), id, caller);
    }

    /**
     * Get the source of a workflow of the host. The published text, unchanged.
     *
     * @return The definition in YAML.
     */
    @Get("/{id}/definition")
    @Produces("application/yaml")
    @Authenticated
    @Operation(operationId = "getWorkflowDefinition")
    HttpResponse<String> definition(@PathVariable String id, Caller caller) {
        return definitions.text(DefinitionService.scope(caller, null, Capability.WORKFLOW_READ), id);
    }

    /**
     * Get a diagram of a workflow of the host. A Mermaid flowchart.
     *
     * @return The diagram.
     */
    @Get("/{id}/diagram")
    @Produces("text/vnd.mermaid")
    @Authenticated
    @Operation(operationId = "getWorkflowDiagram")
    HttpResponse<String> diagram(@PathVariable String id, Caller caller) {
        return definitions.diagram(DefinitionService.scope(caller, null, Capability.WORKFLOW_READ), id);
    }

    /**
     * Start a process in the default project. The body is {input, instanceId, business}, all optional. Repeated starts
     * with the same instanceId or Idempotency-Key start one process.
     *
     * @param wait Maximum time to wait for the end of the process, such as 30s; at most 10m.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post("/{id}/instances")
    @RequiresCapability(Capability.WORKFLOW_RUN)
    @Audited(source = "process", action = "start")
    @Operation(operationId = "startProcess")
    @ApiResponse(responseCode = "202", description = "The process was started; the body is its current state.")
    @ApiResponse(responseCode = "200", description = "The process ended within the wait time.")
    @ApiResponse(
            responseCode = "400",
            description = "The input does not match the definition's schema; no process was started.")
    HttpResponse<String> start(
            @PathVariable String id,
            @Nullable @QueryValue String wait,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Body String body,
            Caller caller) {
        return processes.start(caller, null, id, body, wait, idempotencyKey);
    }
}
