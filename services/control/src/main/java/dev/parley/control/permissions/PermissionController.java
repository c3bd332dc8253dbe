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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of permission rules: those of projects and, for administrators, those of hosts. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true", beans = PermissionRules.class)
@Tag(name = "Permissions", description = "Permission rules and approvals of tool calls.")
class PermissionController {
    private static final String OF_PROJECT = "/projects/{project}/permissions";
    private static final String OF_HOST = "/permissions";

    private final PermissionRules rules;

    PermissionController(PermissionRules rules) {
        this.rules = rules;
    }

    @Get(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(summary = "List permission rules", description = "Rules created in the project, oldest first.")
    @ApiResponse(responseCode = "200", description = "A page of rules.")
    Page<RuleJson> list(
            @PathVariable String project,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        return rules.list(DefinitionScope.project(caller, Capability.AGENT_READ, project), limit, cursor);
    }

    @Post(OF_PROJECT)
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(summary = "Create a permission rule", description = "Takes effect from the next tool call.")
    @ApiResponse(responseCode = "201", description = "The rule was created.")
    HttpResponse<RuleJson> make(@PathVariable String project, @Body RuleBody body, Caller caller) {
        return HttpResponse.created(
                rules.create(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), body));
    }

    @Delete(OF_PROJECT + "/{id}")
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(
            summary = "Delete a permission rule",
            description = "Rules cannot be changed; create another one instead.")
    @ApiResponse(responseCode = "204", description = "The rule was deleted and no longer applies.")
    HttpResponse<Void> delete(@PathVariable String project, @PathVariable UUID id, Caller caller) {
        rules.delete(DefinitionScope.project(caller, Capability.AGENT_MANAGE, project), id);
        return HttpResponse.noContent();
    }

    @Post(OF_PROJECT + "/evaluate")
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(
            summary = "Evaluate the rules for a tool call",
            description = "The decision in a session without rules of its own, the rule that decides and the "
                    + "other rules that apply.")
    @ApiResponse(responseCode = "200", description = "The decision with its explanation.")
    Evaluation evaluate(@PathVariable String project, @Body Evaluation.Question question, Caller caller) {
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
            description = "Rules created for the host, oldest first.")
    @ApiResponse(responseCode = "200", description = "A page of rules.")
    Page<RuleJson> list(@Nullable @QueryValue Integer limit, @Nullable @QueryValue String cursor, Caller caller) {
        return rules.list(DefinitionScope.host(caller), limit, cursor);
    }

    @Post(OF_HOST)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "makeHostPermission",
            summary = "Create a permission rule",
            description = "Takes effect from the next tool call.")
    @ApiResponse(responseCode = "201", description = "The rule was created.")
    HttpResponse<RuleJson> make(@Body RuleBody body, Caller caller) {
        return HttpResponse.created(rules.create(DefinitionScope.host(caller), body));
    }

    @Delete(OF_HOST + "/{id}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "deleteHostPermission",
            summary = "Delete a permission rule",
            description = "Rules cannot be changed; create another one instead.")
    @ApiResponse(responseCode = "204", description = "The rule was deleted and no longer applies.")
    HttpResponse<Void> delete(@PathVariable UUID id, Caller caller) {
        rules.delete(DefinitionScope.host(caller), id);
        return HttpResponse.noContent();
    }

    @Post(OF_HOST + "/evaluate")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "evaluateHostPermission",
            summary = "Evaluate the rules for a tool call",
            description = "The decision in a session without rules of its own, the rule that decides and the "
                    + "other rules that apply.")
    @ApiResponse(responseCode = "200", description = "The decision with its explanation.")
    Evaluation evaluate(@Body Evaluation.Question question, Caller caller) {
        return Evaluation.of(question, rules.visible(DefinitionScope.host(caller)), Instant.now());
    }
}
