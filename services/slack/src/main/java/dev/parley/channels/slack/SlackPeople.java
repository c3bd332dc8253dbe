package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.slack.SlackEvents.Recipient;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cache of Slack users, with names and languages, of private chats with a bot, and of who wrote last and has what open.
 * Names expire after one hour.
 */
final class SlackPeople {
    private static final int MAX_CACHED = 10_000;
    private static final Duration CACHE_TTL = Duration.ofHours(1);
    /** Lifetime of a failed lookup. */
    private static final Duration FAILURE_TTL = Duration.ofMinutes(1);

    private static final int NAME = 128;

    private final SlackApi api;
    private final Map<String, CachedPerson> people;
    private final Map<String, String> chats;
    private final Map<String, Recipient> recipients;
    private final Map<String, String> open;
    private volatile @Nullable String team;

    /**
     * A Slack user.
     *
     * @param language an IETF tag, or null
     * @param bot whether it is a program
     */
    record Person(String name, @Nullable String language, boolean bot) {}

    private record CachedPerson(Person person, long until) {}

    /** Cache shared by all clients of a bot in this process. */
    static final class Cache {
        private final Map<String, CachedPerson> people = Collections.synchronizedMap(new BoundedMap<>(MAX_CACHED));
        private final Map<String, String> chats = Collections.synchronizedMap(new BoundedMap<>(MAX_CACHED));
        private final Map<String, Recipient> recipients = Collections.synchronizedMap(new BoundedMap<>(MAX_CACHED));
        private final Map<String, String> open = Collections.synchronizedMap(new BoundedMap<>(MAX_CACHED));
    }

    SlackPeople(SlackApi api, Cache cached) {
        this.api = api;
        this.people = cached.people;
        this.chats = cached.chats;
        this.recipients = cached.recipients;
        this.open = cached.open;
    }

    /** A user; only the id where Slack does not answer. */
    Person person(String user) throws InterruptedException {
        CachedPerson cached = people.get(user);
        if (cached != null && cached.until() - System.nanoTime() > 0) {
            return cached.person();
        }
        try {
            JsonNode found = api.call(
                            "users.info", SlackApi.params().put("user", user).put("include_locale", true))
                    .path("user");
            return cache(user, person(user, found), CACHE_TTL);
        } catch (SlackApiException e) {
            // Without the scope, or while Slack fails, users are named by their ids.
            return cache(user, cached == null ? new Person(user, null, false) : cached.person(), FAILURE_TTL);
        }
    }

    private Person cache(String user, Person person, Duration ttl) {
        people.put(user, new CachedPerson(person, System.nanoTime() + ttl.toNanos()));
        return person;
    }

    private static Person person(String user, JsonNode found) {
        JsonNode profile = found.path("profile");
        String display = profile.path("display_name").asText("");
        String real = profile.path("real_name").asText(found.path("real_name").asText(""));
        String name = (display.isBlank() ? real : display)
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
        return new Person(
                name.isEmpty() ? user : ClippedText.of(name, NAME),
                found.path("locale").asText(null),
                found.path("is_bot").asBoolean());
    }

    /** Records Slack's id of the private chat with a user. */
    void remember(String user, String channel) {
        chats.put(user, channel);
    }

    /** Records who wrote last in a conversation. */
    void wrote(ConversationAddress conversation, Recipient recipient) {
        recipients.put(conversation.channelId(), recipient);
    }

    /**
     * Who wrote last in a conversation; empty in a channel where that was before this process. In private it is known, and
     * by default of the bot's own workspace.
     */
    Optional<Recipient> recipient(ConversationAddress conversation) {
        Recipient wrote = recipients.get(conversation.channelId());
        String own = team;
        return wrote != null || own == null || !isPrivate(conversation.chat())
                ? Optional.ofNullable(wrote)
                : Optional.of(new Recipient(conversation.chat(), own));
    }

    /**
     * Who reads what is said in a thread: who wrote last in it, or where that was before this process, or came to another
     * one, who began it; empty where Slack does not say.
     */
    Optional<Recipient> reader(ConversationAddress thread) throws InterruptedException {
        Optional<Recipient> known = recipient(thread);
        if (known.isPresent() || thread.topic() == null || isPrivate(thread.chat())) {
            return known;
        }
        ObjectNode params = SlackApi.params()
                .put("channel", thread.chat())
                .put("ts", thread.topic())
                .put("limit", 1);
        try {
            JsonNode root =
                    api.call("conversations.replies", params).path("messages").path(0);
            ObjectNode event = SlackApi.params().put("team_id", team);
            event.set("event", root);
            Optional<Recipient> began =
                    root.has("bot_id") ? Optional.empty() : Optional.ofNullable(SlackEvents.recipient(event));
            began.ifPresent(recipient -> wrote(thread, recipient));
            return began;
        } catch (SlackApiException e) {
            return Optional.empty(); // it may lack the right to read there
        }
    }

    /** Records the workspace of the bot. */
    void ownTeam(String id) {
        team = id.isEmpty() ? null : id;
    }

    /** Records what a person has open. */
    void opened(AppContext.Change change) {
        if (change.line() == null) {
            open.remove(change.user());
        } else {
            open.put(change.user(), change.line());
        }
    }

    /** What a person has open, or null. */
    @Nullable
    String open(String user) {
        return open.get(user);
    }

    /** The next message has told what a person has open. */
    void toldOpen(String user) {
        open.remove(user);
    }

    /** Slack's id of a chat for sending; that of the user where the private chat is unknown. */
    String target(String chat) {
        return isPrivate(chat) ? chats.getOrDefault(chat, chat) : chat;
    }

    /** Slack's id of a chat, which opens a private one if needed. */
    String channel(String chat) throws SlackApiException, InterruptedException {
        String target = target(chat);
        if (!isPrivate(target)) {
            return target;
        }
        String opened = api.call("conversations.open", SlackApi.params().put("users", chat))
                .path("channel")
                .path("id")
                .asText();
        remember(chat, opened);
        return opened;
    }

    /** Whether an id is that of a user: user ids begin with U, or with W in large organisations. */
    static boolean isPrivate(String chat) {
        return chat.startsWith("U") || chat.startsWith("W");
    }
}
