package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.web.TurnSubmitter.Submitted;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.platform.http.AuditComment;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.TurnJson;
import dev.parley.platform.http.WaitParameter;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.uri.UriBuilder;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes that submit, retry and cancel turns. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Turns", description = "Send messages to an agent, and cancel its turns.")
class TurnController {
    private static final String REASON = "What the caller says about it, for the audit log; at most 2,000 characters.";

    private final TurnSubmitter turns;
    private final TurnService service;
    private final CallerCommands commands;

    TurnController(TurnSubmitter turns, TurnService service, CallerCommands commands) {
        this.turns = turns;
        this.service = service;
        this.commands = commands;
    }

    /**
     * Submit a turn. Submits a turn. A missing session is created. The same Idempotency-Key yields the same turn.
     *
     * @param project Key of the project. Defaults to the default project.
     * @param key Key of the session.
     * @param wait Maximum time to wait for the end of the turn, such as 30s; at most 10m.
     * @param deliver true: the reply is also delivered to the bot's chat that the session is of; needs
     *     session.read_all.
     * @param idempotencyKey Identifies the request, so that duplicates are ignored; 1 to 200 characters.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @MaxBody(BodySize.FILES)
    @Post(uris = {"/v1/sessions/{key}/turns", "/v1/projects/{project}/sessions/{key}/turns"})
    @ApiResponse(
            responseCode = "202",
            description = "The turn was accepted, and runs or is queued. For requests with wait, calls has those "
                    + "that wait for the caller.")
    @ApiResponse(responseCode = "200", description = "The turn has ended, for requests with wait.")
    HttpResponse<TurnJson> submit(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @QueryValue String wait,
            @Nullable @QueryValue Boolean deliver,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Header("traceparent") @Parameter(hidden = true) String trace,
            @Body TurnRequest request,
            Caller caller)
            throws InterruptedException {
        Optional<Duration> timeout = WaitParameter.parse(wait);
        RecordKey session = caller.session(project, key);
        String reference = TurnSubmitter.reference(idempotencyKey);
        SubmitTurn turn = turns.turn(caller, session, request, reference, trace);
        return submit(session, Boolean.TRUE.equals(deliver) ? turns.toChat(caller, session, turn) : turn, timeout);
    }

    /**
     * Send a message to a session. The message is the assistant's: no model is called, and the model of the next turn
     * sees it as its own. In the chat of a bot it is delivered at once, also while a turn is running, and needs
     * session.read_all; a chat that has no session yet gets one. The same Idempotency-Key is the same message.
     *
     * @param project Key of the project. Defaults to the default project.
     * @param key Key of the session, which for a bot is its name, a colon and the chat.
     * @param wait Maximum time to wait until the session has the message, such as 30s; at most 10m.
     * @param idempotencyKey Identifies the request, so that duplicates are ignored; 1 to 200 characters.
     * @return The message, as a turn whose reply it is.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @MaxBody(BodySize.FILES)
    @Audited(source = "session", action = "post")
    @Post(uris = {"/v1/sessions/{key}/messages", "/v1/projects/{project}/sessions/{key}/messages"})
    @ApiResponse(responseCode = "202", description = "The message was accepted.")
    @ApiResponse(responseCode = "200", description = "The session has the message, for requests with wait.")
    @ApiResponse(responseCode = "403", description = "The session is of somebody else, or of a bot's chat.")
    HttpResponse<TurnJson> post(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @QueryValue String wait,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Header("traceparent") @Parameter(hidden = true) String trace,
            @Body MessageRequest request,
            Caller caller)
            throws InterruptedException {
        Optional<Duration> timeout = WaitParameter.parse(wait);
        RecordKey session = caller.session(project, key);
        String reference = TurnSubmitter.reference(idempotencyKey);
        return submit(session, turns.post(caller, session, request, reference, trace), timeout);
    }

    /**
     * Retry a turn. Repeats the question of this answer, as if the answer and everything after it had not been given:
     * the model no longer sees them, lists omit them unless reverted=true is given, and running and waiting turns are
     * cancelled. Both answers have the same question as their parentId. Files stay unchanged; revert restores them. The
     * same Idempotency-Key yields the same turn.
     *
     * @param id Id of the answer, which is a message of an assistant.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "turn", action = "retry")
    @Post(
            uris = {
                "/v1/sessions/{key}/messages/{id}/retry",
                "/v1/projects/{project}/sessions/{key}/messages/{id}/retry"
            })
    @ApiResponse(responseCode = "202", description = "The turn was accepted and is running.")
    @ApiResponse(responseCode = "200", description = "The turn has ended, for requests with wait.")
    @ApiResponse(responseCode = "404", description = "The model context does not have this answer.")
    HttpResponse<TurnJson> retry(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Nullable @QueryValue String wait,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Header("traceparent") @Parameter(hidden = true) String trace,
            @Nullable @Body RetryRequest request,
            Caller caller)
            throws InterruptedException {
        Optional<Duration> timeout = WaitParameter.parse(wait);
        RecordKey session = caller.session(project, key);
        String reference = TurnSubmitter.reference(idempotencyKey);
        var retry = request == null ? new RetryRequest(null, null) : request;
        return submit(session, turns.retry(caller, session, id, retry, reference, trace), timeout);
    }

    private HttpResponse<TurnJson> submit(RecordKey session, SubmitTurn turn, Optional<Duration> timeout)
            throws InterruptedException {
        if (timeout.isPresent() && mayCall(turn)) {
            try (FollowedTurn followed = service.begin(session, turn)) {
                return followed.response(timeout.get())
                        .headers(headers -> headers.location(location(session, followed.id())));
            }
        }
        try (Submitted submitted = turns.submit(session, turn)) {
            Optional<TurnJson> finished = timeout.isPresent() ? submitted.awaitEnd(timeout.get()) : Optional.empty();
            HttpStatus status = finished.isPresent() ? HttpStatus.OK : HttpStatus.ACCEPTED;
            return HttpResponse.<TurnJson>status(status)
                    .headers(headers -> headers.location(location(session, submitted.turnId())))
                    .body(finished.orElseGet(submitted::json));
        }
    }

    /** Whether a turn may wait for its caller: a retry has the tools of the first attempt. */
    private static boolean mayCall(SubmitTurn turn) {
        return !turn.tools().isEmpty() || turn.retries() != null;
    }

