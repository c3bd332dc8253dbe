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
@Requires(beans = AgentService.class)
@Tag(name = "Agents", description = "Agents of projects and hosts, defined at run time.")
class AgentController {
    private static final String OF_PROJECT = "/projects/{project}/agents";
    private static final String OF_HOST = "/agents";

    private final AgentService service;

    AgentController(AgentService service) {
        this.service = service;
    }

    /**
     * List agents. Agents of the project, its host and the installation, by name; without a project, those of the host and the installation.
     *
     * @param builtinOnly True to list only built-in agents.
     * @param includeHidden True to include hidden agents.
     * @param includeInactive True to append deleted agents of the project or host.
     * @return A page of agents.
     */
    @Get(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "listAgents")
    Page<AgentJson> list(
            @Nullable @PathVariable String project,
            @Nullable @QueryValue Boolean builtinOnly,
            @Nullable @QueryValue Boolean includeHidden,
            @Nullable @QueryValue Boolean includeInactive,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        var filter = new AgentService.Filter(builtinOnly, includeHidden, includeInactive);
        return service.list(DefinitionScope.of(caller, Capability.AGENT_READ, project), filter, limit, cursor);
    }

    /**
     * Get an agent. Finds hidden agents too. The response has an ETag if the agent is the project's or host's own.
     *
     * @return The agent.
     */
    @Get(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "showAgent")
    HttpResponse<AgentJson> show(@Nullable @PathVariable String project, @PathVariable String name, Caller caller) {
        return service.show(DefinitionScope.of(caller, Capability.AGENT_READ, project), name);
    }

    /**
     * Create an agent. The name may be that of a visible agent; the new agent then takes precedence.
     *
     * @param dryRun True to validate the request without saving it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "makeAgent")
    @ApiResponse(responseCode = "201", description = "The agent was created.")
    @ApiResponse(responseCode = "409", description = "The project or host already has an agent of this name.")
    HttpResponse<AgentJson> make(
            @Nullable @PathVariable String project,
            @Body AgentBody body,
            @Nullable @QueryValue Boolean dryRun,
            Caller caller) {
        return service.create(DefinitionScope.of(caller, Capability.AGENT_MANAGE, project), body, dryRun);
    }

    /**
     * Replace an agent. Omitted fields return to their defaults. Takes effect from the next turn. Requires If-Match
     * with the ETag that was read.
     *
     * @param dryRun True to validate the request without saving it.
     * @return The agent.
     */
    @MaxBody(BodySize.DEFINITION)
    @Put(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "replaceAgent")
    @ApiResponse(responseCode = "403", description = "The agent is defined elsewhere and cannot be changed here.")
    HttpResponse<AgentJson> replace(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @Body AgentBody body,
            @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.replace(
                DefinitionScope.of(caller, Capability.AGENT_MANAGE, project), name, body, ifMatch, dryRun);
    }

    /**
     * Delete an agent. Running turns keep the agent. Its memory banks are erased; POST creates another agent of this
     * name.
     */
    @Delete(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "deleteAgent")
    @ApiResponse(
            responseCode = "204",
            description = "The agent was deleted; Location refers to the receipt of its memory's erasure.")
    HttpResponse<Void> delete(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.delete(DefinitionScope.of(caller, Capability.AGENT_MANAGE, project), name, ifMatch);
    }
}
