package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Discord bot on the instance that owns it: receives events over its gateway, and sends replies. */
final class DiscordBot implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(DiscordBot.class);
    private static final int GUILD_MESSAGES = 1 << 9;
    private static final int GUILD_REACTIONS = 1 << 10;
    private static final int DIRECT_MESSAGES = 1 << 12;
    private static final int DIRECT_REACTIONS = 1 << 13;
    private static final int MESSAGE_CONTENT = 1 << 15;
    /** Limit of bots in guilds without boosts. */
    private static final long MAX_FILE = 10 << 20;

    private static final Limits PRIVATE = new Limits(40, 3, 7, Duration.ofSeconds(5), Duration.ofMillis(1_500));
    private static final Limits GUILD = new Limits(40, 3, 7, Duration.ofSeconds(5), Duration.ofSeconds(5));
    private static final DiscordMarkup MARKUP = new DiscordMarkup();
    private static final int MAX_REMEMBERED = 1_000;

    private final ConfiguredBot bot;
    private final DiscordApi api;
    private final ChannelIds channels;
    private final DiscordMessages messages;
    private final MessageFeed feed;
    private final Gateway gateway;
    /** Deleted messages: Discord still returns them for their nonce. */
    private final Map<String, Boolean> deleted = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    /** Messages of components, which no edit makes texts; an edit of one that is not known here is refused first. */
    private final Map<String, Boolean> ofComponents = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private volatile @Nullable String problem;

    DiscordBot(
            ConfiguredBot bot,
            DiscordApi api,
            ChannelIds channels,
            DiscordMessages messages,
            MessageFeed feed,
            Gateway gateway) {
        this.bot = bot;
        this.api = api;
        this.channels = channels;
        this.messages = messages;
        this.feed = feed;
        this.gateway = gateway;
        gateway.start();
    }

    /** The minimal gateway intents for a group setting. */
    static int intents(Groups groups) {
        int privately = DIRECT_MESSAGES | DIRECT_REACTIONS;
        int guilds = GUILD_MESSAGES | GUILD_REACTIONS;
        return switch (groups) {
            case OFF -> privately;
            case MENTION -> privately | guilds; // without the content intent, only mentions have a text
            case ALL -> privately | guilds | MESSAGE_CONTENT;
        };
    }

    @Override
    public Optional<String> problem() {
        return gateway.problem().or(() -> Optional.ofNullable(problem));
    }

    @Override
    public List<Piece> pieces(String text) {
        return DiscordPieces.of(text);
    }

    @Override
    public Piece.Words draft(String text) {
        return MarkupPieces.draft(text, MARKUP);
    }

    /**
     * Discord deduplicates by nonce for some minutes: too short to send replies whole, but opening words are not
     * doubled.
     */
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
        return MAX_FILE;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        String message = sendMessage(to, piece, delivery, true);
        return deleted.containsKey(message) ? sendMessage(to, piece, delivery, false) : message;
    }

    private String sendMessage(ConversationAddress to, Piece piece, Delivery delivery, boolean isDeduplicated)
            throws SendFailure, InterruptedException {
        JsonNode message = attempt(() -> {
            String path = "/channels/" + channels.channel(to.chat()) + "/messages";
            return switch (piece) {
                case Piece.Words words -> {
                    ObjectNode text = messages.words(to.chat(), words);
                    Optional<ObjectNode> components = DiscordMessages.hasComponents(words)
                            ? messages.components(to.chat(), words)
                            : Optional.empty();
                    yield inOneOf(components.map(form -> List.of(form, text)).orElseGet(() -> List.of(text)), form -> {
                        JsonNode sent = api.post(path, DiscordMessages.addDelivery(form, delivery, isDeduplicated));
                        remember(sent.path("id").asText(), form);
                        return sent;
                    });
                }
                case Piece.Document file -> {
                    ObjectNode body = DiscordMessages.addDelivery(DiscordMessages.file(file), delivery, isDeduplicated);
                    yield api.upload(path, body, file.name(), file.mimeType(), file.bytes());
                }
            };
        });
        return message.path("id").asText();
    }

    @Override
    public void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        ObjectNode text = messages.words(address.chat(), words);
        Optional<ObjectNode> components =
                messages.components(address.chat(), words).map(DiscordComponents::edit);
        boolean isFirst = DiscordMessages.hasComponents(words) || ofComponents.containsKey(message);
        List<ObjectNode> forms = components
                .map(form -> isFirst ? List.of(form, text) : List.of(text, form))
                .orElseGet(() -> List.of(text));
        try {
            attempt(() -> {
                String path = "/channels/" + channels.channel(address.chat()) + "/messages/" + message;
                return inOneOf(forms, form -> {
                    JsonNode edited = api.call("PATCH", path, form, DiscordApi.TIMEOUT);
                    remember(message, form);
                    return edited;
                });
            });
        } catch (SendFailure e) {
            if (e.kind() == Kind.GONE) {
                deleted.put(message, true);
            }
            throw e;
        }
    }

    private interface Attempt {
        JsonNode make(ObjectNode form) throws DiscordException, InterruptedException;
    }

    /** The first form of a message that Discord does not refuse. */
    private static JsonNode inOneOf(List<ObjectNode> forms, Attempt attempt)
            throws DiscordException, InterruptedException {
        for (ObjectNode form : forms.subList(0, forms.size() - 1)) {
            try {
                return attempt.make(form);
            } catch (DiscordException e) {
                if (!e.isOfForm()) {
                    throw e;
                }
                LOG.atDebug().addKeyValue("reason", e.getMessage()).log("form of a message refused");
            }
        }
        return attempt.make(forms.getLast());
    }

    private void remember(String message, ObjectNode form) {
        if (DiscordComponents.is(form)) {
            ofComponents.put(message, true);
        }
    }

    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        attempt(() -> api.call(
                "POST", "/channels/" + channels.channel(address.chat()) + "/typing", null, DiscordApi.SHORT_TIMEOUT));
    }

    private JsonNode attempt(DiscordApi.Call call) throws SendFailure, InterruptedException {
        try {
            JsonNode answer = call.make();
            problem = null;
            return answer;
        } catch (DiscordException e) {
            if (e.kind() == Kind.REVOKED) {
                problem = "Discord rejects its token, which was reset or mistyped";
            }
            throw new SendFailure(e.kind(), String.valueOf(e.getMessage()), e.retryAfter(), e);
        } catch (IllegalStateException e) { // the token is missing
            problem = "its token: " + e.getMessage();
            throw new SendFailure(Kind.REVOKED, String.valueOf(e.getMessage()), null, e);
        }
    }

    /** Aborts running calls; received events are durable. */
    @Override
    public void close() {
        gateway.close();
        feed.close();
        api.close();
    }
}
