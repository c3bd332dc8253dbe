package dev.parley.channels.openai.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conversations of clients with their items. A conversation has a session while that knows all its items; a change of
 * the items ends this, and the next response begins a session with all of them.
 */
public final class ConversationStore {
    /** Maximum number of items of a conversation. */
    static final int MAX_ITEMS = 10_000;

    /** Maximum characters of the items of a conversation, which are read together. The last items may exceed it. */
    static final long MAX_CHARACTERS = 16L << 20;

    /** Maximum number of conversations that a person has in a project. */
    static final int MAX_OWNED = 10_000;

    private final Database database;
    private final ConversationRows rows;

    ConversationStore(Database database, ConversationRows rows) {
        this.database = database;
        this.rows = rows;
    }

    private static Tenant tenant(UUID host, UUID project) {
        return Tenant.of(host).project(project);
    }

    /**
     * Makes a conversation that begins with these items.
     *
     * @throws ProtocolException 400 if the person has too many in the project
     */
    public StoredConversation create(Caller caller, Project project, ObjectNode metadata, ArrayNode items) {
        UUID id = UUID.randomUUID();
        UUID user = caller.person().user();
        return database.in(tenant(project.host(), project.project()), transaction -> {
            transaction.lock("quota/conversations/" + project.project() + "/" + user);
            if (rows.countOwned(project.host(), project.project(), user, MAX_OWNED) >= MAX_OWNED) {
                throw ProtocolException.badRequest(
                        "too_many",
                        null,
                        "A person has at most %,d conversations in a project: delete old ones.".formatted(MAX_OWNED));
            }
            rows.insert(project.host(), id, project.project(), user, ProtocolJson.text(metadata));
            add(project.host(), project.project(), id, items);
            return rows.find(project.host(), project.project(), id).orElseThrow();
        });
    }

    /** A conversation of which the caller may make this use; empty where there is none. */
    public Optional<StoredConversation> find(Caller caller, Project project, String id, Use use) {
        return ConversationId.parse(id)
                .flatMap(read -> database.readingIn(
                        tenant(project.host(), project.project()),
                        () -> rows.find(project.host(), project.project(), read.id())))
                .filter(row -> RequestContext.may(caller, project, row.userId(), use));
    }

    public StoredConversation setMetadata(StoredConversation conversation, ObjectNode metadata) {
        return database.in(tenant(conversation.hostId(), conversation.projectId()), () -> {
            rows.setMetadata(conversation.hostId(), conversation.conversationId(), ProtocolJson.text(metadata));
            return rows.find(conversation.hostId(), conversation.projectId(), conversation.conversationId())
                    .orElse(conversation);
        });
    }

    /** The session that knows all items from now on; null for none. */
    public void setSession(StoredConversation conversation, @Nullable String session) {
        database.in(tenant(conversation.hostId(), conversation.projectId()), () -> {
            rows.setSession(conversation.hostId(), conversation.conversationId(), session);
        });
    }

    public void delete(StoredConversation conversation) {
        database.in(tenant(conversation.hostId(), conversation.projectId()), () -> {
            rows.delete(conversation.hostId(), conversation.conversationId());
        });
    }

    /** Its items, in order. */
    public ArrayNode items(StoredConversation conversation) {
        List<String> items = database.readingIn(
                tenant(conversation.hostId(), conversation.projectId()),
                () -> rows.items(conversation.hostId(), conversation.conversationId()));
        ArrayNode array = ProtocolJson.array();
        items.forEach(item -> array.add(ProtocolJson.parse(item)));
        return array;
    }

    /**
     * Adds items that its session does not know.
     *
     * @throws ProtocolException 400 if it is full
     */
    public void add(StoredConversation conversation, ArrayNode items) {
        database.in(tenant(conversation.hostId(), conversation.projectId()), () -> {
            requireRoom(conversation, "items");
            rows.setSession(conversation.hostId(), conversation.conversationId(), null);
            add(conversation.hostId(), conversation.projectId(), conversation.conversationId(), items);
        });
    }

    /**
     * Checks that a response may be added.
     *
     * @throws ProtocolException 400 if it is full
     */
    public void requireRoom(StoredConversation conversation) {
        database.readingIn(tenant(conversation.hostId(), conversation.projectId()), () -> {
            requireRoom(conversation, "conversation");
            return conversation;
        });
    }

    /** @param param the field of the request */
    private void requireRoom(StoredConversation conversation, String param) {
        if (rows.countItems(conversation.hostId(), conversation.conversationId()) >= MAX_ITEMS) {
            throw ProtocolException.invalid(param, "A conversation has at most 10,000 items.");
        }
        if (rows.countCharacters(conversation.hostId(), conversation.conversationId()) >= MAX_CHARACTERS) {
            throw ProtocolException.invalid(param, "The items of a conversation have at most 16 Mi characters.");
        }
    }

    /** @return whether there was such an item */
    public boolean deleteItem(StoredConversation conversation, String item) {
        return database.in(tenant(conversation.hostId(), conversation.projectId()), () -> {
            rows.setSession(conversation.hostId(), conversation.conversationId(), null);
            return rows.deleteItem(conversation.hostId(), conversation.conversationId(), item) > 0;
        });
    }

    /**
     * Adds the items of a response, within a transaction of its project.
     *
     * @param name the conversation as the request named it, or null
     */
    void append(UUID host, UUID project, @Nullable String name, JsonNode items) {
        Optional<ConversationId> id = name == null ? Optional.empty() : ConversationId.parse(name);
        if (id.isPresent() && rows.locked(host, project, id.get().id()).isPresent()) {
            add(host, project, id.get().id(), items);
        }
    }

    private void add(UUID host, UUID project, UUID conversation, JsonNode items) {
        items.forEach(
                item -> rows.addItem(host, conversation, item.path("id").asText(), project, ProtocolJson.text(item)));
    }

    /** @return the number of conversations */
    long erase(Account person) {
        return database.in(Tenant.of(person.host()), () -> rows.deleteOfUser(person.host(), person.user()));
    }

    /** Within a transaction of the project. */
    long eraseSession(UUID host, UUID project, String session) {
        return rows.deleteOfSession(host, project, session);
    }

    /** Within a transaction of the project. */
    long eraseProject(UUID host, UUID project) {
        return rows.deleteOfProject(host, project);
    }
}
