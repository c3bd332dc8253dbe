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

/** The rules about tool calls of the caller's host, for its administrators. */
@Controller("/v1/permissions")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true", beans = Rules.class)
@Tag(name = "Permissions", description = "What agents may do, and what people are asked.")
class HostPermissionController {
    private final Rules rules;

    HostPermissionController(Rules rules) {
        this.rules = rules;
    }

    @Get
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "listHostPermissions",
            summary = "List rules",
            description = "Those that were made here, the oldest first.")
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<RuleJson> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return rules.list(DefinitionScope.host(caller), limit, cursor);
    }

    @Post
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "makeHostPermission",
            summary = "Make a rule",
            description = "It holds from the next tool call on.")
    @ApiResponse(responseCode = "201", description = "The rule.")
    HttpResponse<RuleJson> make(@Body RuleBody body, @Parameter(hidden = true) Caller caller) {
        return HttpResponse.created(rules.make(DefinitionScope.host(caller), body));
    }

    @Delete("/{id}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "deleteHostPermission",
            summary = "Take a rule back",
            description = "A rule does not change: make another one.")
    @ApiResponse(responseCode = "204", description = "It holds no longer.")
    HttpResponse<Void> delete(@PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        rules.delete(DefinitionScope.host(caller), id);
        return HttpResponse.noContent();
    }

    @Post("/evaluate")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "evaluateHostPermission",
            summary = "Ask what would become of a tool call",
            description =
                    "Of a session without rules of its own: what is decided, by which rule, and which others say something of it.")
    @ApiResponse(responseCode = "200", description = "The decision, explained.")
    Evaluation evaluate(@Body Evaluation.Question question, @Parameter(hidden = true) Caller caller) {
        return Evaluation.of(question, rules.known(DefinitionScope.host(caller)), Instant.now());
    }
}
