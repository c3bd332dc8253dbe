package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.Downloads;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Migrated;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.slack.SlackPeople.Person;
import dev.parley.domain.content.Block;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the events of a bot, whichever instance receives them, over Socket Mode or HTTP. */
final class SlackEventHandler implements ChatHandler.Platform {
    private static final Logger LOG = LoggerFactory.getLogger(SlackEventHandler.class);

    private final BotConfig bot;
    private final SlackApi api;
    private final SlackPeople people;
    private final ChatState chatState;
    private final Downloads downloads;
    private final ChatHandler chats;
    private volatile @Nullable SlackEvents events;

    SlackEventHandler(BotConfig bot, SlackApi api, SlackPeople people, Intake intake, ChatServices services) {
        this.bot = bot;
        this.api = api;
        this.people = people;
        this.chatState = services.chatState();
        this.downloads = new Downloads(this::bytes, services.blobs());
        this.chats = new ChatHandler(bot, services, intake, this);
    }

    /** The identity of the bot. */
    SlackEvents me() throws SlackApiException, InterruptedException {
        SlackEvents current = events;
        if (current == null) {
            JsonNode me = api.call("auth.test", SlackApi.params());
            current = new SlackEvents(bot.name(), me.path("user_id").asText());
            events = current;
        }
        return current;
    }

    /**
     * Handles a payload; it is acknowledged to Slack once this returns.
     *
     * @throws UnavailableException when it must be redelivered
     */
    void handle(JsonNode payload) throws UnavailableException, InterruptedException {
        SlackEvents identity = identity();
        Event event = chats.read(() -> identity.event(payload));
        chats.count(event, kind(event));
        SlackEvents.Direct direct = SlackEvents.direct(payload);
        if (direct != null) {
            people.remember(direct.user(), direct.channel());
        }
        String revision = payload.path("event_id").asText();
        chats.handleOrSkip(revision, () -> handle(event, revision));
    }

    private SlackEvents identity() throws UnavailableException, InterruptedException {
        chats.requireReady();
        try {
            return me();
        } catch (SlackApiException | Secrets.MissingException e) {
            throw new UnavailableException(
                    UnavailableException.Reason.AWAY, "the identity of the bot is unknown: " + e.getMessage(), e);
        }
    }

    private static String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "message_changed" : "message";
            case ButtonPress _ -> "block_actions";
            case Membership _ -> "membership";
            case Migrated _ -> "migration";
            case Other other -> other.kind();
        };
    }

    private void handle(Event event, String revision) throws UnavailableException, InterruptedException {
        switch (event) {
            case ChatMessage message -> onMessage(message, revision);
            case ButtonPress press -> onPress(press);
            case Membership change -> chatState.setWritable(change.address(), change.canWrite());
            case Migrated _, Other _ -> {} // counted
        }
    }

    /**
     * A message has one timestamp in its channel, however often it is delivered; a mention is delivered as two events.
     */
    private void onMessage(ChatMessage message, String revision) throws UnavailableException, InterruptedException {
        if (!chats.isAddressed(message) && message.command() == null) {
            return; // spares a lookup of the user
        }
        Person person = people.person(message.author().id());
        if (!person.bot()) {
            String reference = message.address().chat() + ":" + message.id();
            chats.handle(message.withAuthor(sender(message.author(), person), person.language()), reference, revision);
        }
    }

    private void onPress(ButtonPress press) throws UnavailableException, InterruptedException {
        Person person = people.person(press.author().id());
        String reference = "press:" + press.author().id() + ":" + press.query();
        chats.handle(
                new ButtonPress(
                        press.address(),
                        sender(press.author(), person),
                        press.query(),
                        press.data(),
                        press.message(),
                        person.language()),
                reference);
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
    public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        return downloads.file(attachment);
    }

    private byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
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
        ObjectNode params = SlackApi.params()
                .put("channel", people.target(press.address().chat()))
                .put("user", press.author().id())
                .put("text", SlackText.escape(notice));
        if (press.address().topic() != null) {
            params.put("thread_ts", press.address().topic());
        }
        tryCall("chat.postEphemeral", params);
    }

    @Override
    public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        try {
            ObjectNode params = SlackApi.params()
                    .put("channel", people.channel(press.address().chat()))
                    .put("ts", press.message());
            return tryCall("chat.update", SlackBlocks.show(params, Piece.Words.plain(text), ""));
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
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("button press could not be acknowledged");
            return false;
        }
    }
}
