package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.ReceiverStatus;
import dev.parley.channels.chat.markup.MarkupDialect;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.domain.protocol.Choice;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A WhatsApp bot on the instance that owns it: sends replies, each message once, and watches the token. Messages arrive
 * by {@link InboundNotifications}.
 */
final class WhatsAppBot implements Connection {
    private static final MarkupDialect MARKUP = new WhatsAppMarkup();
    private static final long MAX_FILE = 100 << 20;
    private static final Duration TOKEN_CHECK_INTERVAL = Duration.ofMinutes(1);
    /** WhatsApp reports a message that it took within seconds. */
    private static final Duration REPORT = Duration.ofSeconds(30);
    /** A typing indicator lasts for 25 seconds. */
    private static final Duration TYPING = Duration.ofSeconds(20);

    /** How a question of a workflow with numbered options is answered. */
    private static final String REPLY = "\n\nReply to this message with a number.";

    private static final int MAX_TYPING = 10_000;
    /**
     * A phone number may send 80 messages a second; a person gets one every six seconds, and up to 45 at once, for which
     * the next ones wait.
     */
    private static final Limits LIMITS = new Limits(40, 20, 1, Duration.ofSeconds(6), Duration.ofSeconds(6));

    private final ChannelBot bot;
    private final WhatsAppApi api;
    private final BotChats chats;
    private final CustomerWindow window;
    private final ReceiverStatus status;
    /** Until when the chats show that the bot is typing. */
    private final Map<String, Deadline> typing = Collections.synchronizedMap(new BoundedMap<>(MAX_TYPING));

    private final Thread thread;
    private volatile boolean closed;

