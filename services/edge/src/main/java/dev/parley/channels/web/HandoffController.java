package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.AuditComment;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Routes by which people answer in the agent's place. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Sessions", description = "Conversations with agents.")
class HandoffController {
    private final CallerCommands commands;

    HandoffController(CallerCommands commands) {
        this.commands = commands;
    }

    /**
     * Why an operator is asked for, or why the conversation returns.
     *
     * @param reason Reason, at most 2,000 characters.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "HandoffReason")
    record ReasonBody(@Nullable String reason) {}

    /**
     * Who takes a conversation.
     *
     * @param name Name shown in the conversation, at most 100 characters. Defaults to the caller's username.
     * @param minutes Time without an answer of the operator after which the conversation returns to the agent; 1 to
     *     10080, 30 by default.
     * @param reason Reason, at most 2,000 characters.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "HandoffTake")
    record TakeBody(
            @Nullable String name,
            @Nullable Integer minutes,
            @Nullable String reason) {}

    /**
     * Ask for an operator. The agent pauses: later messages wait until an operator answers, or for an hour. A session
     * that has asked already stays as it is. The body can be absent.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "handoff", action = "ask")
    @Post(uris = {"/v1/sessions/{key}/handoff", "/v1/projects/{project}/sessions/{key}/handoff"})
    @ApiResponse(responseCode = "202", description = "An operator is asked for.")
    HttpResponse<?> ask(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Body ReasonBody body,
            Caller caller) {
        String reason = reason(body == null ? null : body.reason());
        return change(caller, project, key, Handoff.Step.ASK, reason, "", null);
    }

    /**
     * Take a session. The caller answers in the agent's place: a running turn is cancelled, later messages wait, and
     * messages that the caller sends to the session are delivered under the caller's name and answer all that wait.
     * Needs session.read_all. The body can be absent.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "handoff", action = "take")
    @Post(uris = {"/v1/sessions/{key}/handoff/take", "/v1/projects/{project}/sessions/{key}/handoff/take"})
    @ApiResponse(responseCode = "202", description = "The caller answers in the agent's place.")
    @ApiResponse(responseCode = "403", description = "The caller does not lead the project.")
    @ApiResponse(responseCode = "409", description = "Another operator answers there.")
    HttpResponse<?> take(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Body TakeBody body,
            Caller caller) {
        TakeBody request = body == null ? new TakeBody(null, null, null) : body;
        String reason = reason(request.reason());
        String name = Objects.requireNonNullElse(request.name(), caller.person().name());
        if (name.isBlank() || name.length() > ChangeHandoff.MAX_NAME) {
            throw ApiException.badRequest(
                    "invalid_name", "'name' has 1 to %d characters".formatted(ChangeHandoff.MAX_NAME));
        }
        return change(caller, project, key, Handoff.Step.TAKE, reason, name, timeout(request.minutes()));
    }

    private static @Nullable Duration timeout(@Nullable Integer minutes) {
        if (minutes != null && (minutes < 1 || minutes > Handoff.MAX_TIMEOUT.toMinutes())) {
            throw ApiException.badRequest(
                    "invalid_minutes", "'minutes' is 1 to %d".formatted(Handoff.MAX_TIMEOUT.toMinutes()));
        }
        return minutes == null ? null : Duration.ofMinutes(minutes);
    }

    /**
     * Return a session to the agent. The agent answers what waits still, and knows what was said. Needs
     * session.read_all, except for whoever asked for an operator, and for the session's user as long as no operator
     * has taken it. The body can be absent.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "handoff", action = "return")
    @Post(uris = {"/v1/sessions/{key}/handoff/return", "/v1/projects/{project}/sessions/{key}/handoff/return"})
    @ApiResponse(responseCode = "202", description = "The agent answers.")
    HttpResponse<?> giveBack(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Body ReasonBody body,
            Caller caller) {
        String reason = reason(body == null ? null : body.reason());
        return change(caller, project, key, Handoff.Step.RETURN, reason, "", null);
    }

    private static String reason(@Nullable String text) {
        return Objects.requireNonNullElse(AuditComment.of("reason", text), "");
    }

    private HttpResponse<?> change(
            Caller caller,
            @Nullable String project,
            String key,
            Handoff.Step step,
            String reason,
            String name,
            @Nullable Duration timeout) {
        RecordKey session = caller.session(project, key);
        commands.execute(session, new ChangeHandoff(commands.meta(caller, session), step, reason, name, timeout));
        return HttpResponse.accepted();
    }
}
