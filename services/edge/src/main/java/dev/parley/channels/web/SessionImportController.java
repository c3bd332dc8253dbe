package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.web.ForeignConversation.Format;
import dev.parley.channels.web.ForeignConversation.LeftOut;
import dev.parley.channels.web.ForeignConversation.Origin;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Imports conversations from other systems as sessions. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Sessions")
class SessionImportController {
    private static final int MAX_MESSAGES = 10_000;
    private static final int MAX_NAME = 126;
    private static final int MAX_BYTES = 1 << 20;

    private final CallerCommands commands;
    private final JsonMapper json;

    SessionImportController(CallerCommands commands, JsonMapper json) {
        this.commands = commands;
        this.json = json;
    }

    /**
     * A conversation from another system.
     *
     * @param format Format of the messages: openai (messages of chat completions), openai-responses (items of the
     *     Responses API, and whole responses), anthropic (messages of the Messages API) or rows ({kind, text, data}).
     * @param provider Name of the provider here that made the answers; only it gets their reasoning back. Defaults to
     *     openai for openai-responses and anthropic for anthropic. In the other formats, reasoning without a provider
     *     is shown, and goes back to none.
     * @param model Model that made the answers, where they do not name it; only it gets their reasoning back.
     * @param messages Messages in order: at most 10,000, and 1 MiB in total.
     * @param key Key of the session. Defaults to a generated key.
     * @param title Title of the session.
     * @param agent Agent that continues the conversation. Defaults to the default agent.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ForeignConversation")
    record Conversation(
            @Nullable String format,
            @Nullable String provider,
            @Nullable String model,
            @Nullable List<JsonNode> messages,
            @Nullable String key,
            @Nullable String title,
            @Nullable String agent) {}

    /**
     * The session of an imported conversation.
     *
     * @param key Key of the session.
     * @param project Key of the project.
     * @param id Id of the session; null while unknown.
     * @param messages Number of imported messages.
     * @param leftOut Omitted messages.
     */
    @Serdeable
    @Schema(name = "ConversationImported")
    record Imported(String key, String project, @Nullable UUID id, int messages, List<LeftOut> leftOut) {}

    @RequiresCapability(Capability.SESSION_CREATE)
    @Audited(source = "session", action = "import")
    @MaxBody(BodySize.DOCUMENT)
    @Post(uris = {"/v1/sessions/import", "/v1/projects/{project}/sessions/import"})
    @Operation(
            summary = "Import a conversation",
            description = "Creates a session from a conversation held elsewhere; its next turn has that history."
                    + " Instructions are omitted, because they come from the agent. Unreadable content is also"
                    + " omitted, and listed in the response. Calls without a result get one that says so. A"
                    + " session with the key of a delegate, {parent}:delegate:{agent}, becomes a child of that"
                    + " parent; only administrators import to the keys of delegates and bots; the last todo_write"
                    + " sets the todos.")
    @ApiResponse(responseCode = "201", description = "The session was created.")
    @ApiResponse(responseCode = "202", description = "The session is being created.")
    @ApiResponse(responseCode = "400", description = "None of the messages can be read.")
    @ApiResponse(responseCode = "409", description = "The session already has a history.")
    HttpResponse<Imported> importConversation(
            @Nullable @PathVariable String project,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Body Conversation conversation,
            Caller caller) {
        String reference = TurnSubmitter.reference(idempotencyKey);
        RecordKey key = caller.session(
                project,
                conversation.key() == null
                        ? SessionController.generatedKey(caller, "conversation", reference)
                        : conversation.key());
        ForeignConversation read = read(conversation);
        Optional<Outcome> outcome = commands.seed(
                commands.meta(caller, key, "conversation", reference),
                caller.administers(),
                key,
                conversation.agent(),
                SessionController.title(conversation.title()),
                entries(key, reference, read.messages()));
        UUID id = outcome.orElse(null) instanceof Outcome.Accepted accepted ? accepted.sessionId() : null;
        return HttpResponse.<Imported>status(outcome.isPresent() ? HttpStatus.CREATED : HttpStatus.ACCEPTED)
                .body(new Imported(
                        key.session(), key.project(), id, read.messages().size(), read.leftOut()));
    }

    private ForeignConversation read(Conversation conversation) {
        List<JsonNode> given = conversation.messages();
        if (given == null || given.isEmpty() || given.size() > MAX_MESSAGES) {
            throw ApiException.badRequest("invalid_messages", "A conversation needs 1 to 10,000 'messages'");
        }
        var origin = new Origin(name("provider", conversation.provider()), name("model", conversation.model()));
        var read = ForeignConversation.read(json, format(conversation.format()), origin, given);
        List<Message> messages = read.messages();
        if (messages.isEmpty()) {
            throw ApiException.badRequest(
                    "invalid_messages",
                    "None of the messages can be read; message %d: %s"
                            .formatted(
                                    read.leftOut().getFirst().message(),
                                    read.leftOut().getFirst().reason()));
        }
        if (messages.stream().mapToLong(Message::weight).sum() > MAX_BYTES) {
            throw ApiException.tooLarge("The conversation is larger than 1 MiB; import its last part.");
        }
        return read;
    }

    private static @Nullable String name(String field, @Nullable String name) {
        if (name != null && (name.isBlank() || name.length() > MAX_NAME || name.indexOf('\0') >= 0)) {
            throw ApiException.badRequest("invalid_" + field, "'" + field + "' must be a text of 1 to 126 characters");
        }
        return name;
    }

    private static Format format(@Nullable String format) {
        if (format != null) {
            for (Format candidate : Format.values()) {
                if (candidate.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(format)) {
                    return candidate;
                }
            }
        }
        throw ApiException.badRequest(
                "invalid_format", "The 'format' is one of openai, openai-responses, anthropic, rows");
    }

    /** Each user message starts a turn. */
    private static List<Entry> entries(RecordKey key, String reference, List<Message> messages) {
        var entries = new ArrayList<Entry>();
        int turn = 0;
        for (Message message : messages) {
            if (message.role() == Role.USER || turn == 0) {
                turn++;
            }
            entries.add(new Entry(Ids.of("conversation", key, reference, turn), turn, message));
        }
        return entries;
    }
}
