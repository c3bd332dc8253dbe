package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.BotChats.Received;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.FormAnswer;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.channels.slack.SlackPeople.Person;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the events of a bot, whichever instance receives them, over Socket Mode or HTTP. */
final class SlackEventHandler implements ChatSide {
    private static final Logger LOG = LoggerFactory.getLogger(SlackEventHandler.class);

    private final ChannelBot bot;
    private final SlackApi api;
    private final SlackPeople people;
    private final BotChats chats;
    private final SlackSettings settings;
    private volatile @Nullable SlackEvents events;

    SlackEventHandler(ChannelBot bot, SlackApi api, SlackPeople people) {
        this.bot = bot;
        this.api = api;
        this.people = people;
        this.chats = bot.chats(this);
        this.settings = SlackSettings.of(bot);
    }

    /** The chats of the bot. */
    BotChats chats() {
        return chats;
    }

    /** The identity of the bot. */
    SlackEvents me() throws SlackApiException, InterruptedException {
        SlackEvents current = events;
        if (current == null) {
            JsonNode me = api.call("auth.test", SlackApi.params());
            current = new SlackEvents(bot.name(), me.path("user_id").asText(), settings.agentView());
            people.ownTeam(me.path("team_id").asText());
            events = current;
        }
        return current;
    }

    /** Handles a payload, which may be acknowledged to Slack unless the result is {@link Taken.NotSafe}. */
    Taken handle(JsonNode payload) throws InterruptedException {
        Optional<String> problem = bot.problem();
        if (problem.isPresent()) {
            return new Taken.NotSafe(problem.get());
        }
        SlackEvents identity;
        try {
            identity = me();
        } catch (SlackApiException | MissingSecretException e) {
            return new Taken.NotSafe("the identity of the bot is unknown: " + e.getMessage());
        }
        Event event = chats.read(() -> identity.event(payload));
        SlackEvents.Direct direct = SlackEvents.direct(payload);
        if (direct != null) {
            people.remember(direct.user(), direct.channel());
        }
        onContext(payload);
        SlackEvents.Recipient recipient = SlackEvents.recipient(payload);
        if (event instanceof ChatMessage message && recipient != null) {
            people.wrote(message.address(), recipient);
        }
        List<Event.Stop> stops = identity.stops(payload);
        if (!stops.isEmpty()) {
            return onStops(stops);
        }
        String id = payload.path("event_id").asText();
        return switch (event) {
            case ChatMessage message -> onMessage(message, id);
            case ButtonPress press -> onPress(press, SlackEvents.pressedAt(payload));
            case FormAnswer answer -> onAnswer(answer);
            case Feedback feedback -> onFeedback(feedback, id, SlackEvents.pressedAt(payload));
            default -> chats.handle(event, id, id);
        };
    }

    /** Streams that their reader has stopped. */
    Taken onStops(List<Event.Stop> stops) throws InterruptedException {
        return chats.handle(stops.stream()
                .map(stop -> new Received(stop, "stop:" + stop.address().chat() + ":" + stop.message(), ""))
                .toList());
    }

    /** What a person has open is the context of their next message; who opens the chat is shown suggestions. */
    private void onContext(JsonNode payload) throws InterruptedException {
        AppContext.Change change = AppContext.change(payload);
        if (change != null) {
            people.opened(change);
        }
        SlackEvents.Opened opened = SlackEvents.opened(payload);
        if (opened == null || settings.prompts().isEmpty()) {
            return;
        }
        ObjectNode params = SlackApi.params().put("channel_id", opened.channel());
        if (opened.thread() != null) {
            params.put("thread_ts", opened.thread());
        }
        ArrayNode prompts = params.putArray("prompts");
        settings.prompts()
                .forEach(prompt ->
                        prompts.addObject().put("title", prompt.title()).put("message", prompt.message()));
        tryCall("assistant.threads.setSuggestedPrompts", params);
    }

