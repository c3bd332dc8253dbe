package dev.parley.control.permissions;

import dev.parley.control.definitions.DefinitionScope;
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
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of permission rules: those of projects and, for administrators, those of hosts. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true", beans = Rules.class)
@Tag(name = "Permissions", description = "What agents may do, and what people are asked.")
class PermissionController {
    private static final String OF_PROJECT = "/projects/{project}/permissions";
    private static final String OF_HOST = "/permissions";

    private final Rules rules;

    PermissionController(Rules rules) {
        this.rules = rules;
    }

    @Get(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(summary = "List permission rules", description = "Those that were made here, the oldest first.")
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<RuleJson> list(
            @PathVariable String project,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return rules.list(DefinitionScope.project(caller, Capability.AGENT_READ, project), limit, cursor);
    }

    @Post(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(summary = "Create a permission rule", description = "It holds from the next tool call on.")
    @ApiResponse(responseCode = "201", description = "The rule.")
    HttpResponse<RuleJson> make(
            @PathVariable String project, @Body RuleBody body, @Parameter(hidden = true) Caller caller) {
        return HttpResponse.created(
                rules.create(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), body));
    }

    @Delete(OF_PROJECT + "/{id}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(summary = "Delete a permission rule", description = "A rule does not change: make another one.")
    @ApiResponse(responseCode = "204", description = "It holds no longer.")
    HttpResponse<Void> delete(
            @PathVariable String project, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        rules.delete(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), id);
        return HttpResponse.noContent();
    }

    @Post(OF_PROJECT + "/evaluate")
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(
            summary = "Evaluate the rules for a tool call",
            description =
                    "Of a session without rules of its own: what is decided, by which rule, and which others say something of it.")
    @ApiResponse(responseCode = "200", description = "The decision, explained.")
    Evaluation evaluate(
            @PathVariable String project, @Body Evaluation.Question question, @Parameter(hidden = true) Caller caller) {
        return Evaluation.of(
                question,
                rules.visible(DefinitionScope.project(caller, Capability.AGENT_READ, project)),
                Instant.now());
    }

    @Get(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "listHostPermissions",
            summary = "List permission rules",
            description = "Those that were made here, the oldest first.")
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<RuleJson> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return rules.list(DefinitionScope.host(caller), limit, cursor);
    }

    @Post(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "makeHostPermission",
            summary = "Create a permission rule",
            description = "It holds from the next tool call on.")
    @ApiResponse(responseCode = "201", description = "The rule.")
    HttpResponse<RuleJson> make(@Body RuleBody body, @Parameter(hidden = true) Caller caller) {
        return HttpResponse.created(rules.create(DefinitionScope.host(caller), body));
    }

    @Delete(OF_HOST + "/{id}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "deleteHostPermission",
            summary = "Delete a permission rule",
            description = "A rule does not change: make another one.")
    @ApiResponse(responseCode = "204", description = "It holds no longer.")
    HttpResponse<Void> delete(@PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        rules.delete(DefinitionScope.host(caller), id);
        return HttpResponse.noContent();
    }

    @Post(OF_HOST + "/evaluate")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "evaluateHostPermission",
            summary = "Evaluate the rules for a tool call",
            description =
                    "Of a session without rules of its own: what is decided, by which rule, and which others say something of it.")
    @ApiResponse(responseCode = "200", description = "The decision, explained.")
    Evaluation evaluate(@Body Evaluation.Question question, @Parameter(hidden = true) Caller caller) {
        return Evaluation.of(question, rules.visible(DefinitionScope.host(caller)), Instant.now());
    }
}
