package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.Sender;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What a webhook says to one phone number: messages of people, in the order of the webhook, and what became of messages
 * of the bot.
 *
 * <p>A person and their private chat have one id: the business-scoped user id, or the phone number where there is none.
 *
 * @see <a
 *     href="https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids">user ids</a>
 */
record Notification(List<Incoming> messages, List<DeliveryReport> reports) {
    private static final Pattern COMMAND = Pattern.compile("/([A-Za-z][A-Za-z0-9_]{0,31})(?:\\s+|$)");

    Notification {
        messages = List.copyOf(messages);
        reports = List.copyOf(reports);
    }

    /**
     * A message as WhatsApp brings it.
     *
     * @param contacts of the same change, with the names of people
     */
    record Incoming(JsonNode message, JsonNode contacts) {
        /** Who wrote it, and the chat; empty text where the webhook does not say. */
        String chat() {
            String user = message.path("from_user_id").asText("");
            return user.isEmpty() ? message.path("from").asText("") : user;
        }

        /** Its reference. */
        String id() {
            return reference(message.path("id").asText(""));
        }

        /** Time of sending in seconds since 1970; 0 where the webhook does not say. */
        long seconds() {
            return message.path("timestamp").asLong();
        }

        /** Whether a person wrote it, so that the bot may answer for 24 hours. */
        boolean isOfPerson() {
            return !message.path("type").asText().equals("system") && !isOfGroup();
        }

        private boolean isOfGroup() {
            return message.hasNonNull("group_id");
        }

        /** The event of the bot's chat. */
        Event event(String bot) {
            return switch (message.path("type").asText()) {
                case String _ when isOfGroup() -> new Event.Other("group");
                case "system" -> system(bot);
                case "interactive" -> press(bot).orElseGet(() -> chatMessage(bot));
                case "reaction" -> reaction(bot);
                case "request_welcome" -> new Event.Other("request_welcome");
                default -> chatMessage(bot);
            };
        }

        /** A new phone number, or another change, gives the person a new user id. */
        private Event system(String bot) {
            JsonNode system = message.path("system");
            String type = system.path("type").asText();
            String to = first(system, "user_id", "wa_id");
            String before = first(system, "previous_user_id");
            String from = before.isEmpty() ? chat() : before;
            boolean hasMoved = type.equals("user_changed_user_id") || type.equals("user_changed_number");
            return !hasMoved || from.isEmpty() || to.isEmpty() || from.equals(to)
                    ? new Event.Other("system")
                    : new Event.Migrated(bot, from, to, true);
        }

        /** An opinion about a message of the bot; one that is taken back has no emoji. */
        private Event reaction(String bot) {
            JsonNode reaction = message.path("reaction");
            String to = reaction.path("message_id").asText("");
            String emoji = reaction.path("emoji").asText("");
            return to.isEmpty()
                    ? new Event.Other("reaction")
                    : Event.Feedback.ofReaction(address(bot), sender(), reference(to), emoji, emoji.isEmpty());
        }

        private static String first(JsonNode node, String... fields) {
            return Stream.of(fields)
                    .map(field -> node.path(field).asText(""))
                    .filter(text -> !text.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        private Optional<Event> press(String bot) {
            JsonNode interactive = message.path("interactive");
            JsonNode pressed = interactive.path(interactive.path("type").asText());
            String data = pressed.path("id").asText("");
            return data.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ButtonPress(address(bot), sender(), id(), data, repliesTo(), null));
        }

        private ChatMessage chatMessage(String bot) {
            String text = MessageContent.text(message);
            Matcher command = COMMAND.matcher(text);
            boolean isCommand = message.path("type").asText().equals("text") && command.lookingAt();
            return new ChatMessage(
                    address(bot),
                    true,
                    sender(),
                    false,
                    true,
                    isCommand ? command.group(1).toLowerCase(Locale.ROOT) : null,
                    isCommand ? text.substring(command.end()).strip() : text,
                    MessageContent.files(message),
                    null,
                    MessageContent.context(message),
                    id(),
                    false,
                    seconds() > 0 ? Instant.ofEpochSecond(seconds()) : null,
                    null,
                    repliesTo().isEmpty() ? null : repliesTo());
        }

        private ConversationAddress address(String bot) {
            return new ConversationAddress(bot, chat(), null);
        }

        private String repliesTo() {
            String id = message.path("context").path("id").asText("");
            return id.isEmpty() ? "" : reference(id);
        }

        private Sender sender() {
            String name = contacts.valueStream()
                    .filter(contact -> isOf(contact, "user_id", "from_user_id") || isOf(contact, "wa_id", "from"))
                    .map(contact -> contact.path("profile").path("name").asText(""))
                    .findFirst()
                    .orElse("");
            return new Sender(chat(), name);
        }

        private boolean isOf(JsonNode contact, String id, String from) {
            return contact.hasNonNull(id) && contact.get(id).equals(message.get(from));
        }
    }

    /** Reads a webhook; what it says to other numbers of the same app is left out. */
    static Notification read(JsonNode payload, String phoneNumber) {
        var messages = new ArrayList<Incoming>();
        var reports = new ArrayList<DeliveryReport>();
        payload.path("entry")
                .valueStream()
                .flatMap(entry -> entry.path("changes").valueStream())
                .filter(change -> change.path("field").asText().equals("messages"))
                .map(change -> change.path("value"))
                .filter(value ->
                        value.path("metadata").path("phone_number_id").asText().equals(phoneNumber))
                .forEach(value -> {
                    value.path("messages")
                            .forEach(message -> messages.add(new Incoming(message, value.path("contacts"))));
                    value.path("statuses")
                            .valueStream()
                            .flatMap(Notification::report)
                            .forEach(reports::add);
                });
        return new Notification(messages, reports);
    }

    private static Stream<DeliveryReport> report(JsonNode status) {
        String delivery = status.path("biz_opaque_callback_data").asText("");
        String message = status.path("id").asText("");
        return delivery.isEmpty() || message.isEmpty()
                ? Stream.empty()
                : Stream.of(new DeliveryReport(delivery, reference(message), failure(status)));
    }

    private static @Nullable String failure(JsonNode status) {
        return status.path("status").asText().equals("failed")
                ? "WhatsApp reports: "
                        + WhatsAppApi.explanation(status.path("errors").path(0), "")
                : null;
    }

    /** The reference of a message: its id, or a digest of one that is longer than references are. */
    static String reference(String id) {
        return InboundMessage.REFERENCE.matcher(id).matches()
                ? id
                : ByteString.encodeUtf8(id).sha256().hex();
    }
}
