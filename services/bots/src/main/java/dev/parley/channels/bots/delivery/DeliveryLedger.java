package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.SentAnswers.SentAnswer;
import dev.parley.domain.protocol.Reply;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ledger of sent messages. A row is written before a message is sent, because no channel can be asked afterwards. */
public record DeliveryLedger(
        Database database, DeliveryRows deliveries, SentMessageRows messages, TaskMessageRows tasks) {
    private static final int BATCH = 10_000;
    /** Index of the preview of a turn, between those of texts and of files. */
    private static final int PREVIEW = 999;

    /**
     * The message of one piece of a reply.
     *
     * @param message the channel's reference, or null where none is known
     * @param begun whether sending was attempted before
     * @param recent whether the first attempt was made within the last two minutes
     */
    record Slot(@Nullable String message, boolean begun, boolean recent) {}

    private <T> T of(UUID host, Supplier<T> work) {
        return database.in(Tenant.of(host), work);
    }

    private void change(UUID host, Runnable change) {
        of(host, () -> {
            change.run();
            return host;
        });
    }

    /** Whether this reply was delivered or abandoned. */
    boolean isComplete(Reply reply) {
        return of(reply.host(), () -> deliveries.has(reply.host(), List.of(reply.replyId())));
    }

    /** Whether the final reply of this turn was delivered or abandoned. */
    boolean isTurnComplete(UUID host, UUID turn) {
        List<UUID> last = List.of(
                Reply.lastOf(turn, Reply.Kind.FINAL),
                Reply.lastOf(turn, Reply.Kind.ERROR),
                Reply.lastOf(turn, Reply.Kind.CANCELLED));
        return of(host, () -> deliveries.has(host, last));
    }

    /**
     * Records a delivery.
     *
     * @param detail reason for uncertainty, or null
     */
    void recordDelivered(Reply reply, @Nullable String detail) {
        complete(reply, "delivered", detail);
    }

    /** Records that the reply was abandoned. */
    void recordFailed(Reply reply, String reason) {
        complete(reply, "failed", reason);
    }

    private void complete(Reply reply, String state, @Nullable String detail) {
        UUID host = reply.host();
        change(
                host,
                () -> deliveries.insert(
                        host, reply.replyId(), reply.to().bot(), reply.to().chat(), state, detail));
    }

    /** The message of one piece of a reply. */
    Slot slot(UUID host, UUID reply, int index) {
        return of(host, () -> messages.find(host, reply, index))
                .map(message -> new Slot(message.message(), true, message.recent()))
                .orElse(new Slot(null, false, false));
    }

    /**
     * Records that a message is about to be sent. If that was recorded before, the message may exist already.
     *
     * @param turn of the reply
     */
    void begin(UUID host, UUID reply, int index, ConversationAddress address, UUID turn) {
        change(host, () -> messages.begin(host, reply, index, address.bot(), address.chat(), address.topic(), turn));
    }

    /** The answer that a message of a bot shows, by the channel's reference of the message; empty for none. */
    public Optional<SentAnswer> answer(UUID host, String bot, String chat, String message) {
        return of(host, () -> messages.findByReference(host, bot, chat, message))
                .map(sent -> new SentAnswer(
                        new ConversationAddress(bot, chat, sent.topic()), Objects.requireNonNull(sent.turnId())));
    }

    /** Records by which reference the channel names the preview of a turn. */
    void recordPreview(UUID host, UUID turn, ConversationAddress address, String preview) {
        change(host, () -> {
            messages.begin(host, turn, PREVIEW, address.bot(), address.chat(), address.topic(), turn);
            messages.sent(host, turn, PREVIEW, preview);
        });
    }

    /** The message was certainly not sent. */
    void recordNotSent(UUID host, UUID reply, int index) {
        change(host, () -> messages.deleteNotSent(host, reply, index));
    }

    /** The message was sent. */
    void recordSent(UUID host, UUID reply, int index, String message) {
        change(host, () -> messages.sent(host, reply, index, message));
    }

    /**
     * Records what the channel reports of a message, later than it was sent.
     *
     * @return false where it says nothing new, or the message is unknown
     */
    public boolean record(UUID host, String bot, DeliveryReport report) {
        return PieceId.parse(report.delivery())
                .filter(piece -> record(host, bot, piece, report))
                .isPresent();
    }

    private boolean record(UUID host, String bot, PieceId piece, DeliveryReport report) {
        String failure = report.failure();
        return of(host, () -> {
            boolean isNews = messages.report(host, piece.reply(), piece.index(), bot, report.message(), failure) > 0;
            if (isNews && failure != null) {
                deliveries.fail(host, piece.reply(), bot, failure);
            }
            return isNews;
        });
    }

    /** The message was deleted: the next one is sent again. */
    void recordDeleted(UUID host, UUID reply, int index) {
        change(host, () -> messages.delete(host, reply, index));
    }

    /** The message reserved for the final reply shows this earlier reply instead. */
    void moveMessage(UUID host, UUID turn, UUID reply) {
        change(host, () -> messages.move(host, turn, reply));
    }

    /** The newest deliveries of a bot; of one chat, or in one state, where these are not null. */
    public List<RecordedDelivery> newest(
            UUID host, String bot, @Nullable String chat, @Nullable String state, int limit) {
        return database.listingIn(Tenant.of(host), () -> deliveries.newest(host, bot, chat, state, limit));
    }

    /** Number of messages reserved for the final reply of a turn that show other replies. */
    int countMoved(UUID host, UUID turn) {
        return of(host, () -> messages.countMoved(host, turn));
    }

    /** Deletes a batch of rows older than this. */
    public int purge(Duration age) {
        return database.in(
                Tenant.ALL,
                () -> deliveries.purge(age.toSeconds(), BATCH)
                        + messages.purge(age.toSeconds(), BATCH)
                        + tasks.purge(age.toSeconds(), BATCH));
    }
}
