package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Finding;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Discord. */
public final class DiscordPlugin implements ChannelPlugin {
    static final String KIND = "discord";

    /** The settings of its bots. */
    static final BotKind BOTS = new BotKind(
            KIND,
            "Discord",
            URI.create("https://discord.com"),
            new Form(
                    "[A-Za-z0-9_-]{10,64}\\.[A-Za-z0-9_-]{1,64}\\.[A-Za-z0-9_-]{10,128}",
                    "is the token from the page Bot of Discord's developer portal: three parts separated by dots"),
            Map.of(),
            new Form("[0-9]{15,20}", "contains ids of Discord users, such as \"400000000000000001\", not names"),
            token -> token.substring(0, token.indexOf('.'))); // the bot's id, in base 64

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Optional<BotKind> description() {
        return Optional.of(BOTS);
    }

    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(ChannelIds.privately(user));
    }

    @Override
    public boolean showsForms() {
        return true;
    }

    @Override
    public List<Finding> check(ConfiguredBot bot) throws InterruptedException {
        return DiscordCheck.of(bot);
    }

    @Override
    public Connection connect(ChannelBot bot) {
        var api = new DiscordApi(bot.api(), bot::token);
        var places = new ChannelIds(api);
        var interactions = new Interactions(api, places);
        BotChats chats = bot.chats(new Side(api, interactions));
        var menu = new AtomicBoolean();
        var feed = new MessageFeed(
                bot,
                chats,
                new Positions(chats.seen()),
                new MissedMessages(bot.name(), api, places),
                places,
                interactions,
                ready -> register(menu, api, bot, ready));
        var gateway = new Gateway(bot.name(), api, DiscordBot.intents(bot.receives()), new SafeSequence(), feed);
        return new DiscordBot(bot, api, places, new DiscordMessages(chats.buttons()), feed, gateway);
    }

    private static void register(AtomicBoolean menu, DiscordApi api, ConfiguredBot bot, JsonNode ready) {
        if (!menu.getAndSet(true)) {
            String application = ready.path("application").path("id").asText();
            Thread.ofVirtual().name("discord-menu").start(() -> DiscordMenu.register(api, bot, application));
        }
    }

    private record Side(DiscordApi api, Interactions interactions) implements ChatSide {
        private static final Logger LOG = LoggerFactory.getLogger(Side.class);
        /** Messages of the bot itself are those of a bot, which nobody hears. */
        private static final String NOBODY = "0";

        @Override
        public byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
            try {
                return api.download(file.fileId(), limit);
            } catch (DiscordException e) {
                throw new NotThereException(String.valueOf(e.getMessage()), e.isTransient(), e);
            }
        }

        @Override
        public List<ChatMessage> earlier(ChatMessage message, int most) throws InterruptedException {
            var reader = new DiscordEvents(message.address().bot(), NOBODY);
            String chat = message.address().chat();
            var earlier = new ArrayList<ChatMessage>();
            try {
                JsonNode newestFirst =
                        api.get("/channels/%s/messages?limit=%d&before=%s".formatted(chat, most, message.id()));
                for (JsonNode found : newestFirst) {
                    if (reader.message(found, chat, false) instanceof ChatMessage said) {
                        earlier.addFirst(said);
                    }
                }
            } catch (DiscordException e) {
                LOG.atInfo()
                        .addKeyValue("bot", message.address().bot())
                        .addKeyValue("reason", e.getMessage())
                        .log("earlier messages cannot be read");
            }
            return earlier;
        }

        @Override
        public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
            interactions.acknowledge(press, notice);
        }

        @Override
        public boolean answerAlone(Event event, Supplier<String> text) throws InterruptedException {
            return switch (event) {
                case ChatMessage message -> interactions.tell(message.id(), text);
                case Event.FormAnswer answer -> interactions.tell(answer.query(), text);
                default -> false;
            };
        }

        @Override
        public boolean showForm(ButtonPress press, ChatForm form, String data) throws InterruptedException {
            Optional<ObjectNode> modal = DiscordForms.modal(form, data);
            return modal.isPresent() && interactions.showForm(press, modal.get());
        }

        @Override
        public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
            return interactions.replaceMessage(press, text);
        }

        /** Commands of the menu are interactions, and have no time of sending. */
        @Override
        public String kind(Event event) {
            return switch (event) {
                case ChatMessage message when message.edited() -> "edited_message";
                case ChatMessage message -> message.sentAt() == null ? "interaction" : "message";
                case ButtonPress _, Event.FormAnswer _ -> "interaction";
                case Event.Feedback _ -> "reaction";
                default -> ChatSide.super.kind(event);
            };
        }
    }
}
