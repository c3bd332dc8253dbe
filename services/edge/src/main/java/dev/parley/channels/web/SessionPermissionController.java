package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.SetPermissions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.AuditComment;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Routes of approvals, and of the permission rules of a session. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Permissions", description = "Permission rules and approvals of tool calls.")
class SessionPermissionController {
    private final CallerCommands commands;

    SessionPermissionController(CallerCommands commands) {
        this.commands = commands;
    }

    /**
     * The decision on a tool call.
     *
     * @param answer Decision: once allows this call; session, project and host also allow the same in this session, in
     *     all sessions of the project, or in all projects of the host; reject denies this call.
     * @param reason Reason for the decision, at most 2,000 characters. It is in the audit log, in the task of the
     *     approval and on the topic; the model does not see it.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ApprovalAnswer")
    record Answer(@Nullable String answer, @Nullable String reason) {}

    /** A session's own rules for tool calls. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SessionPermissions")
    record Rules(@Nullable List<Given> rules) {}

    /**
     * A permission rule of a session.
     *
     * @param tool Name of a tool, or * for all tools.
     * @param pattern Pattern of the call's value: a path, a URL or the words of a command. Defaults to all values.
     * @param action Action of the rule: allow, ask or deny.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SessionPermission")
    record Given(
            @Nullable String tool,
            @Nullable String pattern,
            @Nullable String action) {}

    /**
     * Decide an approval. The first answer counts. The response is 404 if the approval is not, or no longer, pending.
     * The answers project and host require the right to make the rule that follows.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "approval", action = "decide")
    @Post(uris = {"/v1/sessions/{key}/approvals/{id}", "/v1/projects/{project}/sessions/{key}/approvals/{id}"})
    @ApiResponse(responseCode = "202", description = "The answer was accepted.")
    @ApiResponse(responseCode = "403", description = "The caller may not give this answer; the approval stays pending.")
    HttpResponse<?> decide(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Body Answer body,
            Caller caller) {
        String reason = AuditComment.of("reason", body.reason());
        ApprovalAnswer answer = ApprovalAnswer.ofPerson(body.answer())
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_answer", "The 'answer' is once, session, project, host or reject"));
        caller.requireThere(answer.needs(), project);
        RecordKey session = caller.session(project, key);
        var meta = commands.meta(caller, session);
        commands.execute(session, new DecideApproval(meta, id, answer, reason));
        return HttpResponse.accepted();
    }

    /**
     * Set a session's permission rules. Replaces the session's own rules for tool calls. They take precedence over
     * those of its project and host, except for locked deny rules.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "permissions")
    @Put(uris = {"/v1/sessions/{key}/permissions", "/v1/projects/{project}/sessions/{key}/permissions"})
    @ApiResponse(responseCode = "202", description = "The rules apply from the next call on.")
    HttpResponse<?> set(
            @Nullable @PathVariable String project, @PathVariable String key, @Body Rules body, Caller caller) {
        List<Given> given = body.rules();
        if (given == null || given.size() > SetPermissions.MAX_RULES) {
            throw ApiException.badRequest(
                    "invalid_rules", "'rules' must be a list of at most " + SetPermissions.MAX_RULES + " rules");
        }
        RecordKey session = caller.session(project, key);
        var rules = IntStream.range(0, given.size())
                .mapToObj(i -> rule(i, given.get(i), caller.user()))
                .toList();
        var meta = commands.meta(caller, session);
        commands.execute(session, new SetPermissions(meta, rules));
        return HttpResponse.accepted();
    }

    /**
     * Remove a permission rule of a session. Also one that follows from the answer "always in this session". The others
     * stay.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "permissions")
    @Delete(uris = {"/v1/sessions/{key}/permissions/{id}", "/v1/projects/{project}/sessions/{key}/permissions/{id}"})
    @ApiResponse(responseCode = "202", description = "The rule no longer applies, from the next call on.")
    @ApiResponse(responseCode = "404", description = "The session has no such rule.")
    HttpResponse<?> remove(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        RecordKey session = caller.session(project, key);
        var meta = commands.meta(caller, session);
        commands.execute(session, new SetPermissions(meta, List.of(), id));
        return HttpResponse.accepted();
    }

    private static PermissionRule rule(int index, @Nullable Given body, String user) {
        String path = "rules[" + index + "]";
        Given input = body == null ? new Given(null, null, null) : body;
        String pattern = input.pattern() == null ? PermissionRule.EVERYTHING : input.pattern();
        try {
            PermissionAction action =
                    PermissionAction.valueOf(String.valueOf(input.action()).toUpperCase(Locale.ROOT));
            String tool = PermissionRule.tool(Objects.requireNonNullElse(input.tool(), ""));
            UUID id = PermissionRule.idInSession(tool, pattern, action);
            return new PermissionRule(id, RuleLevel.SESSION, null, tool, pattern, action, false, null, user);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(
                    "invalid_rule",
                    "%s needs a 'tool' (a name, or *) and an 'action' (allow, ask or deny); a 'pattern' has 1 to 1024 characters"
                            .formatted(path));
        }
    }
}
