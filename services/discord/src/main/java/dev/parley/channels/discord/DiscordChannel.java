package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.Downloads;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.content.Block;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
public final class DiscordChannel implements Channel {
    /** The kind in sessions and settings. */
    public static final String KIND = "discord";

    /** The settings of its bots. */
    public static final BotKind BOTS = new BotKind(
            KIND,
            "Discord",
            URI.create("https://discord.com"),
            new Form(
                    "[A-Za-z0-9_-]{10,64}\\.[A-Za-z0-9_-]{1,64}\\.[A-Za-z0-9_-]{10,128}",
                    "is the token from the page Bot of Discord's developer portal: three parts separated by dots"),
            Map.of(),
            new Form("[0-9]{15,20}", "contains ids of Discord users, such as \"400000000000000001\", not names"),
            token -> token.substring(0, token.indexOf('.'))); // the bot's id, in base 64

    private final ChatServices services;

    public DiscordChannel(ChatServices services) {
        this.services = services;
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(ChannelIds.privately(user));
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        var api = new DiscordApi(bot.apiUrl(), services.token(bot));
        var places = new ChannelIds(api);
        var interactions = new Interactions(api, places);
        var platform =
                new Platform(new Downloads((file, limit) -> bytes(api, file, limit), services.blobs()), interactions);
        var handler = new ChatHandler(bot, services, intake, platform);
        var menu = new AtomicBoolean();
        var feed = new MessageFeed(
                bot,
                handler,
                new Positions(bot.name(), services.chatState()),
                new MissedMessages(bot.name(), api, places),
                places,
                interactions,
                ready -> register(menu, api, bot, ready));
        var gateway = new Gateway(bot.name(), api, DiscordBot.intents(bot.groups()), new SafeSequence(), feed);
        return new DiscordBot(bot, api, places, new DiscordMessages(services.buttons(bot)), feed, gateway);
    }

    private static void register(AtomicBoolean menu, DiscordApi api, BotConfig bot, JsonNode ready) {
        if (!menu.getAndSet(true)) {
            String application = ready.path("application").path("id").asText();
            Thread.ofVirtual().name("discord-menu").start(() -> DiscordMenu.register(api, bot, application));
        }
    }

    private static byte[] bytes(DiscordApi api, Attachment file, int limit)
            throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), limit);
        } catch (DiscordException e) {
            throw new NotThereException(String.valueOf(e.getMessage()), e.isTransient(), e);
        }
    }

    /** The platform operations of Discord. */
    private record Platform(Downloads downloads, Interactions interactions) implements ChatHandler.Platform {
        @Override
        public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
            return downloads.file(attachment);
        }

        @Override
        public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
            interactions.acknowledge(press, notice);
        }

        @Override
        public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
            return interactions.replaceMessage(press, text);
        }
    }
}
