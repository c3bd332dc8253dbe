package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.parley.channels.contract.Taken;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.Choice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Telegram bot on the instance that owns it: polls for updates or registers its webhook, and sends replies. */
final class TelegramBot implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(TelegramBot.class);
    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(25);
    /** The value of a choice begins with the first letter of its answer. */
    private static final String REJECTS = ApprovalAnswer.REJECT.name().charAt(0) + " ";

    private static final String FORGET = "forget";
    private static final String THREAD = "message_thread_id";
    private static final long MAX_FILE = 50 << 20;
    private static final int MAX_PHOTO = 10 << 20;
    private static final Set<String> PHOTOS = Set.of("image/png", "image/jpeg", "image/webp");
    private static final Duration WEBHOOK_CHECK_INTERVAL = Duration.ofMinutes(1);
    private static final Duration PROBLEM_POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration ALBUM_DELAY = Duration.ofMillis(200);
    private static final Limits PRIVATE = new Limits(30, 3, 1, Duration.ofSeconds(1), Duration.ofMillis(1_500));
    private static final Limits GROUP = new Limits(30, 3, 18, Duration.ofMinutes(1), Duration.ofSeconds(10));

    static final MarkupDialect MARKUP = new TelegramMarkup();

    private final ChannelBot bot;
    private final BotApi api;
    private final Drafts drafts;
    private final RichMessages rich;
    private final UpdateHandler handler;
    private final WebhookSecrets secrets;
    private final ReceiverStatus status;
    private final Thread thread;
    private volatile boolean closed;
    private boolean started;
    private boolean registered;
    private long offset;

    TelegramBot(ChannelBot bot, BotApi api, UpdateHandler handler, WebhookSecrets secrets) {
        this.bot = bot;
        this.api = api;
        this.drafts = new Drafts(bot.name(), api);
        this.rich = new RichMessages(bot.name());
        this.handler = handler;
        this.secrets = secrets;
        this.status = new ReceiverStatus(bot.name());
        this.thread = Thread.ofVirtual().name("telegram-" + bot.name()).start(this::run);
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
            receive();
            status.onSucceeded();
        } catch (BotApiException e) {
            noteRevoked(e);
            started &= e.code() != 409; // a webhook is set, or was a moment ago
            status.backOff(e.retryAfter(), e.getMessage());
        } catch (MissingSecretException e) {
            status.onStopped("its token: " + e.getMessage());
            status.backOff(null, e.getMessage());
        } catch (RuntimeException e) {
            status.backOff(null, String.valueOf(e.getMessage()));
        }
    }

    private void receive() throws BotApiException, InterruptedException {
        if (!started) {
            begin();
            started = true;
            status.onAccepted();
        }
        if (!registered) {
            registered = true;
            Thread.ofVirtual().name("telegram-menu").start(() -> TelegramMenu.register(api, bot));
        }
        if (bot.problem().isPresent()) {
            Thread.sleep(PROBLEM_POLL_INTERVAL); // updates stay at Telegram
        } else if (bot.publicUrl().isPresent()) {
            Thread.sleep(WEBHOOK_CHECK_INTERVAL);
            started = false; // it may have been changed elsewhere
        } else {
            offset = poll(offset);
            status.onAccepted();
        }
    }

    private void noteRevoked(BotApiException e) {
        if (kind(e) == Kind.REVOKED) {
            status.onStopped("Telegram rejects its token, which was revoked or mistyped: " + e.getMessage());
        }
    }

    @Override
    public Optional<String> problem() {
        return status.problem();
    }

    private void begin() throws BotApiException, InterruptedException {
        handler.me();
        if (bot.publicUrl().isEmpty()) {
            api.call("deleteWebhook", BotApi.params().put("drop_pending_updates", false));
            return;
        }
        String url = InboundUpdates.url(bot);
        JsonNode set = api.call("getWebhookInfo", BotApi.params());
        String proof = WebhookSecrets.of(bot);
        if (!set.path("url").asText().equals(url) || !secrets.isRegistered(bot.name(), proof)) {
            ObjectNode webhook = BotApi.params().put("url", url).put("secret_token", proof);
            webhook.set("allowed_updates", allowedUpdates());
            api.call("setWebhook", webhook);
            secrets.markRegistered(bot.name(), proof);
        }
    }

    private static JsonNode allowedUpdates() {
        var kinds = BotApi.params().putArray("kinds");
        Updates.WANTED.forEach(kinds::add);
        return kinds;
    }

    /** Fetches updates and handles them; they are confirmed with the next call. */
    private long poll(long offset) throws BotApiException, InterruptedException {
        JsonNode updates = fetch(offset, POLL_TIMEOUT);
        if (updates.findValue("media_group_id") != null) {
            Thread.sleep(ALBUM_DELAY); // the rest of the album is fetched with this part
            updates = fetch(offset, Duration.ZERO);
        }
        handle(updates);
        return updates.isEmpty()
                ? offset
                : updates.get(updates.size() - 1).path("update_id").asLong() + 1;
    }

    private JsonNode fetch(long offset, Duration time) throws BotApiException, InterruptedException {
        ObjectNode params = BotApi.params().put("timeout", time.toSeconds());
        params.set("allowed_updates", allowedUpdates());
        if (offset > 0) {
            params.put("offset", offset);
        }
        return api.call("getUpdates", params, time.plusSeconds(15));
    }

    /** In order per chat, in parallel across chats. */
    private void handle(JsonNode updates) throws InterruptedException {
        Map<String, List<JsonNode>> chats = new LinkedHashMap<>();
        updates.forEach(update ->
                chats.computeIfAbsent(chat(update), _ -> new ArrayList<>()).add(update));
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Taken>> handled = new ArrayList<>();
            for (List<JsonNode> ofOne : chats.values()) {
                handled.add(executor.submit(() -> handler.handle(ofOne)));
            }
            for (Future<Taken> task : handled) {
                if (task.get() instanceof Taken.NotSafe notSafe) {
                    throw new IllegalStateException(notSafe.why());
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static String chat(JsonNode update) {
        for (JsonNode part : update) {
            JsonNode chat =
                    part.has("chat") ? part.get("chat") : part.path("message").path("chat");
            if (chat.has("id")) {
                return chat.get("id").asText();
            }
        }
        return "";
    }

    @Override
    public List<Piece> pieces(String text) {
        List<Piece> pieces = MarkupPieces.of(text, MARKUP);
        return bot.richMessages()
                ? rich.of(text, pieces).<List<Piece>>map(List::of).orElse(pieces)
                : pieces;
    }

    @Override
    public Piece.Words draft(String text) {
        return MarkupPieces.draft(text, MARKUP);
    }

    @Override
    public Growth growth(ConversationAddress address) {
        return !bot.streams() || isGroup(address)
                ? Growth.NONE
                : bot.drafts() && drafts.areShown(address) ? Growth.PREVIEW : Growth.MESSAGE;
    }

    @Override
    public String preview(ConversationAddress address, GrowingAnswer answer) throws SendFailure, InterruptedException {
        attempt(address, Drafts.frame(address, answer), frame -> {
            drafts.show(frame);
            return frame;
        });
        return Drafts.reference(Drafts.id(answer.turn()));
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return isGroup(address) ? GROUP : PRIVATE;
    }

    private static boolean isGroup(ConversationAddress address) {
        return address.chat().startsWith("-");
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        String answers = delivery.answers();
        return switch (piece) {
            case Piece.Words words ->
                id(words(to, "sendMessage", withChoices(messageParams(to, answers), to, words), words));
            case Piece.Document file -> {
                ObjectNode params = messageParams(to, answers);
                if (!file.caption().plain().isEmpty()) {
                    params.put("caption", file.caption().plain());
                }
                yield id(attempt(to, params, request -> upload(request, file)));
            }
        };
    }

    /** Sends an image as a photo where Telegram accepts it, and otherwise as a document. */
    private JsonNode upload(ObjectNode params, Piece.Document file) throws BotApiException, InterruptedException {
        if (PHOTOS.contains(file.mimeType().toLowerCase(Locale.ROOT)) && file.bytes().length <= MAX_PHOTO) {
            try {
                return api.upload("sendPhoto", params, "photo", file.name(), file.mimeType(), file.bytes());
            } catch (BotApiException e) {
                if (e.code() != 400 || e.migratedTo() != null || refusal(e) != Kind.REFUSED) {
                    throw e;
                }
                LOG.atInfo()
                        .addKeyValue("bot", bot.name())
                        .addKeyValue("reason", e.getMessage())
                        .log("image is sent as a document");
            }
        }
        return api.upload("sendDocument", params, "document", file.name(), file.mimeType(), file.bytes());
    }

    @Override
    public long largestFile() {
        return MAX_FILE;
    }

    private static String id(JsonNode message) {
        return message.path("message_id").asText();
    }

    private static ObjectNode messageParams(ConversationAddress to, @Nullable String answers) {
        ObjectNode params = BotApi.params(to);
        if (answers != null && !EphemeralMessages.isEphemeral(answers)) {
            params.putObject("reply_parameters")
                    .put("message_id", Long.parseLong(answers))
                    .put("allow_sending_without_reply", true);
        }
        return params;
    }

    @Override
    public void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        ObjectNode params = BotApi.params(new ConversationAddress(address.bot(), address.chat(), null))
                .put("message_id", Long.parseLong(message));
        withChoices(params, address, words);
        if (RichMarkup.isRich(words)) {
            rich(address, params, words);
        } else {
            words(address, "editMessageText", params, words);
        }
    }

    /**
     * Edits a message into a rich one. Where Telegram does not take it, the answer is sent again, without it: its first
     * piece replaces the same message.
     */
    private void rich(ConversationAddress address, ObjectNode params, Piece.Words words)
            throws SendFailure, InterruptedException {
        params.putObject("rich_message").put("markdown", RichMarkup.markdown(words));
        try {
            attempt(address, params, request -> api.call("editMessageText", request));
        } catch (SendFailure e) {
            if (e.kind() != Kind.REFUSED) {
                throw e;
            }
            rich.refuse(words, String.valueOf(e.getMessage()));
            throw new SendFailure(Kind.LATER, "sent as text, because " + e.getMessage(), null, e);
        }
    }

    /** One button per line. */
    private ObjectNode withChoices(ObjectNode params, ConversationAddress address, Piece.Words words) {
        if (!words.choices().isEmpty()) {
            var keyboard = params.putObject("reply_markup").putArray("inline_keyboard");
            words.choices()
                    .forEach(choice -> keyboard.addArray()
                            .addObject()
                            .put("text", choice.label())
                            .put("style", style(choice))
                            .put("callback_data", handler.chats().buttons().data(address.chat(), choice)));
        }
        return params;
    }

    /** What gives or refuses leave, or cannot be taken back, is seen as such. */
    private static String style(Choice choice) {
        return switch (choice.action()) {
            case Choice.APPROVAL -> choice.value().startsWith(REJECTS) ? "danger" : "success";
            case FORGET -> "danger";
            default -> "primary";
        };
    }

    /** Sends a text with markup, or without where Telegram rejects it. */
    private JsonNode words(ConversationAddress to, String method, ObjectNode params, Piece.Words words)
            throws SendFailure, InterruptedException {
        params.putObject("link_preview_options").put("is_disabled", true);
        if (words.markup().isEmpty()) {
            return attempt(to, params.put("text", words.plain()), request -> api.call(method, request));
        }
        params.put("text", words.markup()).put("parse_mode", "HTML");
        return attempt(to, params, request -> {
            try {
                return api.call(method, request);
            } catch (BotApiException e) {
                if (!e.says("can't parse entities")) {
                    throw e;
                }
                LOG.atWarn()
                        .addKeyValue("bot", bot.name())
                        .addKeyValue("reason", e.getMessage())
                        .log("markup rejected; sending plain text");
                request.remove("parse_mode");
                return api.call(method, request.put("text", words.plain()));
            }
        });
    }

    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        ObjectNode params = BotApi.params(address).put("action", "typing");
        attempt(address, params, to -> api.call("sendChatAction", to));
    }

    private interface Call {
        JsonNode make(ObjectNode params) throws BotApiException, InterruptedException;
    }

    private JsonNode attempt(ConversationAddress to, ObjectNode params, Call call)
            throws SendFailure, InterruptedException {
        try {
            return call.make(params);
        } catch (BotApiException e) {
            String moved = e.migratedTo();
            if (moved != null) {
                handler.chats().move(to.chat(), moved);
                params.remove("reply_parameters"); // its message ids belong to another chat
                params.put("chat_id", Long.parseLong(moved));
            } else if (isGroup(to) || !e.says("message thread not found") || !params.has(THREAD)) {
                return mapRefusal(e);
            } else {
                params.remove(THREAD); // the person deleted the topic; the chat is still theirs
            }
            try {
                return call.make(params);
            } catch (BotApiException second) {
                return mapRefusal(second);
            }
        }
    }

    /**
     * Maps a refusal.
     *
     * @see <a href="https://core.telegram.org/bots/api#making-requests">error codes</a>
     */
    private JsonNode mapRefusal(BotApiException e) throws SendFailure {
        if (e.says("message is not modified")) {
            return BotApi.params(); // the message already has this text
        }
        if (e.code() == 401) {
            noteRevoked(e);
        }
        throw new SendFailure(kind(e), String.valueOf(e.getMessage()), e.retryAfter(), e);
    }

    private static Kind kind(BotApiException e) {
        return switch (e.code()) {
            case 401 -> Kind.REVOKED;
            case 404 -> e.says("method") ? Kind.REFUSED : Kind.REVOKED;
            case 403 -> Kind.CLOSED;
            case 413 -> Kind.REFUSED;
            case 429 -> Kind.LATER;
            case 400 -> refusal(e);
            default -> e.inDoubt() ? Kind.IN_DOUBT : Kind.LATER;
        };
    }

    private static Kind refusal(BotApiException e) {
        if (e.says("message to edit not found") || e.says("message can't be edited") || e.says("message_id_invalid")) {
            return Kind.GONE;
        }
        boolean closed = e.says("chat not found")
                || e.says("not enough rights")
                || e.says("no rights")
                || e.says("chat_write_forbidden")
                || e.says("chat_restricted")
                || e.says("topic_closed")
                || e.says("topic_deleted")
                || e.says("message thread not found");
        return closed ? Kind.CLOSED : Kind.REFUSED;
    }

    /** Aborts running calls; received events are durable. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        api.close();
    }
}
