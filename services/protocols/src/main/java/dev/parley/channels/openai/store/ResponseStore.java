package dev.parley.channels.openai.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.ClientCallId;
import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Responses and function calls of clients, for 30 days: what their ids mean, what their client sent, and what they
 * became. Erased with their session or project.
 */
public final class ResponseStore {
    /** Maximum size of a stored input in bytes. */
    static final int MAX_INPUT = 1 << 20;

    private final Database database;
    private final ResponseRows responses;
    private final CallRows calls;
    private final ConversationStore conversations;

    ResponseStore(Database database, ResponseRows responses, CallRows calls, ConversationStore conversations) {
        this.database = database;
        this.responses = responses;
        this.calls = calls;
        this.conversations = conversations;
    }

    private static Tenant tenant(UUID host, UUID project) {
        return Tenant.of(host).project(project);
    }

    /**
     * Stores a response whose turn has begun; a repeated request finds the first one.
     *
     * @param spent usage of the turn before it, as it is stored, or null
     * @param previous the response that it continues, or null
     * @param conversation the conversation as the request named it, or null
     * @param request the request without its input
     * @param context digest of the conversation up to its input
     */
    public StoredResponse begin(
            Caller caller,
            RecordKey key,
            ResponseId id,
            UUID turn,
            long seq,
            int firstStep,
            @Nullable String spent,
            @Nullable ResponseId previous,
            @Nullable String conversation,
            ObjectNode request,
            ArrayNode input,
            String context) {
        String items = ProtocolJson.text(input);
        boolean isSmall = items.getBytes(StandardCharsets.UTF_8).length <= MAX_INPUT;
        return database.in(tenant(caller.host(), key.projectId()), () -> {
            responses.insert(
                    caller.host(),
                    id.id(),
                    key.projectId(),
                    key.session(),
                    turn,
                    seq,
                    firstStep,
                    caller.person().user(),
                    spent,
                    previous == null ? null : previous.id(),
                    conversation,
                    ProtocolJson.text(request),
                    isSmall ? items : null,
                    context);
            conversations.append(caller.host(), key.projectId(), conversation, input);
            return responses.find(caller.host(), key.projectId(), id.id()).orElseThrow();
        });
    }

    /** A response of which the caller may make this use; empty where there is none. */
    public Optional<StoredResponse> find(Caller caller, Project project, ResponseId id, Use use) {
        return database.readingIn(
                        tenant(project.host(), project.project()),
                        () -> responses.find(project.host(), project.project(), id.id()))
                .filter(row -> RequestContext.may(caller, project, row.userId(), use));
    }

    /** An item of a response that the caller may read. */
    public Optional<JsonNode> item(Caller caller, Project project, String item) {
        return ResponseId.item(item)
                .flatMap(id -> find(caller, project, id.response(), Use.READ)
                        .flatMap(row -> Optional.ofNullable(id.isInput() ? row.input() : output(row))
                                .flatMap(items -> Optional.ofNullable(
                                        ProtocolJson.parseArray(items).get(id.index())))))
                .filter(found -> found.path("id").asText().equals(item));
    }

    private static @Nullable String output(StoredResponse row) {
        return row.result() == null
                ? null
                : ProtocolJson.text(ProtocolJson.parse(row.result()).path("output"));
    }

    /**
     * Stores the end of a response.
     *
     * @return the stored one: the first counts
     */
    public ObjectNode complete(StoredResponse row, ObjectNode result, ArrayNode pieces) {
        return database.in(tenant(row.hostId(), row.projectId()), () -> {
            String text = ProtocolJson.text(result);
            if (responses.complete(row.hostId(), row.responseId(), text, ProtocolJson.text(pieces)) > 0) {
                conversations.append(row.hostId(), row.projectId(), row.conversation(), result.path("output"));
            }
            return responses
                    .find(row.hostId(), row.projectId(), row.responseId())
                    .flatMap(stored -> Optional.ofNullable(stored.result()))
                    .map(ProtocolJson::parse)
                    .orElse(result);
        });
    }

    /** The response as it is stored now, where it has ended. */
    public Optional<StoredResponse> ended(StoredResponse row) {
        return database.readingIn(
                        tenant(row.hostId(), row.projectId()),
                        () -> responses.find(row.hostId(), row.projectId(), row.responseId()))
                .filter(now -> now.result() != null);
    }

    public void delete(StoredResponse row) {
        database.in(tenant(row.hostId(), row.projectId()), () -> {
            responses.delete(row.hostId(), row.responseId());
        });
    }

    /** The calls for the client with which a turn ends, if any; each finds its turn by its id from now on. */
    public List<ClientToolCall> handOut(UUID host, RecordKey key, TurnEnd end) {
        if (!(end instanceof TurnEnd.Called called)) {
            return List.of();
        }
        Usage usage = called.usage();
        String spent = usage == null ? null : UsageJson.write(usage);
        database.in(
                tenant(host, key.projectId()),
                () -> called.calls()
                        .forEach(call -> calls.insert(
                                host,
                                call.callId(),
                                key.projectId(),
                                key.session(),
                                call.turnId(),
                                call.step(),
                                spent)));
        return ClientToolCall.of(called.calls());
    }

    /** A call that was handed out; empty where there is none. */
    public Optional<StoredCall> call(Project project, String id) {
        return ClientCallId.parse(id)
                .flatMap(call -> database.readingIn(
                        tenant(project.host(), project.project()),
                        () -> calls.find(project.host(), project.project(), call.call())));
    }

    /** @return the number of rows */
    long erase(UUID host, RecordKey session) {
        return database.in(
                tenant(host, session.projectId()),
                () -> (long) responses.deleteOfSession(host, session.projectId(), session.session())
                        + calls.deleteOfSession(host, session.projectId(), session.session())
                        + conversations.eraseSession(host, session.projectId(), session.session()));
    }

    /** @return the number of rows */
    long erase(Project project) {
        return database.in(
                tenant(project.host(), project.project()),
                () -> (long) responses.deleteOfProject(project.host(), project.project())
                        + calls.deleteOfProject(project.host(), project.project())
                        + conversations.eraseProject(project.host(), project.project()));
    }

    /** Deletes what is older than 30 days. */
    void purge() {
        while (database.in(Tenant.ALL, () -> responses.purge() + calls.purge()) > 0) {
            // in batches
        }
    }
}
