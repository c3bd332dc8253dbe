package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.ReceiverStatus;
import dev.parley.channels.chat.markup.MarkupDialect;
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
import dev.parley.channels.teams.AnswerStreams.Result;
import dev.parley.platform.clock.SteadyClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Teams bot on the instance that owns it: sends replies, and watches that its secret is accepted. */
final class TeamsBot implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(TeamsBot.class);
    private static final MarkupDialect MARKUP = new TeamsMarkup();
    private static final Duration TOKEN_CHECK_INTERVAL = Duration.ofMinutes(1);
    /** Teams allows a tenant 50 requests a second, and a conversation 7 at once, 60 in 30 s and 1,800 in an hour. */
    private static final Limits LIMITS = new Limits(25, 6, 1, Duration.ofSeconds(2), Duration.ofSeconds(2));

    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;

    private final ChannelBot bot;
    private final TeamsApi api;
    private final TeamsEventHandler handler;
    private final AnswerStreams streams;
    private final ReceiverStatus status;
    private final Thread thread;
    private volatile boolean closed;

    TeamsBot(ChannelBot bot, TeamsApi api, TeamsEventHandler handler) {
        this.bot = bot;
        this.api = api;
        this.handler = handler;
        this.streams = new AnswerStreams(api, SteadyClock.OF_PROCESS);
        this.status = new ReceiverStatus(bot.name());
        this.thread = Thread.ofVirtual().name("teams-" + bot.name()).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                checkToken();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Activities come over HTTP; a secret that is no longer accepted shows here. */
    private void checkToken() throws InterruptedException {
        try {
            api.token();
            status.onAccepted();
            status.onSucceeded();
            Thread.sleep(TOKEN_CHECK_INTERVAL);
        } catch (TeamsApiException e) {
            noteRevoked(e);
            status.backOff(e.retryAfter(), e.getMessage());
        } catch (MissingSecretException e) {
            status.onStopped("its client secret: " + e.getMessage());
            status.backOff(null, e.getMessage());
        }
    }

    private void noteRevoked(TeamsApiException e) {
        if (e.kind() == Kind.REVOKED) {
            status.onStopped("Microsoft rejects its app, tenant or client secret: " + e.getMessage());
        }
    }

    @Override
    public Optional<String> problem() {
        return status.problem();
    }

    @Override
    public List<Piece> pieces(String text) {
        return MarkupPieces.of(text, MARKUP).stream()
                .flatMap(piece -> TextFiles.shown(piece).stream())
                .toList();
    }

    @Override
    public Piece.Words draft(String text) {
        return MarkupPieces.draft(text, MARKUP);
    }

    @Override
    public Growth growth(ConversationAddress address) {
        return bot.streams() && Conversation.isPrivate(address) ? Growth.MESSAGE : Growth.NONE;
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return LIMITS;
    }

    /** Other files than small pictures and texts would need each person's consent. */
    @Override
    public long largestFile() {
        return TextFiles.LARGEST;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        return switch (piece) {
            case Piece.Words words -> post(to, words, delivery);
            case Piece.Document file -> post(to, file, delivery);
        };
    }

    private String post(ConversationAddress to, Piece.Words words, Delivery delivery)
            throws SendFailure, InterruptedException {
        return attempt(() -> {
            Conversation in = handler.conversations().of(to);
            String streamed = delivery.grows() ? streams.begin(in, words) : null;
            return streamed != null
                    ? streamed
                    : plainIfRefused(
                            words, markup -> id(api.post(in, answering(message(to, words, markup), delivery))));
        });
    }

    private String post(ConversationAddress to, Piece.Document file, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (TextFiles.isPicture(file)) {
            return attempt(
                    () -> id(api.post(handler.conversations().of(to), answering(Cards.picture(file), delivery))));
        }
        return post(to, TextFiles.words(file), delivery);
    }

    private static ObjectNode answering(ObjectNode activity, Delivery delivery) {
        return delivery.answers() == null ? activity : activity.put("replyToId", delivery.answers());
    }

    private static String id(JsonNode posted) throws TeamsApiException {
        String id = posted.path("id").asText("");
        if (id.isEmpty()) {
            throw TeamsApiException.of(Kind.IN_DOUBT, "the answer has no id of the message", null);
        }
        return id;
    }

    private ObjectNode message(ConversationAddress to, Piece.Words words, String markup) {
        return Cards.message(words, markup, handler.chats().buttons(), to.chat());
    }

    @Override
    public void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        attempt(() -> {
            Conversation in = handler.conversations().of(address);
            return plainIfRefused(words, markup -> {
                if (streams.end(in, message, message(address, words, markup), false) == Result.NOT_STREAMING) {
                    replace(in, message, () -> message(address, words, markup));
                }
                return message;
            });
        });
    }

    /** Replaces a message, which may be a stream that another process began and did not end. */
    private void replace(Conversation in, String message, Supplier<ObjectNode> activity)
            throws TeamsApiException, InterruptedException {
        try {
            api.put(in, message, activity.get());
        } catch (TeamsApiException e) {
            boolean isStream = e.kind() == Kind.GONE && e.isOfStream();
            if (!isStream || streams.end(in, message, activity.get(), true) == Result.NOT_STREAMING) {
                throw e;
            }
        }
    }

    @Override
    public void grow(ConversationAddress address, String message, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        Result result = attempt(() -> streams.grow(
                handler.conversations().of(address), message, answer, MarkupPieces.draft(answer.text(), MARKUP)));
        switch (result) {
            case SHOWN -> {
                // the stream has it
            }
            case STOPPED -> stop(address, message);
            case NOT_STREAMING -> edit(address, message, draft(answer.words()));
        }
    }

    /** The stop button of Teams is the command of the person whose private chat it is. */
    private void stop(ConversationAddress address, String message) throws InterruptedException {
        String person = Conversation.person(address.chat());
        var stop = new Event.Stop(address, new Sender(person, person), message);
        if (handler.chats().handle(stop, "stop:" + message, "") instanceof Taken.NotSafe) {
            streams.forgetStop(message);
        }
    }

    /** A stream shows it; while nothing is new, its stop button is asked about. */
    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        String stopped = this.<@Nullable String>attempt(() -> {
            Conversation in = handler.conversations().of(address);
            if (streams.isStreaming(in)) {
                return streams.refresh(in);
            }
            api.post(in, TeamsApi.object().put("type", "typing"));
            return null;
        });
        if (stopped != null) {
            stop(address, stopped);
        }
    }

    private interface Call<T extends @Nullable Object> {
        T make() throws TeamsApiException, InterruptedException, SendFailure;
    }

    private interface Marked<T> {
        T send(String markup) throws TeamsApiException, InterruptedException;
    }

    /** Sends a text with markup, or without where Teams refuses it. */
    private <T> T plainIfRefused(Piece.Words words, Marked<T> call) throws TeamsApiException, InterruptedException {
        try {
            return call.send(words.markup());
        } catch (TeamsApiException e) {
            boolean isRefused = e.kind() == Kind.REFUSED && (e.status() == BAD_REQUEST || e.status() == TOO_LARGE);
            if (words.markup().isEmpty() || !isRefused) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("markup rejected; sending plain text");
            return call.send("");
        }
    }

    private <T extends @Nullable Object> T attempt(Call<T> call) throws SendFailure, InterruptedException {
        try {
            T result = call.make();
            status.onAccepted();
            return result;
        } catch (TeamsApiException e) {
            noteRevoked(e);
            throw e.toSendFailure();
        } catch (MissingSecretException e) {
            throw new SendFailure(Kind.REVOKED, "its client secret: " + e.getMessage(), null, e);
        } catch (IllegalStateException e) {
            throw new SendFailure(Kind.LATER, "the chat is unknown: " + e.getMessage(), null, e);
        }
    }

    /** Aborts running calls; received activities are durable. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        api.close();
    }
}