    private static URI location(RecordKey session, UUID turn) {
        return UriBuilder.of("/v1/projects/{project}/turns/{turn}")
                .expand(Map.of("project", session.project(), "turn", turn.toString()));
    }

    /** The reason of a cancellation. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "CancelTurn")
    record Cancellation(
            @Schema(description = REASON) @Nullable String reason) {}

    /** Cancel a turn. Cancels a running or queued turn; its partial reply is kept. The body can be absent. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "turn", action = "cancel")
    @Post(uris = {"/v1/sessions/{key}/turns/{id}/cancel", "/v1/projects/{project}/sessions/{key}/turns/{id}/cancel"})
    @ApiResponse(responseCode = "202", description = "The turn is being cancelled.")
    HttpResponse<?> cancel(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Nullable @Body Cancellation body,
            Caller caller) {
        return cancel(caller, project, key, id, body == null ? null : body.reason());
    }

    /**
     * An opinion about a turn.
     *
     * @param opinion The opinion: good or bad.
     * @param text Reason of the opinion, at most 2,000 characters. It is part of the session, not of the audit log.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "FeedbackRequest")
    record FeedbackBody(@Nullable String opinion, @Nullable String text) {}

    /**
     * Give an opinion about a turn. Replaces the caller's earlier opinion about it, for seven days after the end of the
     * turn.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Post(
            uris = {
                "/v1/sessions/{key}/turns/{id}/feedback",
                "/v1/projects/{project}/sessions/{key}/turns/{id}/feedback"
            })
    @ApiResponse(responseCode = "202", description = "The opinion is stored.")
    HttpResponse<?> giveFeedback(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Body FeedbackBody body,
            Caller caller) {
        service.giveFeedback(caller, caller.session(project, key), id, body.opinion(), body.text());
        return HttpResponse.accepted();
    }

    /** Withdraw an opinion about a turn. Takes back the caller's opinion; reactions in chats stay. */
    @RequiresCapability(Capability.SESSION_READ)
    @Delete(
            uris = {
                "/v1/sessions/{key}/turns/{id}/feedback",
                "/v1/projects/{project}/sessions/{key}/turns/{id}/feedback"
            })
    @ApiResponse(responseCode = "202", description = "The opinion is taken back.")
    HttpResponse<?> withdrawFeedback(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        service.withdrawFeedback(caller, caller.session(project, key), id);
        return HttpResponse.accepted();
    }

    /** Cancel the active turn. Cancels the active turn; queued turns continue. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "turn", action = "cancel")
    @Delete(uris = {"/v1/sessions/{key}/run", "/v1/projects/{project}/sessions/{key}/run"})
    @ApiResponse(responseCode = "202", description = "The turn is being cancelled.")
    HttpResponse<?> stop(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Parameter(description = REASON) @Nullable @QueryValue String reason,
            Caller caller) {
        return cancel(caller, project, key, null, reason);
    }

    /** Delete a queued message. Removes a turn from the queue. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "turn", action = "cancel")
    @Delete(uris = {"/v1/sessions/{key}/queue/{turnId}", "/v1/projects/{project}/sessions/{key}/queue/{turnId}"})
    @ApiResponse(responseCode = "202", description = "The turn was removed.")
    HttpResponse<?> dequeue(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID turnId,
            @Parameter(description = REASON) @Nullable @QueryValue String reason,
            Caller caller) {
        return cancel(caller, project, key, turnId, reason);
    }

    private HttpResponse<?> cancel(
            Caller caller, @Nullable String project, String key, @Nullable UUID turn, @Nullable String reason) {
        String comment = AuditComment.of("reason", reason);
        commands.cancel(caller, caller.session(project, key), turn, comment);
        return HttpResponse.accepted();
    }
}
