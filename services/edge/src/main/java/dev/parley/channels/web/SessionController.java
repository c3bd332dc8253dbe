package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.Refusals;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Erasing;
import dev.parley.platform.http.ReadableText;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes that open and change sessions. Sessions decide on commands; views are not consulted. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Sessions", description = "Open, rename, archive, fork and delete sessions, and change their context.")
class SessionController {
    private static final int MAX_TITLE = 200;
    private static final int MAX_LABEL = 100;

    private final CallerCommands commands;

    SessionController(CallerCommands commands) {
        this.commands = commands;
    }

    /**
     * A session to open.
     *
     * @param key Key of the session, such as api:orders. Defaults to a generated key.
     * @param title Title of the session. Defaults to one generated after the first turn.
     * @param agent Agent that answers. Defaults to the default agent.
     * @param channel Kind of channel. Defaults to api.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "OpenSession")
    record Open(
            @Nullable String key,
            @Nullable String title,
            @Nullable String agent,
            @Nullable String channel,

            @Schema(description = "Settings of the session's turns, which override those of the agent.") @Nullable
            SettingsJson settings) {}

    /**
     * A session's new title, new settings, or both.
     *
     * @param title New title, at most 200 characters.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ChangeSession")
    record Edit(
            @Nullable String title,

            @Schema(description = "New settings, which replace all earlier ones; an empty object removes them.")
            @Nullable
            SettingsJson settings) {}

    /**
     * A change of the model context.
     *
     * @param reset Kind of change: clear empties the context, forget also erases what is remembered of the caller
     *     across sessions, mark marks this point, rewind returns to a mark, undo removes the last turn, new starts a
     *     new session under the same key.
     * @param label Name of the mark, for mark and rewind.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ResetContext")
    record Context(@Nullable String reset, @Nullable String label) {}

    /**
     * The target of a fork.
     *
     * @param target Key of the new session. Defaults to a generated key.
     * @param title Title of the new session.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ForkSession")
    record Fork(@Nullable String target, @Nullable String title) {}

    /**
     * A reference to a session.
     *
     * @param key Key of the session.
     * @param project Key of the project.
     * @param id Id of the session; null while unknown.
     */
    @Serdeable
    @Schema(name = "SessionReference")
    record Named(String key, String project, @Nullable UUID id) {}

    /** Open a session. Opens a session. The first turn of a session also opens it. */
    @RequiresCapability(Capability.SESSION_CREATE)
    @Audited(source = "session", action = "open")
    @Post(uris = {"/v1/sessions", "/v1/projects/{project}/sessions"})
    @ApiResponse(responseCode = "201", description = "The session was opened.")
    HttpResponse<Named> open(
            @Nullable @PathVariable String project,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Body Open open,
            Caller caller) {
        String reference = TurnSubmitter.reference(idempotencyKey);
        RecordKey key =
                caller.session(project, open.key() == null ? generatedKey(caller, "session", reference) : open.key());
        var meta = commands.meta(caller, key, "open", reference);
        String channel = open.channel() == null ? "api" : text("channel", open.channel(), MAX_LABEL);
        var outcome = commands.execute(
                key,
                new ChangeSession(
                        meta,
                        Change.OPEN,
                        title(open.title()),
                        open.agent(),
                        settings(open.settings()),
                        channel,
                        null));
        return createdResponse(key, outcome);
    }

    private static HttpResponse<Named> createdResponse(RecordKey key, Optional<Outcome> outcome) {
        return HttpResponse.<Named>status(outcome.isPresent() ? HttpStatus.CREATED : HttpStatus.ACCEPTED)
                .body(namedSession(key, outcome));
    }

