package dev.parley.control.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.ToolJson;
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
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes of tools: those of projects and, for administrators, those of hosts. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = CatalogueService.class)
@Tag(name = "Tools", description = "Tools of projects and hosts, defined at run time.")
class ToolController {
    private static final String LIST =
            "The newest version of each visible tool, by name; a project's own takes precedence over its host's. "
                    + "With q, the best matches by meaning and by words; a paraphrase matches too.";
    private static final String QUERY =
            "Purpose to search for, in any words; the best matches come first, on one page.";

    private static final String OF_PROJECT = "/projects/{project}/tools";
    private static final String OF_HOST = "/tools";

    private final CatalogueService service;

    ToolController(CatalogueService service) {
        this.service = service;
    }

    /** A tool in the catalogue: its definition, or why this build refuses what is stored. */
    @Serdeable
    @Schema(
            name = "StoredTool",
            description = "A tool; one that this build refuses has a name, a version, a source and what is wrong.",
            oneOf = {ToolJson.class, RefusedEntry.class})
    record ToolView(@Schema(hidden = true) JsonNode entry) {
        @JsonValue
        JsonNode json() {
            return entry;
        }
    }

    /** Request body that defines a tool: its document, which {@link CatalogueRequests} reads. */
    @Serdeable
    @Schema(name = "ToolDefinition") // DocumentSchemas has its fields
    record ToolBody(@Schema(hidden = true) JsonNode document) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        ToolBody {}
    }

    @Get(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "listTools", summary = "List tools", description = LIST)
    @ApiResponse(responseCode = "200", description = "A page of tools.")
    Page<ToolView> list(
            @Nullable @PathVariable String project,
            @Parameter(description = QUERY) @Nullable @QueryValue String q,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        return service.list(
                        DefinitionScope.of(caller, Capability.AGENT_READ, project),
                        CatalogueTable.TOOL,
                        _ -> true,
                        q,
                        limit,
                        cursor)
                .map(ToolView::new);
    }

    /**
     * Get a tool. The newest version or the one in version. The response has an ETag.
     *
     * @return The tool.
     */
    @Get(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "showTool")
    HttpResponse<ToolView> show(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @Nullable @QueryValue String version,
            Caller caller) {
        return service.show(
                DefinitionScope.of(caller, Capability.AGENT_READ, project),
                CatalogueTable.TOOL,
                name,
                version,
                ToolView::new);
    }

    /**
     * List versions of a tool. Versions, newest first.
     *
     * @return All versions.
     */
    @Get(uris = {OF_PROJECT + "/{name}/versions", OF_HOST + "/{name}/versions"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "listToolVersions")
    List<ToolView> versions(@Nullable @PathVariable String project, @PathVariable String name, Caller caller) {
        return service
                .versions(DefinitionScope.of(caller, Capability.AGENT_READ, project), CatalogueTable.TOOL, name)
                .stream()
                .map(ToolView::new)
                .toList();
    }

    /**
     * Create a version of a tool. Takes effect from the next call.
     *
     * @param dryRun True to validate the request without saving it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "makeTool")
    @ApiResponse(responseCode = "201", description = "The tool version was created.")
    @ApiResponse(responseCode = "409", description = "This version already exists.")
    HttpResponse<ToolJson> make(
            @Nullable @PathVariable String project,
            @Body ToolBody body,
            @Nullable @QueryValue Boolean dryRun,
            Caller caller) {
        DefinitionScope scope = DefinitionScope.of(caller, Capability.AGENT_MANAGE, project);
        return service.create(scope, CatalogueTable.TOOL, CatalogueRequests.tool(scope, null, body.document()), dryRun);
    }

    /**
     * Replace a version of a tool. Omitted fields return to their defaults. Requires If-Match with the ETag that was
     * read.
     *
     * @param dryRun True to validate the request without saving it.
     * @return The tool.
     */
    @MaxBody(BodySize.DEFINITION)
    @Put(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "replaceTool")
    @ApiResponse(responseCode = "403", description = "The tool is defined elsewhere and cannot be changed here.")
    HttpResponse<ToolJson> replace(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @Body ToolBody body,
            @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        DefinitionScope scope = DefinitionScope.of(caller, Capability.AGENT_MANAGE, project);
        return service.replace(
                scope, CatalogueTable.TOOL, CatalogueRequests.tool(scope, name, body.document()), ifMatch, dryRun);
    }

    /** Delete a version of a tool. An older version takes its place, if there is one. POST restores it. */
    @Delete(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "deleteTool")
    @ApiResponse(responseCode = "204", description = "The tool version was deleted.")
    HttpResponse<Void> delete(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @QueryValue String version,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.delete(
                DefinitionScope.of(caller, Capability.AGENT_MANAGE, project),
                CatalogueTable.TOOL,
                name,
                version,
                ifMatch);
    }
}
