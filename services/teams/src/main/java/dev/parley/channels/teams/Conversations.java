package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ChatNotes;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the chats of a bot are: the service URL and the connector's id of each, learnt from its activities and stored
 * as its note, so that every instance can send there, also after a restart.
 */
final class Conversations {
    /** Another instance may have learnt a new service URL. */
    private static final Duration CACHE_TTL = Duration.ofMinutes(10);

    private static final int MAX_CACHED = 10_000;
    private static final int MAX_NOTE = 1_000;

    private final TeamsApi api;
    private final ChatNotes notes;
    private final Cache cache;

    private record Cached(Conversation conversation, Deadline until) {}

    /** What a bot's parts in this process know. */
    static final class Cache {
        private final Map<String, Cached> chats = Collections.synchronizedMap(new BoundedMap<>(MAX_CACHED));

        private @Nullable Conversation get(String chat) {
            Cached cached = chats.get(chat);
            return cached == null || cached.until().passed() ? null : cached.conversation();
        }

        private Conversation put(String chat, Conversation conversation) {
            chats.put(chat, new Cached(conversation, Deadline.in(CACHE_TTL)));
            return conversation;
        }
    }

    Conversations(TeamsApi api, ChatNotes notes, Cache cache) {
        this.api = api;
        this.notes = notes;
        this.cache = cache;
    }

    /** Stores where a chat is. @throws IllegalStateException while the database does not answer */
    void learn(ConversationAddress address, JsonNode activity) {
        String service = activity.path("serviceUrl").asText("");
        String id = Conversation.base(activity.path("conversation").path("id").asText(""));
        var conversation = new Conversation(service, id);
        if (!conversation.equals(cache.get(address.chat()))
                && conversation.write().length() <= MAX_NOTE
                && api.cloud().isConnector(service)) {
            notes.write(address.chat(), conversation.write());
            cache.put(address.chat(), conversation);
        }
    }

    /**
     * The conversation of an address; a private chat that is unknown is opened.
     *
     * @throws IllegalStateException while the database does not answer
     */
    Conversation of(ConversationAddress address) throws TeamsApiException, InterruptedException {
        return base(address.chat()).in(address.topic());
    }

    private Conversation base(String chat) throws TeamsApiException, InterruptedException {
        Conversation cached = cache.get(chat);
        if (cached != null) {
            return cached;
        }
        Optional<Conversation> stored = notes.read(chat)
                .flatMap(Conversation::read)
                .filter(conversation -> api.cloud().isConnector(conversation.serviceUrl()));
        if (stored.isPresent()) {
            return cache.put(chat, stored.get());
        }
        Optional<String> group = Conversation.ofGroup(chat);
        if (group.isPresent()) {
            return new Conversation(api.cloud().serviceUrl(), group.get());
        }
        Conversation opened = api.open(Conversation.person(chat));
        notes.write(chat, opened.write());
        return cache.put(chat, opened);
    }
}
