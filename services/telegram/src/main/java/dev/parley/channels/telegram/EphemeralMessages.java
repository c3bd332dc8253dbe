package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages in groups that one person sees. Whoever sent an ephemeral command is answered with one; others only
 * where the bot is an administrator. An old server would show them to everybody, because it ignores what it does not
 * know: so it is asked first whether it kept that a command is private.
 *
 * @see <a href="https://core.telegram.org/bots/api#sendmessage">ephemeral_message_parameters</a>
 */
final class EphemeralMessages {
    /** Begins the id of a message that only the bot and its author see. */
    private static final String PREFIX = "e";

    /** Stands for all chats. */
    private static final String ANY = "";

    private static final Logger LOG = LoggerFactory.getLogger(EphemeralMessages.class);
    private static final int MAX_REMEMBERED = 10_000;
    /** Rights in a chat may change. */
    private static final Duration MEMORY = Duration.ofHours(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final BotApi api;
    private final InstantSource clock;
    private final Map<String, Instant> chatsWithout = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));
    private final Map<String, Instant> told = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));
    private volatile boolean isKnown;

    EphemeralMessages(BotApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /** The id of a message; ephemeral ones are numbered apart, and have the message id 0. */
    static String id(JsonNode message) {
        return message.has("ephemeral_message_id")
                ? PREFIX + message.get("ephemeral_message_id").asLong()
                : message.get("message_id").asText();
    }

    /** Whether the id is that of an ephemeral message. */
    static boolean isEphemeral(String id) {
        return id.startsWith(PREFIX);
    }

    /**
     * Tells something to the author of a message in a group; what is no answer to a command at most once an hour.
     *
     * @param text made only where it can be shown
     * @return whether it was shown; false also where Telegram may be asked again later
     */
    boolean tell(ChatMessage message, Supplier<String> text) throws InterruptedException {
        boolean asked = isEphemeral(message.id());
        String chat = message.address().chat();
        if (message.privately() || !asked && isRecent(chatsWithout, chat) || !isKnown()) {
            return false;
        }
        String person = chat + " " + message.author().id();
        if (message.command() == null && isRecent(told, person)) {
            return true;
        }
        ObjectNode params = BotApi.params(message.address()).put("text", text.get());
        params.putObject("ephemeral_message_parameters")
                .put("receiver_user_id", Long.parseLong(message.author().id()));
        if (asked) {
            params.putObject("reply_parameters")
                    .put("ephemeral_message_id", Long.parseLong(message.id().substring(PREFIX.length())));
        }
        try {
            api.call("sendMessage", params, TIMEOUT);
        } catch (BotApiException e) {
            if (e.says("bot_not_admin")) {
                chatsWithout.put(chat, clock.instant());
            }
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("nobody could be told alone");
            if (!e.inDoubt()) {
                return false;
            }
        }
        told.put(person, clock.instant());
        return true;
    }

    private boolean isRecent(Map<String, Instant> times, String key) {
        Instant before = times.get(key);
        return before != null && clock.instant().isBefore(before.plus(MEMORY));
    }

    /** The commands may not have been registered yet, and the server may be updated, so a no is asked again. */
    private boolean isKnown() throws InterruptedException {
        if (isKnown || isRecent(chatsWithout, ANY)) {
            return isKnown;
        }
        try {
            isKnown = TelegramMenu.keepsPrivateCommands(api);
            if (!isKnown) {
                chatsWithout.put(ANY, clock.instant());
            }
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("commands of the bot could not be read");
        }
        return isKnown;
    }
}
