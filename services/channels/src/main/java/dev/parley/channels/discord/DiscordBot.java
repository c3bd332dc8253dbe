package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.markup.Pieces;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.BotConfig.Groups;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A bot in the instance that owns it: its gateway brings what happens, and it sends what it is told to. */
final class DiscordBot implements Connection {
    private static final int GUILD_MESSAGES = 1 << 9;
    private static final int DIRECT_MESSAGES = 1 << 12;
    private static final int MESSAGE_CONTENT = 1 << 15;
    /** What Discord takes from bots in guilds that nobody has paid for. */
    private static final long LARGEST_FILE = 10 << 20;

    private static final Limits PRIVATE = new Limits(40, 3, 7, Duration.ofSeconds(5), Duration.ofMillis(1_500));
    private static final Limits GUILD = new Limits(40, 3, 7, Duration.ofSeconds(5), Duration.ofSeconds(5));
    private static final DiscordMarkup MARKUP = new DiscordMarkup();
    private static final int REMEMBERED = 1_000;

    private final BotConfig bot;
    private final DiscordApi api;
    private final ChannelIds places;
    private final Messages messages;
    private final MessageFeed feed;
    private final Gateway gateway;
    /** Messages that somebody has deleted: Discord gives them for their nonce all the same. */
    private final Map<String, Boolean> gone = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));

    private volatile @Nullable String problem;

    DiscordBot(BotConfig bot, DiscordApi api, ChannelIds places, Messages messages, MessageFeed feed, Gateway gateway) {
        this.bot = bot;
        this.api = api;
        this.places = places;
        this.messages = messages;
        this.feed = feed;
        this.gateway = gateway;
        gateway.start();
    }

    /** What a bot wants to be told: no more than it needs. */
    static int intents(Groups groups) {
        return switch (groups) {
            case OFF -> DIRECT_MESSAGES;
            case MENTION -> DIRECT_MESSAGES | GUILD_MESSAGES; // of these it reads what mentions it
            case ALL -> DIRECT_MESSAGES | GUILD_MESSAGES | MESSAGE_CONTENT;
        };
    }

    @Override
    public Optional<String> problem() {
        return gateway.problem().or(() -> Optional.ofNullable(problem));
    }

    @Override
    public List<Piece> pieces(String text) {
        return Pieces.of(text, MARKUP);
    }

    @Override
    public Piece.Words draft(String text) {
        return Pieces.draft(text, MARKUP);
    }

    /** For some minutes, by their nonces: so no reply is sent whole, but its first words are not doubled. */
    @Override
    public boolean remembersDeliveries() {
        return true;
    }

    @Override
    public boolean streamsTo(ConversationAddress address) {
        return bot.streams() && ChannelIds.isPrivate(address.chat());
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return ChannelIds.isPrivate(address.chat()) ? PRIVATE : GUILD;
    }

    @Override
    public long largestFile() {
        return LARGEST_FILE;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        String message = sent(to, piece, delivery, true);
        return gone.containsKey(message) ? sent(to, piece, delivery, false) : message;
    }

    private String sent(ConversationAddress to, Piece piece, Delivery delivery, boolean once)
            throws SendFailure, InterruptedException {
        JsonNode message = attempt(() -> {
            String path = "/channels/" + places.channel(to.chat()) + "/messages";
            return switch (piece) {
                case Piece.Words words -> {
                    ObjectNode body = Messages.delivered(messages.words(to.chat(), words), delivery, once);
                    yield api.post(path, body);
                }
                case Piece.Document file -> {
                    ObjectNode body = Messages.delivered(Messages.file(file), delivery, once);
                    yield api.upload(path, body, file.name(), file.mimeType(), file.bytes());
                }
            };
        });
        return message.path("id").asText();
    }

    @Override
    public void edit(ConversationAddress at, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        try {
            attempt(() -> api.call(
                    "PATCH",
                    "/channels/" + places.channel(at.chat()) + "/messages/" + message,
                    messages.words(at.chat(), words),
                    DiscordApi.PATIENCE));
        } catch (SendFailure e) {
            if (e.kind() == Kind.GONE) {
                gone.put(message, true);
            }
            throw e;
        }
    }

    @Override
    public void working(ConversationAddress at) throws SendFailure, InterruptedException {
        attempt(() -> api.call("POST", "/channels/" + places.channel(at.chat()) + "/typing", null, DiscordApi.SOON));
    }

    private interface Call {
        JsonNode make() throws DiscordException, InterruptedException;
    }

    private JsonNode attempt(Call call) throws SendFailure, InterruptedException {
        try {
            JsonNode answer = call.make();
            problem = null;
            return answer;
        } catch (DiscordException e) {
            if (e.kind() == Kind.REVOKED) {
                problem = "Discord rejects its token, which was reset or mistyped";
            }
            throw new SendFailure(e.kind(), String.valueOf(e.getMessage()), e.retryAfter());
        } catch (IllegalStateException e) { // the token is not there
            problem = "its token: " + e.getMessage();
            throw new SendFailure(Kind.REVOKED, String.valueOf(e.getMessage()), null);
        }
    }

    /** What is under way is broken off; what was taken in is safe. */
    @Override
    public void close() {
        gateway.close();
        feed.close();
        api.close();
    }
}