    @Override
    public String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "message_changed" : "message";
            case ButtonPress _ -> "block_actions";
            case Event.FormAnswer _ -> "view_submission";
            default -> ChatSide.super.kind(event);
        };
    }

    /**
     * A message has one timestamp in its channel, however often it is delivered; a mention is delivered as two events.
     */
    private Taken onMessage(ChatMessage message, String revision) throws InterruptedException {
        String reference = message.address().chat() + ":" + message.id();
        if (!chats.isAddressed(message) && message.command() == null && !bot.listens()) {
            return chats.handle(message, reference, revision); // spares a lookup of the user
        }
        Person person = people.person(message.author().id());
        if (person.bot()) {
            return chats.handle(new Event.Other(kind(message)), reference, revision);
        }
        String open = isTurn(message) ? people.open(message.author().id()) : null;
        boolean told =
                open != null && message.context() != null && message.context().contains(open);
        ChatMessage complete = message.withAuthor(sender(message.author(), person), person.language())
                .withContext(told ? null : open);
        Taken taken = chats.handle(complete, reference, revision);
        if (open != null && !(taken instanceof Taken.NotSafe)) {
            people.toldOpen(message.author().id());
        }
        return taken;
    }

    /** What was said in a thread before the bot was mentioned in it. */
    @Override
    public List<ChatMessage> earlier(ChatMessage message, int most) throws InterruptedException {
        String thread = message.address().topic();
        if (thread == null || thread.equals(message.id())) {
            return List.of(); // the thread begins with it
        }
        String channel = message.address().chat();
        ObjectNode params = SlackApi.params()
                .put("channel", channel)
                .put("ts", thread)
                .put("latest", message.id())
                .put("limit", most);
        var earlier = new ArrayList<ChatMessage>();
        try {
            SlackEvents identity = me();
            for (JsonNode found : api.call("conversations.replies", params).path("messages")) {
                if (identity.earlier(found, channel) instanceof ChatMessage said) {
                    earlier.add(said.withAuthor(
                            sender(said.author(), people.person(said.author().id()))));
                }
            }
        } catch (SlackApiException e) {
            LOG.atInfo()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("earlier messages cannot be read");
        }
        return earlier;
    }

    private static boolean isTurn(ChatMessage message) {
        return message.privately() && !message.edited() && message.command() == null;
    }

    /** @param time of the press: with the person it identifies the press, however often it is delivered */
    private Taken onPress(ButtonPress press, String time) throws InterruptedException {
        Person person = people.person(press.author().id());
        String reference = "press:" + press.author().id() + ":" + time;
        return chats.handle(press.withAuthor(sender(press.author(), person), person.language()), reference, "");
    }

    /** A press on thumbs, or a reaction, of which Slack tells the other bots, too. */
    private Taken onFeedback(Feedback feedback, String event, String pressedAt) throws InterruptedException {
        Person person = people.person(feedback.author().id());
        String reference =
                pressedAt.isEmpty() ? event : "press:" + feedback.author().id() + ":" + pressedAt;
        return person.bot()
                ? chats.handle(new Event.Other(kind(feedback)), reference, "")
                : chats.handle(feedback.withAuthor(sender(feedback.author(), person)), reference, "");
    }

    private Taken onAnswer(FormAnswer answer) throws InterruptedException {
        Person person = people.person(answer.author().id());
        String reference = "form:" + answer.query();
        return chats.handle(answer.withAuthor(sender(answer.author(), person), person.language()), reference, "");
    }

    /** A trigger is valid for three seconds, and once. */
    @Override
    public boolean showForm(ButtonPress press, ChatForm form, String data) throws InterruptedException {
        Optional<ObjectNode> view = SlackForms.view(form, press.address(), data);
        if (view.isEmpty() || press.query().isEmpty()) {
            return false;
        }
        ObjectNode params = SlackApi.params().put("trigger_id", press.query());
        params.set("view", view.get());
        return tryCall("views.open", params);
    }

    private static Sender sender(Sender author, Person person) {
        return person.name().equals(author.id()) ? author : new Sender(author.id(), person.name());
    }

    /** Slack reserves texts that begin with a slash, so commands follow its own: {@code /parley new}. */
    @Override
    public String slash() {
        return "/parley ";
    }

    @Override
    public byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), limit, file.mimeType().equals("text/html"));
        } catch (SlackApiException e) {
            throw new NotThereException(String.valueOf(e.getMessage()), e.isTransient(), e);
        }
    }

    @Override
    public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        if (notice.isEmpty()) {
            return; // the HTTP or Socket Mode answer is enough
        }
        ObjectNode params = SlackApi.params().put("user", press.author().id()).put("text", SlackText.escape(notice));
        if (press.address().topic() != null) {
            params.put("thread_ts", press.address().topic());
        }
        tryIn(press, "chat.postEphemeral", params);
    }

    @Override
    public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        ObjectNode params = SlackApi.params().put("ts", press.message());
        return tryIn(press, "chat.update", SlackBlocks.show(params, Piece.Words.plain(text)));
    }

    /** Best effort, in the chat of a press. */
    private boolean tryIn(ButtonPress press, String method, ObjectNode params) throws InterruptedException {
        try {
            return tryCall(
                    method, params.put("channel", people.channel(press.address().chat())));
        } catch (SlackApiException e) {
            return false;
        }
    }

    /** Best effort. */
    private boolean tryCall(String method, ObjectNode params) throws InterruptedException {
        try {
            api.call(method, params);
            return true;
        } catch (SlackApiException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("call of Slack failed; it is not repeated");
            return false;
        }
    }
}
