package dev.parley.control.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.EndpointJson;
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
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes of a host's endpoints. */
@Controller("/v1/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = CatalogueService.class)
@Tag(name = "Endpoints", description = "HTTP APIs that administrators open to tools, and their access rules.")
class EndpointController {
    private final CatalogueService service;
    private final CatalogueRequests requests;

    EndpointController(CatalogueService service, CatalogueRequests requests) {
        this.service = service;
        this.requests = requests;
    }

    /** An endpoint in the catalogue: its definition, or why this build refuses what is stored. */
    @Serdeable
    @Schema(
            name = "StoredEndpoint",
            description = "An endpoint; one that this build refuses has a name, a version, a source and what is wrong.",
            oneOf = {EndpointJson.class, RefusedEntry.class})
    record EndpointView(@Schema(hidden = true) JsonNode entry) {
        @JsonValue
        JsonNode json() {
            return entry;
        }
    }

    /** Request body that defines an endpoint: its document, which {@link CatalogueRequests} reads. */
    @Serdeable
    @Schema(name = "EndpointDefinition") // DocumentSchemas has its fields
    record EndpointBody(@Schema(hidden = true) JsonNode document) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        EndpointBody {}
    }

    /**
     * List endpoints. Endpoints by name; with q, the best matches.
     *
     * @param q Purpose to search for, in any words; the best matches come first, on one page.
     * @return A page of endpoints.
     */
    @Get
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "listEndpoints")
    Page<EndpointView> list(
            @Nullable @QueryValue String q,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        return service.list(DefinitionScope.host(caller), CatalogueTable.ENDPOINT, _ -> true, q, limit, cursor)
                .map(EndpointView::new);
    }

    /**
     * Get an endpoint. The response has an ETag.
     *
     * @return The endpoint.
     */
    @Get("/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "showEndpoint")
    HttpResponse<EndpointView> show(@PathVariable String name, Caller caller) {
        return service.show(DefinitionScope.host(caller), CatalogueTable.ENDPOINT, name, null, EndpointView::new);
    }

    /**
     * Create an endpoint. Tools may name the endpoint from now on.
     *
     * @param dryRun True to validate the request without saving it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "makeEndpoint")
    @ApiResponse(responseCode = "201", description = "The endpoint was created.")
    @ApiResponse(responseCode = "409", description = "An endpoint of this name already exists.")
    HttpResponse<EndpointJson> make(@Body EndpointBody body, @Nullable @QueryValue Boolean dryRun, Caller caller) {
        DefinitionScope scope = DefinitionScope.host(caller);
        return service.create(
                scope, CatalogueTable.ENDPOINT, requests.endpoint(scope.host(), null, body.document()), dryRun);
    }

    /**
     * Replace an endpoint. Omitted fields, including allow, return to their defaults. Takes effect from the next call.
     * Requires If-Match with the ETag that was read.
     *
     * @param dryRun True to validate the request without saving it.
     * @return The endpoint.
     */
    @MaxBody(BodySize.DEFINITION)
    @Put("/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "replaceEndpoint")
    HttpResponse<EndpointJson> replace(
            @PathVariable String name,
            @Body EndpointBody body,
            @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        DefinitionScope scope = DefinitionScope.host(caller);
        return service.replace(
                scope,
                CatalogueTable.ENDPOINT,
                requests.endpoint(scope.host(), name, body.document()),
                ifMatch,
                dryRun);
    }

    /**
     * Delete an endpoint. Tools that name the endpoint can no longer be used. POST restores the endpoint and these
     * tools.
     */
    @Delete("/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(operationId = "deleteEndpoint")
    @ApiResponse(responseCode = "204", description = "The endpoint was deleted.")
    HttpResponse<Void> delete(@PathVariable String name, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        return service.delete(
                DefinitionScope.host(caller), CatalogueTable.ENDPOINT, name, EndpointJson.VERSION, ifMatch);
    }
}
