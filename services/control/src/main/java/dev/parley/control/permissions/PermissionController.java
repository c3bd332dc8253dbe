package dev.parley.control.permissions;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.http.Documents;
import dev.parley.domain.access.Capability;
import dev.parley.domain.permission.RuleDocument;
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
@Requires(beans = PermissionRules.class)
@Tag(name = "Permissions", description = "Permission rules and approvals of tool calls.")
class PermissionController {
    private static final String OF_PROJECT = "/projects/{project}/permissions";
    private static final String OF_HOST = "/permissions";

    private final PermissionRules rules;

    PermissionController(PermissionRules rules) {
        this.rules = rules;
    }

    /**
     * List permission rules. Rules created in the project or host, oldest first.
     *
     * @return A page of rules.
     */
    @Get(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "listPermissions")
    Page<RuleJson> list(
            @Nullable @PathVariable String project,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        return rules.list(DefinitionScope.of(caller, Capability.AGENT_READ, project), limit, cursor);
    }

    /** Create a permission rule. Takes effect from the next tool call. */
    @Post(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "makePermission")
    @ApiResponse(responseCode = "201", description = "The rule was created.")
    HttpResponse<RuleJson> make(@Nullable @PathVariable String project, @Body RuleBody body, Caller caller) {
        DefinitionScope scope = DefinitionScope.of(caller, Capability.AGENT_MANAGE, project);
        return HttpResponse.created(rules.create(scope, Documents.read(RuleDocument.class, null, body.document())));
    }

    /** Delete a permission rule. Rules cannot be changed; create another one instead. */
    @Delete(uris = {OF_PROJECT + "/{id}", OF_HOST + "/{id}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "deletePermission")
    @ApiResponse(responseCode = "204", description = "The rule was deleted and no longer applies.")
    HttpResponse<Void> delete(@Nullable @PathVariable String project, @PathVariable UUID id, Caller caller) {
        rules.delete(DefinitionScope.of(caller, Capability.AGENT_MANAGE, project), id);
        return HttpResponse.noContent();
    }

    /**
     * Evaluate the rules for a tool call. The decision in a session without rules of its own, the rule that decides and
     * the other rules that apply.
     *
     * @return The decision with its explanation.
     */
    @Post(uris = {OF_PROJECT + "/evaluate", OF_HOST + "/evaluate"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "evaluatePermission")
    Evaluation evaluate(@Nullable @PathVariable String project, @Body Evaluation.Question question, Caller caller) {
        return Evaluation.of(
                question, rules.visible(DefinitionScope.of(caller, Capability.AGENT_READ, project)), Instant.now());
    }
}
