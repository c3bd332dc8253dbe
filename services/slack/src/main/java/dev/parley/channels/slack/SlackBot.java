package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.ReceiverStatus;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.channels.slack.SlackEvents.Recipient;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Slack bot on the instance that owns it: holds the Socket Mode connection, where it has one, and sends replies. */
final class SlackBot implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(SlackBot.class);
    private static final long MAX_FILE = 50 << 20;
    private static final Duration TOKEN_CHECK_INTERVAL = Duration.ofMinutes(1);
    /** Slack allows one message per second and channel, several hundred per minute in all, and 50 edits per minute. */
    private static final Limits LIMITS = new Limits(4, 3, 1, Duration.ofSeconds(1), Duration.ofSeconds(3));

    /** Slack allows 100 additions to streams per minute. */
    private static final Limits STREAM_LIMITS = new Limits(4, 3, 1, Duration.ofSeconds(1), Duration.ofSeconds(2));

    private static final int MAX_OPENINGS = 1_000;

    private final ChannelBot bot;
    private final SlackApi api;
    private final SlackPeople people;
    private final SlackEventHandler handler;
    private final @Nullable SocketMode socket;
    private final ReceiverStatus status;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean hasThumbs = true;
    private final SlackStreams streams;
    private final AgentSessions sessions;
    /** Growing answers whose opening message is being sent. */
    private final Map<UUID, GrowingAnswer> openings = Collections.synchronizedMap(new BoundedMap<>(MAX_OPENINGS));

    /**
     * @param socket source of events; null where Slack sends them over HTTP
     *
     * @param clock in nanoseconds, from any origin
     */
    SlackBot(
            ChannelBot bot,
            SlackApi api,
            SlackPeople people,
            SlackEventHandler handler,
            @Nullable SocketMode socket,
            LongSupplier clock) {
        this.bot = bot;
        this.api = api;
        this.people = people;
        this.handler = handler;
        this.socket = socket;
        this.streams = new SlackStreams(api, people, clock, this::onStop);
        this.sessions = new AgentSessions(api, people, clock);
        this.status = new ReceiverStatus(bot.name());
        this.thread = Thread.ofVirtual().name("slack-" + bot.name()).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                receiveOrBackOff();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void receiveOrBackOff() throws InterruptedException {
        try {
            handler.me();
            if (socket == null) {
                api.call("auth.test", SlackApi.params()); // its token may be revoked meanwhile
                onReceived();
                Thread.sleep(TOKEN_CHECK_INTERVAL);
            } else {
                var ended = socket.connect();
                onReceived();
                ended.get();
            }
        } catch (SlackApiException e) {
            noteRevoked(e);
            status.backOff(e.retryAfter(), e.getMessage());
        } catch (MissingSecretException e) {
            status.onStopped("its tokens: " + e.getMessage());
            status.backOff(null, e.getMessage());
        } catch (ExecutionException | RuntimeException e) {
            status.backOff(null, String.valueOf(e.getMessage()));
        }
    }

    private void onReceived() {
        status.onAccepted();
        status.onSucceeded();
    }

    private void noteRevoked(SlackApiException e) {
        if (e.kind() == Kind.REVOKED) {
            status.onStopped("Slack rejects its token, or the app lacks a scope: " + e.getMessage());
        }
    }

    @Override
    public Optional<String> problem() {
        return status.problem();
    }

    @Override
    public List<Piece> pieces(String text) {
        return SlackPieces.of(text);
    }

    @Override
    public Piece.Words draft(String text) {
        return SlackMessageText.section(MarkupPieces.draft(text, SlackPieces.MARKUP), text);
    }

    /** In private answers grow by edits, where they are not streamed. */
    @Override
    public Growth growth(ConversationAddress address) {
        boolean grows = bot.streams() && (SlackPeople.isPrivate(address.chat()) || streams.isPossible(address));
        return grows ? Growth.MESSAGE : Growth.NONE;
    }

    @Override
    public Piece.Words opening(GrowingAnswer answer) {
        openings.put(answer.turn(), answer);
        return draft(answer.words());
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return streams.isPossible(address) ? STREAM_LIMITS : LIMITS;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        return switch (piece) {
            case Piece.Words words -> delivery.grows() ? open(to, words, delivery.turn()) : post(to, words);
            case Piece.Document file -> upload(to, file);
        };
    }

    /** Begins the stream of an answer; where Slack has none here, sends a message, which then grows by edits. */
    private String open(ConversationAddress to, Piece.Words words, UUID turn) throws SendFailure, InterruptedException {
        GrowingAnswer answer = openings.remove(turn);
        Optional<String> stream =
                answer != null && streams.isPossible(to) ? attempt(() -> streams.begin(to, answer)) : Optional.empty();
        return stream.isPresent() ? stream.get() : post(to, words);
    }

    private String post(ConversationAddress to, Piece.Words words) throws SendFailure, InterruptedException {
        ArrayNode below = below(to, words);
        JsonNode posted = words(
                words,
                blocks -> api.call(
                        "chat.postMessage",
                        SlackBlocks.show(
                                threadParams(to).put("channel", people.target(to.chat())), words, blocks, below)));
        if (SlackPeople.isPrivate(to.chat()) && posted.path("channel").asText().startsWith("D")) {
            people.remember(to.chat(), posted.path("channel").asText());
        }
        return posted.path("ts").asText();
    }

    private static ObjectNode threadParams(ConversationAddress to) {
        ObjectNode params = SlackApi.params();
        return to.topic() == null ? params : params.put("thread_ts", to.topic());
    }

    /** Sends blocks with a text. */
    private interface Form {
        JsonNode send(ArrayNode blocks) throws SlackApiException, InterruptedException;
    }

    /** Sends a text in its best form, or the next one where Slack rejects it, and at last without markup. */
    private JsonNode words(Piece.Words words, Form form) throws SendFailure, InterruptedException {
        return attempt(() -> {
            for (ArrayNode blocks : SlackMessageText.of(words).forms()) {
                try {
                    return form.send(blocks);
                } catch (SlackApiException e) {
                    if (!e.isOfMarkup()) {
                        throw e;
                    }
                    LOG.atWarn()
                            .addKeyValue("bot", bot.name())
                            .addKeyValue("reason", e.getMessage())
                            .log("markup rejected; sending a simpler form");
                }
            }
            return form.send(SlackBlocks.plain(words));
        });
    }

    /** A file is invisible until the last of three calls. */
    private String upload(ConversationAddress to, Piece.Document file) throws SendFailure, InterruptedException {
        String id = uploadBytes(file);
        try {
            ObjectNode params = threadParams(to).put("channel_id", people.channel(to.chat()));
            params.putArray("files").addObject().put("id", id).put("title", file.name());
            if (!Set.of("", file.name()).contains(file.caption().plain())) { // its name is its title
                params.put("initial_comment", SlackText.escape(file.caption().plain()));
            }
            api.call("files.completeUploadExternal", params);
            return id;
        } catch (SlackApiException e) {
            throw e.toSendFailure(ofFile(e));
        }
    }

    /** Uploads a file that is still invisible, so that nothing is in doubt; returns its id. */
    private String uploadBytes(Piece.Document file) throws SendFailure, InterruptedException {
        ObjectNode params = SlackApi.params().put("filename", file.name()).put("length", file.bytes().length);
        try {
            JsonNode reserved = api.call("files.getUploadURLExternal", params);
            api.upload(reserved.path("upload_url").asText(), file.bytes());
            return reserved.path("file_id").asText();
        } catch (SlackApiException e) {
            throw e.toSendFailure(ofFile(e) == Kind.IN_DOUBT ? Kind.LATER : ofFile(e));
        }
    }

    /** An app without the scope for files may send texts. */
    private static Kind ofFile(SlackApiException e) {
        return e.says("missing_scope") ? Kind.REFUSED : e.kind();
    }

    @Override
    public long largestFile() {
        return MAX_FILE;
    }

    @Override
    public void grow(ConversationAddress address, String message, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        if (attempt(() -> streams.grow(address, message, answer)) == SlackStreams.Outcome.EDIT) {
            update(address, message, draft(answer.words()), SlackApi.params().arrayNode());
        }
    }

    @Override
    public void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        ArrayNode below = below(address, words);
        boolean thumbs = words.rated() && hasThumbs && address.topic() != null;
        ArrayNode complete = thumbs ? below.deepCopy().add(SlackBlocks.feedback()) : below;
        String markdown = SlackMessageText.of(words).markdown();
        if (attempt(() -> streams.finish(address, message, markdown, complete))) {
            return;
        }
        try {
            update(address, message, words, complete);
        } catch (SendFailure e) {
            if (!thumbs || e.kind() != Kind.REFUSED) {
                throw e;
            }
            update(address, message, words, below);
            hasThumbs = false; // Slack refuses them and not the message
        }
    }

    /** Slack has stopped a stream, and its event may be lost, or not be subscribed to. */
    private void onStop(Recipient reader, ConversationAddress address, String message) throws InterruptedException {
        var stop = new Event.Stop(address, new Sender(reader.user(), reader.user()), message);
        if (handler.onStops(List.of(stop)) instanceof Taken.NotSafe notSafe) {
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", notSafe.why())
                    .log("a stopped stream could not stop its turn");
        }
    }

    private ArrayNode below(ConversationAddress address, Piece.Words words) {
        ArrayNode below = SlackApi.params().arrayNode();
        if (!words.choices().isEmpty()) {
            below.add(SlackBlocks.buttons(words.choices(), handler.chats().buttons(), address.chat()));
        }
        return below;
    }

    /** A message whose stream another process has begun is edited once that stream has ended. */
    private void update(ConversationAddress address, String message, Piece.Words words, ArrayNode below)
            throws SendFailure, InterruptedException {
        String channel = attempt(() -> people.channel(address.chat()));
        ObjectNode params = SlackApi.params().put("channel", channel).put("ts", message);
        words(words, blocks -> {
            try {
                return api.call("chat.update", SlackBlocks.show(params.deepCopy(), words, blocks, below));
            } catch (SlackApiException e) {
                if (!e.says("streaming_state_conflict")) {
                    throw e;
                }
                streams.end(channel, message);
                return api.call("chat.update", SlackBlocks.show(params.deepCopy(), words, blocks, below));
            }
        });
    }

    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        attempt(() -> {
            sessions.working(address);
            streams.keepAlive(address);
            return address;
        });
    }

    @Override
    public void ended(ConversationAddress address, UUID turn) throws SendFailure, InterruptedException {
        openings.remove(turn);
        attempt(() -> {
            sessions.ended(address);
            return address;
        });
    }

    private interface Call<T> {
        T make() throws SlackApiException, InterruptedException;
    }

    private <T> T attempt(Call<T> call) throws SendFailure, InterruptedException {
        try {
            T result = call.make();
            status.onAccepted();
            return result;
        } catch (SlackApiException e) {
            noteRevoked(e);
            throw e.toSendFailure(e.kind());
        } catch (MissingSecretException e) {
            throw new SendFailure(Kind.REVOKED, "its tokens: " + e.getMessage(), null, e);
        }
    }

    /** Aborts running calls; received events are durable. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        if (socket != null) {
            socket.close();
        }
        api.close();
    }
}
