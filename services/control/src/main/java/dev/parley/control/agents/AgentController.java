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

    /**
     * List agents. Agents that sessions of the project may use, by name: those of the project, its host and the
     * installation.
     *
     * @param builtinOnly True to list only built-in agents.
     * @param includeHidden True to include hidden agents.
     * @param includeInactive True to append deleted agents of the project.
     * @return A page of agents.
     */
    @Get(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_READ)
    Page<AgentJson> list(
            @PathVariable String project,
            @Nullable @QueryValue Boolean builtinOnly,
            @Nullable @QueryValue Boolean includeHidden,
            @Nullable @QueryValue Boolean includeInactive,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        var filter = new AgentService.Filter(builtinOnly, includeHidden, includeInactive);
        return service.list(DefinitionScope.project(caller, Capability.AGENT_READ, project), filter, limit, cursor);
    }

    /**
     * Get an agent. Finds hidden agents too. The response has an ETag if the agent is the project's own.
     *
     * @return The agent.
     */
    @Get(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_READ)
    HttpResponse<AgentJson> show(@PathVariable String project, @PathVariable String name, Caller caller) {
        return service.show(DefinitionScope.project(caller, Capability.AGENT_READ, project), name);
    }

    /**
     * Create an agent. The name may be that of a visible agent; the new agent then takes precedence.
     *
     * @param dryRun True to validate the request without saving it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_MANAGE)
    @ApiResponse(responseCode = "201", description = "The agent was created.")
    @ApiResponse(responseCode = "409", description = "The project already has an agent of this name.")
    HttpResponse<AgentJson> make(
            @PathVariable String project, @Body AgentBody body, @Nullable @QueryValue Boolean dryRun, Caller caller) {
        return service.create(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), body, dryRun);
    }

    /**
     * Replace an agent. Omitted fields return to their defaults. Takes effect from the next turn. Requires If-Match
     * with the ETag that was read.
     *
     * @param dryRun True to validate the request without saving it.
     * @return The agent.
     */
    @MaxBody(BodySize.DEFINITION)
    @Put(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @ApiResponse(responseCode = "403", description = "The agent is defined elsewhere and cannot be changed here.")
    HttpResponse<AgentJson> replace(
            @PathVariable String project,
            @PathVariable String name,
            @Body AgentBody body,
            @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.replace(
                DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), name, body, ifMatch, dryRun);
    }

    /**
     * Delete an agent. Running turns keep the agent. Its memory banks are erased; POST creates another agent of this
     * name.
     */
    @Delete(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @ApiResponse(
            responseCode = "204",
            description = "The agent was deleted; Location refers to the receipt of its memory's erasure.")
    HttpResponse<Void> delete(
            @PathVariable String project,
            @PathVariable String name,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.delete(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), name, ifMatch);
    }

    /**
     * List agents. Agents of the host and the installation, by name.
     *
     * @param builtinOnly True to list only built-in agents.
     * @param includeHidden True to include hidden agents.
     * @param includeInactive True to append deleted agents of the host.
     * @return A page of agents.
     */
    @Get(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "listHostAgents")
    Page<AgentJson> list(
            @Nullable @QueryValue Boolean builtinOnly,
            @Nullable @QueryValue Boolean includeHidden,
            @Nullable @QueryValue Boolean includeInactive,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        var filter = new AgentService.Filter(builtinOnly, includeHidden, includeInactive);
        return service.list(DefinitionScope.host(caller), filter, limit, cursor);
    }

    /**
     * Get an agent. Finds hidden agents too. The response has an ETag if the agent is the host's own.
     *
     * @return The agent.
     */
    @Get(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "showHostAgent")
    HttpResponse<AgentJson> show(@PathVariable String name, Caller caller) {
        return service.show(DefinitionScope.host(caller), name);
    }

    /**
     * Create an agent. The name may be that of a visible agent; the new agent then takes precedence.
     *
     * @param dryRun True to validate the request without saving it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "makeHostAgent")
    @ApiResponse(responseCode = "201", description = "The agent was created.")
    @ApiResponse(responseCode = "409", description = "The host already has an agent of this name.")
    HttpResponse<AgentJson> make(@Body AgentBody body, @Nullable @QueryValue Boolean dryRun, Caller caller) {
        return service.create(DefinitionScope.host(caller), body, dryRun);
    }

    /**
     * Replace an agent. Omitted fields return to their defaults. Takes effect from the next turn. Requires If-Match
     * with the ETag that was read.
     *
     * @param dryRun True to validate the request without saving it.
     * @return The agent.
     */
    @MaxBody(BodySize.DEFINITION)
    @Put(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "replaceHostAgent")
    @ApiResponse(responseCode = "403", description = "The agent is defined elsewhere and cannot be changed here.")
    HttpResponse<AgentJson> replace(
            @PathVariable String name,
            @Body AgentBody body,
            @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.replace(DefinitionScope.host(caller), name, body, ifMatch, dryRun);
    }

    /**
     * Delete an agent. Running turns keep the agent. Its memory banks are erased; POST creates another agent of this
     * name.
     */
    @Delete(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "deleteHostAgent")
    @ApiResponse(
            responseCode = "204",
            description = "The agent was deleted; Location refers to the receipt of its memory's erasure.")
    HttpResponse<Void> delete(@PathVariable String name, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        return service.delete(DefinitionScope.host(caller), name, ifMatch);
    }
}
