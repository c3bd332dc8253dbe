package dev.parley.agents.api;

import dev.parley.agents.turn.LiveSessions;
import dev.parley.agents.turn.LiveSessions.Answer;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.domain.session.Session;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The live state of a session, read from the state store and independent of the projected views. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(
        name = "Live",
        description = "Current state of sessions, from the instance that processes them; independent of "
                + "the projected views.")
class LiveController {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final LiveSessions sessions;

    LiveController(LiveSessions sessions) {
        this.sessions = sessions;
    }

    private static boolean isShown(Session session, Caller caller, RecordKey key) {
        return session.host().equals(caller.host())
                && caller.standing(key.project(), session.user()).allows(Use.READ);
    }

    /**
     * Get a session's live state. The active turn with its open calls, and the queued turns, as the turn machine
     * currently has them. Only the instance that owns the session can answer.
     *
     * @return The current state of the session.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/live", "/v1/projects/{project}/sessions/{key}/live"})
    @ApiResponse(responseCode = "404", description = "Unknown session.")
    @ApiResponse(responseCode = "409", description = "The stored state of the session cannot be read.")
    @ApiResponse(responseCode = "421", description = "Another instance owns the session; the detail names it.")
    @ApiResponse(responseCode = "503", description = "The session is being moved or restored; retry.")
    LiveJson live(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        RecordKey session = caller.session(project, key);
        return switch (sessions.query(session)) {
            case Answer.Found(var state) when isShown(state.open(), caller, session) -> LiveJson.of(state);
            case Answer.Found _, Answer.Unknown _ ->
                throw ApiException.notFound("unknown_session", "There is no session '" + key + "'");
            case Answer.Unreadable _ ->
                throw new ApiException(HttpStatus.CONFLICT, LiveSessions.UNREADABLE, LiveSessions.UNREADABLE_TEXT);
            case Answer.Elsewhere(String instance) ->
                throw new ApiException(
                        HttpStatus.MISDIRECTED_REQUEST,
                        "other_instance",
                        "The instance '" + instance + "' has this session; send the request there");
            case Answer.NotReady _ ->
                throw new ApiException(
                                HttpStatus.SERVICE_UNAVAILABLE, "not_ready", "The session is being moved or restored")
                        .retryAfter(RETRY_DELAY);
        };
    }
}
