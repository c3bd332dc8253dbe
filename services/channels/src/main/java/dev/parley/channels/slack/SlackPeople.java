package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.ClippedText;
import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Slack knows of people: their names and languages, and which chat a bot has with them alone. Remembered for an hour. */
final class SlackPeople {
    private static final int REMEMBERED = 10_000;
    private static final Duration FRESH = Duration.ofHours(1);
    /** Somebody of whom nothing could be learnt is asked for again after this. */
    private static final Duration UNKNOWN = Duration.ofMinutes(1);

    private static final int NAME = 128;

    private final SlackApi api;
    private final Map<String, Known> people;
    private final Map<String, String> chats;

    /** @param language an IETF tag, or null @param bot whether a program speaks */
    record Person(String name, @Nullable String language, boolean bot) {}

    private record Known(Person person, long until) {}

    /** What is remembered of the people of a bot, for all in a process who call as it. */
    static final class Remembered {
        private final Map<String, Known> people = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));
        private final Map<String, String> chats = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));
    }

    SlackPeople(SlackApi api, Remembered remembered) {
        this.api = api;
        this.people = remembered.people;
        this.chats = remembered.chats;
    }

    /** Who somebody is; by their id alone where Slack does not say. */
    Person person(String user) throws InterruptedException {
        Known known = people.get(user);
        if (known != null && known.until() - System.nanoTime() > 0) {
            return known.person();
        }
        try {
            JsonNode found = api.call(
                            "users.info", SlackApi.params().put("user", user).put("include_locale", true))
                    .path("user");
            return remembered(user, person(user, found), FRESH);
        } catch (SlackApiException e) {
            // Without the right to ask, or for a while, they are called by their ids.
            return remembered(user, known == null ? new Person(user, null, false) : known.person(), UNKNOWN);
        }
    }

    private Person remembered(String user, Person person, Duration time) {
        people.put(user, new Known(person, System.nanoTime() + time.toNanos()));
        return person;
    }

    private static Person person(String user, JsonNode found) {
        JsonNode profile = found.path("profile");
        String shown = profile.path("display_name").asText("");
        String real = profile.path("real_name").asText(found.path("real_name").asText(""));
        String name =
                (shown.isBlank() ? real : shown).replaceAll("\\p{Cntrl}", " ").strip();
        return new Person(
                name.isEmpty() ? user : ClippedText.of(name, NAME),
                found.path("locale").asText(null),
                found.path("is_bot").asBoolean());
    }

    /** The chat with somebody is called so at Slack. */
    void isIn(String user, String channel) {
        chats.put(user, channel);
    }

    /** What Slack calls a chat by which messages can be sent: a private one may be called as the person is. */
    String target(String chat) {
        return isPrivate(chat) ? chats.getOrDefault(chat, chat) : chat;
    }

    /** What Slack calls a chat, also a private one. */
    String channel(String chat) throws SlackApiException, InterruptedException {
        String known = target(chat);
        if (!isPrivate(known)) {
            return known;
        }
        String opened = api.call("conversations.open", SlackApi.params().put("users", chat))
                .path("channel")
                .path("id")
                .asText();
        isIn(chat, opened);
        return opened;
    }

    /** Whether a chat is called as a person: ids of people begin with U, or with W in large organisations. */
    static boolean isPrivate(String chat) {
        return chat.startsWith("U") || chat.startsWith("W");
    }
}