    /** Update a session. Changes the title of a session, or the settings of its future turns. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "change")
    @Patch(uris = {"/v1/sessions/{key}", "/v1/projects/{project}/sessions/{key}"})
    @ApiResponse(responseCode = "202", description = "The session was changed; lists show the change shortly.")
    HttpResponse<Named> edit(
            @Nullable @PathVariable String project, @PathVariable String key, @Body Edit edit, Caller caller) {
        if (edit.title() == null && edit.settings() == null) {
            throw ApiException.badRequest("missing_field", "The field 'title' or 'settings' is missing");
        }
        Settings settings = settings(edit.settings());
        Change change = settings == null ? Change.RENAME : Change.CONFIGURE;
        return change(caller, caller.session(project, key), change, title(edit.title()), settings);
    }

    /** Archive a session. An archived session can be read but does not accept turns. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "archive")
    @Post(uris = {"/v1/sessions/{key}/archive", "/v1/projects/{project}/sessions/{key}/archive"})
    @ApiResponse(responseCode = "202", description = "The session was archived.")
    HttpResponse<Named> archive(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        return change(caller, caller.session(project, key), Change.ARCHIVE, null, null);
    }

    /** Reopen a session. The archived session accepts turns again. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "reopen")
    @Post(uris = {"/v1/sessions/{key}/reopen", "/v1/projects/{project}/sessions/{key}/reopen"})
    @ApiResponse(responseCode = "202", description = "The session was reopened.")
    HttpResponse<Named> reopen(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        return change(caller, caller.session(project, key), Change.REOPEN, null, null);
    }

    /** Delete a session. Deletes a session for all users. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "delete")
    @Delete(uris = {"/v1/sessions/{key}", "/v1/projects/{project}/sessions/{key}"})
    @ApiResponse(responseCode = "202", description = "The session was deleted.")
    HttpResponse<Named> delete(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        return change(caller, caller.session(project, key), Change.DELETE, null, null);
    }

    /**
     * Erase a session. Removes everything ever said under this key, and everything its delegates were told, from
     * records, files and logs. The receipt shows the progress: GET /v1/erasures/{erasure}.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "erase")
    @Post(uris = {"/v1/sessions/{key}/erase", "/v1/projects/{project}/sessions/{key}/erase"})
    @ApiResponse(responseCode = "202", description = "The session was deleted and is being erased.")
    HttpResponse<Erasing> erase(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        RecordKey session = caller.session(project, key);
        var meta = commands.meta(caller, session);
        commands.execute(session, new ChangeSession(meta, Change.ERASE, null, null, null, "api", null));
        return Erasing.accepted(meta.commandId());
    }

    private HttpResponse<Named> change(
            Caller caller, RecordKey key, Change change, @Nullable String title, @Nullable Settings settings) {
        var meta = commands.meta(caller, key);
        var outcome = commands.execute(key, new ChangeSession(meta, change, title, null, settings, "api", null));
        return acceptedResponse(key, outcome);
    }

    private static HttpResponse<Named> acceptedResponse(RecordKey key, Optional<Outcome> outcome) {
        return HttpResponse.<Named>accepted().body(namedSession(key, outcome));
    }

    private static Named namedSession(RecordKey key, Optional<Outcome> outcome) {
        UUID id = outcome.orElse(null) instanceof Outcome.Accepted accepted ? accepted.sessionId() : null;
        return new Named(key.session(), key.project(), id);
    }

    /** Reset the context. Changes the model context from now on; the visible history keeps everything. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "session", action = "context")
    @Post(uris = {"/v1/sessions/{key}/context", "/v1/projects/{project}/sessions/{key}/context"})
    @ApiResponse(responseCode = "202", description = "The context was changed.")
    HttpResponse<Named> context(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Body Context context,
            Caller caller) {
        RecordKey session = caller.session(project, key);
        Reset reset = reset(context.reset());
        if (reset == Reset.FORGET) {
            caller.require(Capability.MEMORY_WRITE, session.project());
        }
        boolean labelled = reset == Reset.MARK || reset == Reset.REWIND;
        if (labelled && (context.label() == null || context.label().isBlank())) {
            throw ApiException.badRequest("missing_field", "The field 'label' is missing: the mark's name");
        }
        String label = context.label() == null ? null : text("label", context.label(), MAX_LABEL);
        var meta = commands.meta(caller, session, "context", TurnSubmitter.reference(idempotencyKey));
        return acceptedResponse(session, commands.execute(session, new ResetContext(meta, reset, label)));
    }

    private static Reset reset(@Nullable String name) {
        return Arrays.stream(Reset.values())
                .filter(reset -> reset != Reset.REVERT && reset != Reset.UNREVERT) // these are about files, too
                .filter(reset -> reset.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_reset", "The 'reset' is clear, forget, mark, rewind, undo or new"));
    }

    /**
     * The target of a revert.
     *
     * @param turn Id of the last turn to keep. Defaults to the turn before the last one.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Revert")
    record Revert(@Nullable UUID turn) {}

    /**
     * Revert a conversation. Reverts all turns after the given one: the model no longer sees them, lists omit them,
     * running and waiting turns are cancelled, and the files that they changed are restored, except those changed by
     * others since. Until there is a new turn, unrevert restores everything.
     */
    @RequiresCapability(Capability.FILE_WRITE)
    @Audited(source = "session", action = "revert")
    @Post(uris = {"/v1/sessions/{key}/revert", "/v1/projects/{project}/sessions/{key}/revert"})
    @ApiResponse(
            responseCode = "200",
            description = "The turns were reverted; the response has the result for the files.")
    @ApiResponse(
            responseCode = "202",
            description = "The turns were reverted; the result for the files is not yet known.")
    @ApiResponse(responseCode = "404", description = "The model context does not have this turn.")
    @ApiResponse(responseCode = "409", description = "There is nothing to revert.")
    HttpResponse<Reverted> revert(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Body Revert revert,
            Caller caller) {
        String turn =
                revert == null || revert.turn() == null ? null : revert.turn().toString();
        return resetContext(caller, project, key, idempotencyKey, Reset.REVERT, turn);
    }