    WhatsAppBot(ChannelBot bot, WhatsAppApi api) {
        this.bot = bot;
        this.api = api;
        this.chats = bot.chats(new ChatSide() {});
        this.window = new CustomerWindow(chats.seen());
        this.status = new ReceiverStatus(bot.name());
        this.thread = Thread.ofVirtual().name("whatsapp-" + bot.name()).start(this::run);
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

    private void checkToken() throws InterruptedException {
        try {
            api.number("id", Map.of());
            status.onAccepted();
            status.onSucceeded();
            Thread.sleep(TOKEN_CHECK_INTERVAL);
        } catch (WhatsAppApiException e) {
            noteRevoked(e);
            status.backOff(e.retryAfter(), e.getMessage());
        } catch (MissingSecretException e) {
            status.onStopped("its token: " + e.getMessage());
            status.backOff(null, e.getMessage());
        } catch (RuntimeException e) {
            status.backOff(null, String.valueOf(e.getMessage()));
        }
    }

    private void noteRevoked(WhatsAppApiException e) {
        if (e.kind() == Kind.REVOKED) {
            status.onStopped("Meta rejects its token, its rights or its account: " + e.getMessage());
        }
    }

    @Override
    public Optional<String> problem() {
        return status.problem();
    }

    @Override
    public List<Piece> pieces(String text) {
        return MarkupPieces.of(text, MARKUP);
    }

    /** More than ten choices cannot be pressed, and a text above choices is short. */
    @Override
    public List<Piece> pieces(String text, List<Choice> choices) {
        if (choices.size() > OutgoingMessages.MAX_ROWS) {
            boolean isQuestion = choices.getFirst().action().equals(Choice.TASK);
            return pieces(text + "\n\n" + OutgoingMessages.numbered(choices) + (isQuestion ? REPLY : ""));
        }
        var pieces = new ArrayList<>(Connection.super.pieces(text, choices));
        if (!choices.isEmpty() && !hasRoom(pieces.getLast())) {
            pieces.clear();
            pieces.addAll(pieces(text));
            pieces.add(OutgoingMessages.question(choices));
        }
        return pieces;
    }

    private static boolean hasRoom(Piece piece) {
        return piece instanceof Piece.Words words
                && Math.max(words.markup().length(), words.plain().length()) <= OutgoingMessages.MAX_BODY;
    }

    @Override
    public boolean editsMessages() {
        return false;
    }

    @Override
    public Duration reportsWithin() {
        return REPORT;
    }

    @Override
    public long largestFile() {
        return MAX_FILE;
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return LIMITS;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (isClosed(to.chat())) {
            return sendTemplate(to, piece, delivery);
        }
        try {
            ObjectNode message = OutgoingMessages.to(to, delivery);
            return switch (piece) {
                case Piece.Words words -> post(to, OutgoingMessages.words(message, words, to.chat(), chats.buttons()));
                case Piece.Document file -> post(to, uploaded(message, OutgoingFile.of(file)));
            };
        } catch (WhatsAppApiException e) {
            if (e.code() != WhatsAppApiException.WINDOW_CLOSED) {
                throw e.toSendFailure(e.kind());
            }
            return sendTemplate(to, piece, delivery);
        } catch (MissingSecretException e) {
            throw new SendFailure(Kind.REVOKED, "its token: " + e.getMessage(), null, e);
        }
    }

    /** Whether the last message of a person is too old to be answered freely; unknown ones are tried. */
    private boolean isClosed(String chat) throws SendFailure {
        try {
            return window.last(chat).map(last -> last.isClosed(Instant.now())).orElse(false);
        } catch (IllegalStateException e) {
            throw new SendFailure(Kind.LATER, String.valueOf(e.getMessage()), null, e);
        }
    }

    /** Nothing is visible until the message with the file is sent, so nothing is in doubt. */
    private ObjectNode uploaded(ObjectNode message, OutgoingFile file)
            throws WhatsAppApiException, SendFailure, InterruptedException {
        try {
            Piece.Document document = file.file();
            return file.show(message, api.upload(document.name(), file.mimeType(), document.bytes()));
        } catch (WhatsAppApiException e) {
            noteRevoked(e);
            throw e.toSendFailure(e.kind() == Kind.IN_DOUBT ? Kind.LATER : e.kind());
        } catch (IllegalArgumentException e) {
            throw new SendFailure(Kind.REFUSED, "a file of the type " + file.mimeType(), null, e);
        }
    }

    private String sendTemplate(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        String template = WhatsAppPlugin.setting(bot, WhatsAppPlugin.TEMPLATE);
        if (template.isEmpty()) {
            throw tooLate("and the bot has no template");
        }
        if (!(piece instanceof Piece.Words words)) {
            throw tooLate("and a template has no file");
        }
        String parameter = OutgoingMessages.parameter(words);
        if (parameter.length() > OutgoingMessages.MAX_PARAMETER) {
            throw tooLate("and the text is longer than the %,d characters of a template's parameter"
                    .formatted(OutgoingMessages.MAX_PARAMETER));
        }
        try {
            return post(to, OutgoingMessages.template(OutgoingMessages.to(to, delivery), template, parameter));
        } catch (WhatsAppApiException e) {
            throw e.toSendFailure(e.kind());
        } catch (MissingSecretException e) {
            throw new SendFailure(Kind.REVOKED, "its token: " + e.getMessage(), null, e);
        }
    }

    private static SendFailure tooLate(String reason) {
        return new SendFailure(
                Kind.REFUSED,
                "the person has not written for 24 hours, so WhatsApp takes a template only, " + reason,
                null);
    }

    private String post(ConversationAddress to, ObjectNode message) throws WhatsAppApiException, InterruptedException {
        try {
            JsonNode sent = api.send(message);
            status.onAccepted();
            typing.remove(to.chat());
            String id = sent.path("messages").path(0).path("id").asText("");
            if (id.isEmpty()) {
                throw new WhatsAppApiException(
                        WhatsAppApiException.NO_ANSWER, "the answer has no id of the message", true, null);
            }
            return Notification.reference(id);
        } catch (WhatsAppApiException e) {
            noteRevoked(e);
            throw e;
        }
    }

    /** Also marks what the person wrote as read. */
    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        Deadline shown = typing.get(address.chat());
        if (shown != null && !shown.passed()) {
            return;
        }
        typing.put(address.chat(), Deadline.in(TYPING));
        Optional<CustomerWindow.Last> last =
                window.last(address.chat()).filter(message -> !message.isClosed(Instant.now()));
        String read = last.map(CustomerWindow.Last::id).orElse(null);
        if (read == null) {
            return;
        }
        ObjectNode notice = WhatsAppApi.message().put("status", "read").put("message_id", read);
        notice.putObject("typing_indicator").put("type", "text");
        try {
            api.send(notice);
        } catch (WhatsAppApiException e) {
            throw e.toSendFailure(e.kind());
        }
    }

    /** Aborts running calls. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        api.close();
    }
}
