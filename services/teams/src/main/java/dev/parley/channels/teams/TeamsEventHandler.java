package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.BotChats.Received;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.Taken;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the activities of a bot on the instance that receives them. */
final class TeamsEventHandler implements ChatSide {
    private static final Logger LOG = LoggerFactory.getLogger(TeamsEventHandler.class);

    private final ChannelBot bot;
    private final TeamsApi api;
    private final TeamsEvents events;
    private final BotChats chats;
    private final Conversations conversations;
    /** What the people who press are shown, by press, until the request is answered. */
    private final Map<String, Shown> shown = new ConcurrentHashMap<>();

    /**
     * What one person is shown.
     *
     * @param notice may be empty
     * @param card in place of the card with the button; null to leave that
     */
    record Shown(String notice, @Nullable ObjectNode card) {
        private static final Shown NOTHING = new Shown("", null);
    }

    TeamsEventHandler(ChannelBot bot, TeamsApi api, TeamsEvents events, Conversations.Cache cache) {
        this.bot = bot;
        this.api = api;
        this.events = events;
        this.chats = bot.chats(this);
        this.conversations = new Conversations(api, chats.notes(), cache);
    }

    /** The chats of the bot. */
    BotChats chats() {
        return chats;
    }

    Conversations conversations() {
        return conversations;
    }

    /** Handles an activity, which may be acknowledged unless the result is {@link Taken.NotSafe}. */
    Taken handle(JsonNode activity) throws InterruptedException {
        Optional<String> problem = bot.problem();
        if (problem.isPresent()) {
            return new Taken.NotSafe(problem.get());
        }
        Event event = chats.read(() -> events.event(activity));
        try {
            learn(event, activity);
        } catch (IllegalStateException e) {
            return new Taken.NotSafe(String.valueOf(e.getMessage()));
        }
        String revision = activity.path("timestamp").asText("");
        Taken taken = event instanceof Event.Feedback
                ? chats.handle(opinions(activity))
                : chats.handle(event, TeamsEvents.reference(activity), revision);
        ChatMessage greeting = taken instanceof Taken.Safe ? events.greeting(activity) : null;
        return greeting == null ? taken : chats.handle(greeting, "start:" + digest(greeting.id()), "");
    }

    /** An activity may have several reactions, of which each is an event. */
    private List<Received> opinions(JsonNode activity) {
        List<Event.Feedback> opinions = events.opinions(activity);
        return IntStream.range(0, opinions.size())
                .mapToObj(i -> new Received(opinions.get(i), i + ":" + digest(activity.toString()), ""))
                .toList();
    }

    private void learn(Event event, JsonNode activity) {
        ConversationAddress address = switch (event) {
            case ChatMessage message -> message.address();
            case ButtonPress press -> press.address();
            case Event.FormAnswer answer -> answer.address();
            case Event.Membership member when member.canWrite() -> member.address();
            default -> null;
        };
        if (address != null) {
            conversations.learn(address, activity);
        }
    }

    private static String digest(String text) {
        return ByteString.encodeUtf8(text).sha256().hex();
    }

    /**
     * Handles a press that somebody waits for.
     *
     * @return what that person alone is shown
     */
    Pressed press(JsonNode activity) throws InterruptedException {
        String query = TeamsEvents.reference(activity);
        shown.put(query, Shown.NOTHING);
        try {
            Taken taken = handle(activity);
            return new Pressed(taken, shown.getOrDefault(query, Shown.NOTHING));
        } finally {
            shown.remove(query);
        }
    }

    record Pressed(Taken taken, Shown shown) {}

    private boolean show(String query, Shown answer) {
        return shown.computeIfPresent(query, (_, _) -> answer) != null;
    }

    @Override
    public String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "messageUpdate" : "message";
            case ButtonPress _, Event.FormAnswer _ -> "adaptiveCard/action";
            default -> ChatSide.super.kind(event);
        };
    }

    @Override
    public byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), limit);
        } catch (TeamsApiException e) {
            throw new NotThereException(String.valueOf(e.getMessage()), e.isTransient(), e);
        } catch (MissingSecretException e) {
            throw new NotThereException(String.valueOf(e.getMessage()), true, e);
        }
    }

    /** The answer to the request tells it; a press that came as a message has no such answer. */
    @Override
    public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        boolean isAwaited = show(press.query(), new Shown(notice, null));
        if (!isAwaited && !notice.isEmpty() && Conversation.isPrivate(press.address())) {
            bot.answer(press.address(), "notice:" + digest(press.query()), notice);
        }
    }

    /** In place of the card, for the person who pressed; a press that came as a message shows none. */
    @Override
    public boolean showForm(ButtonPress press, ChatForm form, String data) {
        return TeamsForms.card(form, data)
                .map(card -> show(press.query(), new Shown("", card)))
                .orElse(false);
    }

    @Override
    public boolean answerAlone(Event event, Supplier<String> text) {
        return event instanceof Event.FormAnswer form
                && shown.containsKey(form.query())
                && show(form.query(), new Shown(text.get(), null));
    }

    /** For everybody: the answer to the request would replace it for one person. */
    @Override
    public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        try {
            api.put(
                    conversations.of(press.address()),
                    press.message(),
                    Cards.message(Piece.Words.plain(text), "", null, ""));
            return true;
        } catch (TeamsApiException | IllegalStateException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("card could not be replaced");
            return false;
        }
    }
}
