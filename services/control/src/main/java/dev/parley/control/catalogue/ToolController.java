package dev.parley.control.catalogue;

import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.ToolJson;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes of tools: those of projects and, for administrators, those of hosts. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true", beans = CatalogueService.class)
@Tag(name = "Tools", description = "Tools of projects and hosts, defined while everything runs.")
class ToolController {
    private static final String LIST =
            "The newest version of each that is seen here, by name; a project's own before its host's. "
                    + "With q those that fit it best, by meaning and by words: a paraphrase finds what is meant.";
    private static final String QUERY = "What it is to do, in any words: the best first, on one page.";

    private static final String OF_PROJECT = "/projects/{project}/tools";
    private static final String OF_HOST = "/tools";

    private final CatalogueService service;

    ToolController(CatalogueService service) {
        this.service = service;
    }

    @Get(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(operationId = "listTools", summary = "List tools", description = LIST)
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<ToolJson> list(
            @PathVariable String project,
            @Parameter(description = QUERY) @Nullable @QueryValue String q,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return service.list(
                DefinitionScope.project(caller, Capability.AGENT_READ, project),
                CatalogueTable.TOOL,
                _ -> true,
                q,
                limit,
                cursor);
    }

    @Get(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(
            operationId = "showTool",
            summary = "Get a tool",
            description = "The newest version, or the one that is named, with its ETag.")
    @ApiResponse(responseCode = "200", description = "The tool.")
    HttpResponse<ToolJson> show(
            @PathVariable String project,
            @PathVariable String name,
            @Nullable @QueryValue String version,
            @Parameter(hidden = true) Caller caller) {
        return service.show(
                DefinitionScope.project(caller, Capability.AGENT_READ, project), CatalogueTable.TOOL, name, version);
    }

    @Get(OF_PROJECT + "/{name}/versions")
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(operationId = "listToolVersions", summary = "List versions of a tool", description = "The newest first.")
    @ApiResponse(responseCode = "200", description = "All of them.")
    List<ToolJson> versions(
            @PathVariable String project, @PathVariable String name, @Parameter(hidden = true) Caller caller) {
        return service.versions(
                DefinitionScope.project(caller, Capability.AGENT_READ, project), CatalogueTable.TOOL, name);
    }

    @Post(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            operationId = "makeTool",
            summary = "Create a version of a tool",
            description = "It holds from the next call on.")
    @ApiResponse(responseCode = "201", description = "The tool.")
    @ApiResponse(responseCode = "409", description = "This version is there already.")
    HttpResponse<ToolJson> make(
            @PathVariable String project,
            @Body ToolJson body,
            @Parameter(description = "true: checks it and changes nothing.") @Nullable @QueryValue Boolean dryRun,
            @Parameter(hidden = true) Caller caller) {
        DefinitionScope scope = DefinitionScope.project(caller, Capability.AGENT_MANAGE, project);
        return service.create(scope, CatalogueTable.TOOL, CatalogueReader.tool(scope, null, body), dryRun);
    }

    @Put(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            operationId = "replaceTool",
            summary = "Replace a version of a tool",
            description = "What is left out has its default again. Needs If-Match with the ETag that was seen.")
    @ApiResponse(responseCode = "200", description = "The tool.")
    @ApiResponse(responseCode = "403", description = "It is defined elsewhere.")
    HttpResponse<ToolJson> replace(
            @PathVariable String project,
            @PathVariable String name,
            @Body ToolJson body,
            @Parameter(description = "true: checks it and changes nothing.") @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        DefinitionScope scope = DefinitionScope.project(caller, Capability.AGENT_MANAGE, project);
        return service.replace(scope, CatalogueTable.TOOL, CatalogueReader.tool(scope, name, body), ifMatch, dryRun);
    }

    @Delete(OF_PROJECT + "/{name}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            operationId = "deleteTool",
            summary = "Delete a version of a tool",
            description = "An older version takes its place, if there is one. POST brings it back.")
    @ApiResponse(responseCode = "204", description = "It is gone.")
    HttpResponse<Void> delete(
            @PathVariable String project,
            @PathVariable String name,
            @QueryValue String version,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        return service.delete(
                DefinitionScope.project(caller, Capability.AGENT_MANAGE, project),
                CatalogueTable.TOOL,
                name,
                version,
                ifMatch);
    }

    @Get(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "listHostTools", summary = "List tools", description = LIST)
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<ToolJson> list(
            @Parameter(description = QUERY) @Nullable @QueryValue String q,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return service.list(DefinitionScope.host(caller), CatalogueTable.TOOL, _ -> true, q, limit, cursor);
    }

    @Get(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "showHostTool",
            summary = "Get a tool",
            description = "The newest version, or the one that is named, with its ETag.")
    @ApiResponse(responseCode = "200", description = "The tool.")
    HttpResponse<ToolJson> show(
            @PathVariable String name, @Nullable @QueryValue String version, @Parameter(hidden = true) Caller caller) {
        return service.show(DefinitionScope.host(caller), CatalogueTable.TOOL, name, version);
    }

    @Get(OF_HOST + "/{name}/versions")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "listHostToolVersions",
            summary = "List versions of a tool",
            description = "The newest first.")
    @ApiResponse(responseCode = "200", description = "All of them.")
    List<ToolJson> versions(@PathVariable String name, @Parameter(hidden = true) Caller caller) {
        return service.versions(DefinitionScope.host(caller), CatalogueTable.TOOL, name);
    }

    @Post(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "makeHostTool",
            summary = "Create a version of a tool",
            description = "It holds from the next call on.")
    @ApiResponse(responseCode = "201", description = "The tool.")
    @ApiResponse(responseCode = "409", description = "This version is there already.")
    HttpResponse<ToolJson> make(
            @Body ToolJson body,
            @Parameter(description = "true: checks it and changes nothing.") @Nullable @QueryValue Boolean dryRun,
            @Parameter(hidden = true) Caller caller) {
        DefinitionScope scope = DefinitionScope.host(caller);
        return service.create(scope, CatalogueTable.TOOL, CatalogueReader.tool(scope, null, body), dryRun);
    }

    @Put(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "replaceHostTool",
            summary = "Replace a version of a tool",
            description = "What is left out has its default again. Needs If-Match with the ETag that was seen.")
    @ApiResponse(responseCode = "200", description = "The tool.")
    @ApiResponse(responseCode = "403", description = "It is defined elsewhere.")
    HttpResponse<ToolJson> replace(
            @PathVariable String name,
            @Body ToolJson body,
            @Parameter(description = "true: checks it and changes nothing.") @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        DefinitionScope scope = DefinitionScope.host(caller);
        return service.replace(scope, CatalogueTable.TOOL, CatalogueReader.tool(scope, name, body), ifMatch, dryRun);
    }

    @Delete(OF_HOST + "/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "deleteHostTool",
            summary = "Delete a version of a tool",
            description = "An older version takes its place, if there is one. POST brings it back.")
    @ApiResponse(responseCode = "204", description = "It is gone.")
    HttpResponse<Void> delete(
            @PathVariable String name,
            @QueryValue String version,
            @Nullable @Header("If-Match") String ifMatch,
            @Parameter(hidden = true) Caller caller) {
        return service.delete(DefinitionScope.host(caller), CatalogueTable.TOOL, name, version, ifMatch);
    }
}