    /** Undo a revert. Until there is a new turn, restores all reverted turns with their files. */
    @RequiresCapability(Capability.FILE_WRITE)
    @Audited(source = "session", action = "unrevert")
    @Post(uris = {"/v1/sessions/{key}/unrevert", "/v1/projects/{project}/sessions/{key}/unrevert"})
    @ApiResponse(
            responseCode = "200",
            description = "The turns were restored; the response has the result for the files.")
    @ApiResponse(
            responseCode = "202",
            description = "The turns were restored; the result for the files is not yet known.")
    @ApiResponse(responseCode = "409", description = "There is nothing to restore.")
    HttpResponse<Reverted> unrevert(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            Caller caller) {
        return resetContext(caller, project, key, idempotencyKey, Reset.UNREVERT, null);
    }

    private HttpResponse<Reverted> resetContext(
            Caller caller,
            @Nullable String project,
            String key,
            @Nullable String idempotencyKey,
            Reset reset,
            @Nullable String turn) {
        RecordKey session = caller.session(project, key);
        caller.require(Capability.SESSION_SEND, session.project());
        var meta = commands.meta(caller, session, reset.name(), TurnSubmitter.reference(idempotencyKey));
        return switch (commands.execute(session, new ResetContext(meta, reset, turn))
                .orElse(null)) {
            case Outcome.Refused refused -> throw Refusals.problem(refused);
            case Outcome.Reverted reverted -> HttpResponse.ok(Reverted.of(session, reverted));
            case null, default -> HttpResponse.accepted().body(Reverted.pending(session));
        };
    }

    /** Fork a session. Copies a session's context into another session. */
    @RequiresCapability(Capability.SESSION_CREATE)
    @Audited(source = "session", action = "fork")
    @Post(uris = {"/v1/sessions/{key}/fork", "/v1/projects/{project}/sessions/{key}/fork"})
    @ApiResponse(responseCode = "201", description = "The context is being copied to the new session.")
    HttpResponse<Named> fork(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Body Fork fork,
            Caller caller) {
        String reference = TurnSubmitter.reference(idempotencyKey);
        RecordKey source = caller.session(project, key);
        RecordKey target = caller.session(
                source.project(),
                fork.target() == null ? generatedKey(caller, "fork " + source, reference) : fork.target());
        var meta = commands.meta(caller, source, "fork", reference);
        return createdResponse(target, commands.execute(source, new ForkSession(meta, target, title(fork.title()))));
    }

    static String generatedKey(Caller caller, String purpose, String reference) {
        return "api:" + Ids.of("made", purpose, caller.user(), reference);
    }

    private static @Nullable Settings settings(@Nullable SettingsJson json) {
        return json == null ? null : json.settings();
    }

    static @Nullable String title(@Nullable String title) {
        return title == null ? null : text("title", title, MAX_TITLE);
    }

    private static String text(String field, String value, int limit) {
        if (value.isBlank() || value.length() > limit) {
            throw ApiException.badRequest("invalid_" + field, "A '%s' has 1 to %d characters".formatted(field, limit));
        }
        return ReadableText.require(field, ContentReader.requireEncodable(value))
                .strip();
    }
}
