package dev.parley.tools;

import dev.parley.domain.Coded;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.platform.gateway.Settlements;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.AuditComment;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.tools.UnknownCallJson.DecideJson;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tool calls of unknown outcome of a project, for its administrators. */
@Controller("/v1/projects/{project}/tool-calls")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.tools", value = "true", beans = UnknownCalls.class)
@Tag(name = "Tool calls", description = "Tool calls of unknown outcome.")
class UnknownCallController {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownCallController.class);

    private final UnknownCalls calls;
    private final Settlements settlements;

    UnknownCallController(UnknownCalls calls, Settlements settlements) {
        this.calls = calls;
        this.settlements = settlements;
    }

    /**
     * List tool calls of unknown outcome. Undecided calls, newest first.
     *
     * @param state State of the calls: only unknown, the default.
     * @return A page of calls.
     */
    @Get
    @RequiresCapability(Capability.SESSION_READ_ALL)
    @Operation(operationId = "listUnknownToolCalls")
    Page<UnknownCallJson> list(
            @PathVariable String project,
            @Nullable @QueryValue String state,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        UUID id = caller.require(Capability.SESSION_READ_ALL, project).project();
        if (state != null && !state.equals("unknown")) {
            throw ApiException.badRequest(
                    "invalid_value", "'state' must be unknown; other calls are listed in their sessions");
        }
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<UnknownCall> found = calls.list(caller.host(), id, Cursor.timeOf(after), Cursor.idOf(after), max + 1);
        return Page.of(found, max, UnknownCallJson::of, call -> Cursor.of(call.finishedAt(), call.id()));
    }

    /**
     * Resolve a tool call of unknown outcome. A call can be decided once. The call is not repeated, and the model is
     * not notified.
     *
     * @return The call with the decision.
     */
    @Post("/{call}/decide")
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "tool-call", action = "decide")
    @Operation(operationId = "decideToolCall")
    @ApiResponse(responseCode = "409", description = "The call was already decided.")
    UnknownCallJson decide(
            @PathVariable String project, @PathVariable UUID call, @Body DecideJson body, Caller caller) {
        String note = AuditComment.of("note", body.note());
        caller.require(Capability.SESSION_READ_ALL, project);
        Project in = caller.require(Capability.SESSION_SEND, project);
        UUID id = in.project();
        CallOutcome outcome = outcome(body);
        UnknownCall decided = calls.decide(caller.host(), id, call, outcome, caller.user(), note)
                .orElseThrow(() -> problem(calls.find(caller.host(), id, call).isPresent()));
        if (!decided.session().isEmpty()) {
            notify(caller, new RecordKey(in.projectKey(), decided.session()), call, outcome);
        }
        return UnknownCallJson.of(decided);
    }

    /**
     * Notifies the session. The decision is recorded even if that fails; the session receives it when its task is
     * answered.
     */
    private void notify(Caller caller, RecordKey session, UUID call, CallOutcome outcome) {
        if (!settlements.send(session, new SettleCall(call, caller.host(), outcome, caller.user(), null))) {
            LOG.warn(
                    "the session could not be notified of the decision about the call {}: Kafka is not available",
                    call);
        }
    }

    private static ApiException problem(boolean decided) {
        return decided
                ? new ApiException(HttpStatus.CONFLICT, "already_decided", "This call is decided already")
                : ApiException.notFound("unknown_tool_call", "There is no such call of unknown outcome");
    }

    private static CallOutcome outcome(DecideJson body) {
        if (body.outcome() == null) {
            throw ApiException.badRequest("missing_field", "The field 'outcome' is required");
        }
        return Coded.of(CallOutcome.class, body.outcome())
                .orElseThrow(
                        () -> ApiException.badRequest("invalid_value", "'outcome' must be happened or did_not_happen"));
    }
}
