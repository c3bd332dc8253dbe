package dev.parley.channels.bots;

import dev.parley.domain.protocol.Reply;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What was sent. A row is written before a message is sent, for nobody can ask a channel afterwards whether it was. */
record DeliveryLedger(Database database, DeliveryRows deliveries, SentMessageRows messages, TaskMessageRows tasks) {
    private static final int OLD = 10_000;

    /**
     * What is known of a message.
     *
     * @param message the channel's reference, or null where none is known
     * @param begun whether it was to be sent before
     */
    record Slot(@Nullable String message, boolean begun) {}

    private <T> T of(UUID host, Supplier<T> work) {
        return database.in(Tenant.of(host), work);
    }

    private void change(UUID host, Runnable change) {
        of(host, () -> {
            change.run();
            return host;
        });
    }

    /** Whether this reply needs nothing more. */
    boolean isSettled(Reply reply) {
        return of(reply.host(), () -> deliveries.has(reply.host(), List.of(reply.replyId())));
    }

    /** Whether the last word of this turn was delivered, or never will be. */
    boolean isOver(UUID host, UUID turn) {
        List<UUID> last = List.of(
                Reply.lastOf(turn, Reply.Kind.FINAL),
                Reply.lastOf(turn, Reply.Kind.ERROR),
                Reply.lastOf(turn, Reply.Kind.CANCELLED));
        return of(host, () -> deliveries.has(host, last));
    }

    /** The reply was delivered and needs nothing more; {@code detail} says what is to be known about that, or null. */
    void delivered(Reply reply, @Nullable String detail) {
        settle(reply, "delivered", detail);
    }

    /** The reply will never be delivered, and this is why. */
    void failed(Reply reply, String why) {
        settle(reply, "failed", why);
    }

    private void settle(Reply reply, String state, @Nullable String detail) {
        UUID host = reply.host();
        change(
                host,
                () -> deliveries.insert(
                        host, reply.replyId(), reply.to().bot(), reply.to().chat(), state, detail));
    }

    /** The message that shows a piece of a reply. */
    Slot slot(UUID host, UUID reply, int index) {
        return of(host, () -> messages.find(host, reply, index))
                .map(message -> new Slot(message.message(), true))
                .orElse(new Slot(null, false));
    }

    /** A message is about to be sent. Where that was so before, it is in doubt whether there is one already. */
    void begin(UUID host, UUID reply, int index, String bot, String chat) {
        change(host, () -> messages.begin(host, reply, index, bot, chat));
    }

    /** It was not sent, for certain. */
    void notSent(UUID host, UUID reply, int index) {
        change(host, () -> messages.deleteNotSent(host, reply, index));
    }

    /** It was sent. */
    void sent(UUID host, UUID reply, int index, String message) {
        change(host, () -> messages.sent(host, reply, index, message));
    }

    /** The message is not there any more: the next one is sent anew. */
    void gone(UUID host, UUID reply, int index) {
        change(host, () -> messages.delete(host, reply, index));
    }

    /** A message that was going to show the end of a turn shows this reply instead, which came before. */
    void becomes(UUID host, UUID turn, UUID reply) {
        change(host, () -> messages.move(host, turn, reply));
    }

    /** The newest deliveries of a bot; of one chat, or in one state, where they are not null. */
    List<Delivery> newest(UUID host, String bot, @Nullable String chat, @Nullable String state, int most) {
        return of(host, () -> deliveries.newest(host, bot, chat, state, most));
    }

    /** How many messages that were going to show the end of a turn show something else. */
    int moved(UUID host, UUID turn) {
        return of(host, () -> messages.countMoved(host, turn));
    }

    /** Removes what is older than this, so many at a time. */
    int purge(Duration age) {
        return database.in(
                Tenant.ALL,
                () -> deliveries.purge(age.toSeconds(), OLD)
                        + messages.purge(age.toSeconds(), OLD)
                        + tasks.purge(age.toSeconds(), OLD));
    }
}
