package dev.parley.control.agents;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes of agents: those of projects and, for administrators, those of hosts. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true", beans = AgentService.class)
@Tag(name = "Agents", description = "Agents of projects and hosts, defined at run time.")
class AgentController {
    private static final String OF_PROJECT = "/projects/{project}/agents";
    private static final String OF_HOST = "/agents";

    private final AgentService service;

    AgentController(AgentService service) {
        this.service = service;
    }

    @Get(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(
            summary = "List agents",
            description = "Agents that sessions of the project may use, by name: those of the project, its host "
                    + "and the installation.")
    @ApiResponse(responseCode = "200", description = "A page of agents.")
    Page<AgentJson> list(
            @PathVariable String project,
            @Parameter(description = "True to list only built-in agents.") @Nullable @QueryValue Boolean builtinOnly,
            @Parameter(description = "True to include hidden agents.") @Nullable @QueryValue Boolean includeHidden,
            @Parameter(description = "True to append deleted agents of the project.") @Nullable @QueryValue
                    Boolean includeInactive,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        var filter = new AgentService.Filter(builtinOnly, includeHidden, includeInactive);
        return service.list(DefinitionScope.project(caller, Capability.AGENT_READ, project), filter, limit, cursor);
    }

    @Get(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(
            summary = "Get an agent",
            description = "Finds hidden agents too. The response has an ETag if the agent is the project's own.")
    @ApiResponse(responseCode = "200", description = "The agent.")
    HttpResponse<AgentJson> show(
            @PathVariable String project, @PathVariable String name, @Parameter(hidden = true) Caller caller) {
        return service.show(DefinitionScope.project(caller, Capability.AGENT_READ, project), name);
    }

    @MaxBody(BodySize.DEFINITION)
    @Post(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            summary = "Create an agent",
            description = "The name may be that of a visible agent; the new agent then takes precedence.")
    @ApiResponse(responseCode = "201", description = "The agent was created.")
    @ApiResponse(responseCode = "409", description = "The project already has an agent of this name.")
    HttpResponse<AgentJson> make(
            @PathVariable String project,
            @Body AgentBody body,
            @Parameter(description = "True to validate the request without saving it.") @Nullable @QueryValue
                    Boolean dryRun,
            @Parameter(hidden = true) Caller caller) {
        return service.create(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), body, dryRun);
    }

    @MaxBody(BodySize.DEFINITION)
    @Put(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            summary = "Replace an agent",
            description = "Omitted fields return to their defaults. Takes effect from the next turn. Requires "
                    + "If-Match with the ETag that was read.")
    @ApiResponse(responseCode = "200", description = "The agent.")
    @ApiResponse(responseCode = "403", description = "The agent is defined elsewhere and cannot be changed here.")
    HttpResponse<AgentJson> replace(
            @PathVariable String project,
            @PathVariable String name,
            @Body AgentBody body,
            @Parameter(description = "True to validate the request without saving it.") @Nullable @QueryValue
                    Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        return service.replace(
                DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), name, body, ifMatch, dryRun);
    }

    @Delete(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            summary = "Delete an agent",
            description = "Running turns keep the agent. Its memory banks are erased; POST creates another agent "
                    + "of this name.")
    @ApiResponse(
            responseCode = "204",
            description = "The agent was deleted; Location refers to the receipt of its memory's erasure.")
    HttpResponse<Void> delete(
            @PathVariable String project,
            @PathVariable String name,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        return service.delete(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), name, ifMatch);
    }

    @Get(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "listHostAgents",
            summary = "List agents",
            description = "Agents of the host and the installation, by name.")
    @ApiResponse(responseCode = "200", description = "A page of agents.")
    Page<AgentJson> list(
            @Parameter(description = "True to list only built-in agents.") @Nullable @QueryValue Boolean builtinOnly,
            @Parameter(description = "True to include hidden agents.") @Nullable @QueryValue Boolean includeHidden,
            @Parameter(description = "True to append deleted agents of the host.") @Nullable @QueryValue
                    Boolean includeInactive,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        var filter = new AgentService.Filter(builtinOnly, includeHidden, includeInactive);
        return service.list(DefinitionScope.host(caller), filter, limit, cursor);
    }

    @Get(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "showHostAgent",
            summary = "Get an agent",
            description = "Finds hidden agents too. The response has an ETag if the agent is the host's own.")
    @ApiResponse(responseCode = "200", description = "The agent.")
    HttpResponse<AgentJson> show(@PathVariable String name, @Parameter(hidden = true) Caller caller) {
        return service.show(DefinitionScope.host(caller), name);
    }

    @MaxBody(BodySize.DEFINITION)
    @Post(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "makeHostAgent",
            summary = "Create an agent",
            description = "The name may be that of a visible agent; the new agent then takes precedence.")
    @ApiResponse(responseCode = "201", description = "The agent was created.")
    @ApiResponse(responseCode = "409", description = "The host already has an agent of this name.")
    HttpResponse<AgentJson> make(
            @Body AgentBody body,
            @Parameter(description = "True to validate the request without saving it.") @Nullable @QueryValue
                    Boolean dryRun,
            @Parameter(hidden = true) Caller caller) {
        return service.create(DefinitionScope.host(caller), body, dryRun);
    }

    @MaxBody(BodySize.DEFINITION)
    @Put(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "replaceHostAgent",
            summary = "Replace an agent",
            description = "Omitted fields return to their defaults. Takes effect from the next turn. Requires "
                    + "If-Match with the ETag that was read.")
    @ApiResponse(responseCode = "200", description = "The agent.")
    @ApiResponse(responseCode = "403", description = "The agent is defined elsewhere and cannot be changed here.")
    HttpResponse<AgentJson> replace(
            @PathVariable String name,
            @Body AgentBody body,
            @Parameter(description = "True to validate the request without saving it.") @Nullable @QueryValue
                    Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        return service.replace(DefinitionScope.host(caller), name, body, ifMatch, dryRun);
    }

    @Delete(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "deleteHostAgent",
            summary = "Delete an agent",
            description = "Running turns keep the agent. Its memory banks are erased; POST creates another agent "
                    + "of this name.")
    @ApiResponse(
            responseCode = "204",
            description = "The agent was deleted; Location refers to the receipt of its memory's erasure.")
    HttpResponse<Void> delete(
            @PathVariable String name,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        return service.delete(DefinitionScope.host(caller), name, ifMatch);
    }
}
