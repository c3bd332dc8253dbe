package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.Downloads;
import dev.parley.channels.chat.Downloads.NotThereException;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Migrated;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.chat.Event.Pressed;
import dev.parley.channels.chat.Event.Said;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Memory;
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
    private final Memory memory;
    private final Downloads downloads;
    private final ChatHandler chats;
    private volatile @Nullable SlackEvents events;

    SlackEventHandler(
            BotConfig bot, SlackApi api, SlackPeople people, Intake intake, ChatServices services) {
        this.bot = bot;
        this.api = api;
        this.people = people;
        this.memory = services.memory();
        this.downloads = new Downloads(this::bytes, services.blobs());
        this.chats = new ChatHandler(bot, services, intake, this);
    }

    /** The identity of the bot. */
    SlackEvents me() throws SlackApiException, InterruptedException {
        SlackEvents known = events;
        if (known == null) {
            JsonNode me = api.call("auth.test", SlackApi.params());
            known = new SlackEvents(bot.name(), me.path("user_id").asText());
            events = known;
        }
        return known;
    }

    /**
     * Handles a payload, which Slack may forget once this returns.
     *
     * @throws UnavailableException when it has to be delivered again
     */
    void take(JsonNode payload) throws UnavailableException, InterruptedException {
        SlackEvents me = identity();
        Event event = chats.read(() -> me.event(payload));
        chats.count(event, kind(event));
        SlackEvents.Direct direct = SlackEvents.direct(payload);
        if (direct != null) {
            people.isIn(direct.user(), direct.channel());
        }
        String revision = payload.path("event_id").asText();
        chats.takeOrSkip(revision, () -> take(event, revision));
    }

    private SlackEvents identity() throws UnavailableException, InterruptedException {
        chats.requireReady();
        try {
            return me();
        } catch (SlackApiException | Secrets.MissingException e) {
            throw new UnavailableException("the identity of the bot is unknown: " + e.getMessage());
        }
    }

    private static String kind(Event event) {
        return switch (event) {
            case Said said -> said.edited() ? "message_changed" : "message";
            case Pressed _ -> "block_actions";
            case Membership _ -> "membership";
            case Migrated _ -> "migration";
            case Other other -> other.kind();
        };
    }

    private void take(Event event, String revision) throws UnavailableException, InterruptedException {
        switch (event) {
            case Said said -> said(said, revision);
            case Pressed pressed -> pressed(pressed);
            case Membership change -> memory.writable(change.address(), change.canWrite());
            case Migrated _, Other _ -> {} // counted
        }
    }

    /**
     * A message has one timestamp in its channel, however often it is delivered; a mention is delivered as two events.
     */
    private void said(Said said, String revision) throws UnavailableException, InterruptedException {
        if (!chats.isForUs(said) && said.command() == null) {
            return; // spares a lookup of the user
        }
        Person person = people.person(said.author().id());
        if (!person.bot()) {
            String reference = said.address().chat() + ":" + said.message();
            chats.take(said.by(sender(said.author(), person), person.language()), reference, revision);
        }
    }

    private void pressed(Pressed pressed) throws UnavailableException, InterruptedException {
        Person person = people.person(pressed.author().id());
        String reference = "press:" + pressed.author().id() + ":" + pressed.query();
        chats.take(
                new Pressed(
                        pressed.address(),
                        sender(pressed.author(), person),
                        pressed.query(),
                        pressed.data(),
                        pressed.message(),
                        person.language()),
                reference);
    }

    private static Sender sender(Sender author, Person person) {
        return person.name().equals(author.id()) ? author : new Sender(author.id(), person.name());
    }

    // ---- platform

    /** Slack reserves texts that begin with a slash, so commands follow its own: {@code /parley new}. */
    @Override
    public String slash() {
        return "/parley ";
    }

    @Override
    public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        return downloads.file(attachment);
    }

    private byte[] bytes(Attachment file, int most) throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), most, file.mimeType().equals("text/html"));
        } catch (SlackApiException e) {
            throw new NotThereException(String.valueOf(e.getMessage()), e.isPassing());
        }
    }

    @Override
    public void noticed(Pressed pressed, String notice) throws InterruptedException {
        if (notice.isEmpty()) {
            return; // the HTTP or Socket Mode answer is enough
        }
        ObjectNode params = SlackApi.params()
                .put("channel", people.target(pressed.address().chat()))
                .put("user", pressed.author().id())
                .put("text", SlackText.escaped(notice));
        if (pressed.address().topic() != null) {
            params.put("thread_ts", pressed.address().topic());
        }
        tried("chat.postEphemeral", params);
    }

    @Override
    public boolean isReplaced(Pressed pressed, String text) throws InterruptedException {
        try {
            ObjectNode params = SlackApi.params()
                    .put("channel", people.channel(pressed.address().chat()))
                    .put("ts", pressed.message());
            return tried("chat.update", SlackBlocks.show(params, Piece.Words.plain(text), ""));
        } catch (SlackApiException e) {
            return false;
        }
    }

    /** Best effort. */
    private boolean tried(String method, ObjectNode params) throws InterruptedException {
        try {
            api.call(method, params);
            return true;
        } catch (SlackApiException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("button press could not be acknowledged");
            return false;
        }
    }
}
