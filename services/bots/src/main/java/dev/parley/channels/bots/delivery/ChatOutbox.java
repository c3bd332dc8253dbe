package dev.parley.channels.bots.delivery;

import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.deltas.DeltaListener;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.database.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers everything for one chat in order, on one thread: the streamed text of running turns, and replies, which are
 * retried until they are delivered or abandoned after one day.
 */
final class ChatOutbox {
    private static final Logger LOG = LoggerFactory.getLogger(ChatOutbox.class);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MAX_SILENCE = Duration.ofMinutes(35);
    private static final int MAX_FINISHED = 64;
    private static final Duration MAX_AGE = Duration.ofDays(1);
    /** Maximum number of times that a message is sent again after it was deleted during the streaming. */
    private static final int MAX_DELETED = 3;
    /** Maximum number of attempts that fail because of Parley itself, not of the channel or the database. */
    private static final int MAX_FAULTS = 20;

    private static final Duration[] BACKOFF = {
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final Connection connection;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyDelivery delivery;
    private final ChatRateLimiter rate;
    private final BotMeters meters;
    private final Chats chats;
    private final Consumer<ChatOutbox> onEnd;
    private final Deque<QueuedReply> queue = new ArrayDeque<>();
    private final Map<UUID, LiveTurn> live = new LinkedHashMap<>();
    /** Turns whose final reply was delivered: late deltas of them are ignored. */
    private final Set<UUID> finished = Collections.newSetFromMap(new BoundedMap<>(MAX_FINISHED));

    private boolean closed;
    private boolean ended;
    private @Nullable Thread thread;

    private record QueuedReply(Reply reply, ConversationAddress address, Runnable onComplete) {}

    /** @param onEnd called when the outbox has ended and accepts no more replies */
    ChatOutbox(
            Connection connection,
            UUID host,
            DeliveryLedger ledger,
            ReplyFiles files,
            ChatRateLimiter rate,
            BotMeters meters,
            Chats chats,
            Consumer<ChatOutbox> onEnd) {
        this.connection = connection;
        this.host = host;
        this.ledger = ledger;
        this.delivery = new ReplyDelivery(connection, host, ledger, files, rate, meters, chats);
        this.rate = rate;
        this.meters = meters;
        this.chats = chats;
        this.onEnd = onEnd;
    }

    /** Delivers a reply after those before it. False when this outbox has ended and must be replaced. */
    boolean deliver(Reply reply, ConversationAddress address, Runnable onComplete) {
        return enqueue(() -> queue.add(new QueuedReply(reply, address, onComplete)));
    }

    /** Streams a delta of a running turn. False when this outbox has ended. */
    boolean onDelta(ConversationAddress address, TurnDelta delta) {
        return enqueue(() -> {
            long now = System.nanoTime();
            LiveTurn turn = DeltaListener.isLast(delta) || finished.contains(delta.turnId())
                    ? live.get(delta.turnId())
                    : live.computeIfAbsent(delta.turnId(), id -> new LiveTurn(id, address, now));
            if (turn != null) {
                turn.onDelta(delta, now);
            }
        });
    }

    private synchronized boolean enqueue(Runnable change) {
        if (closed || ended) {
            return false;
        }
        change.run();
        notifyAll();
        if (thread == null) {
            thread = Thread.ofVirtual().name("chat-outbox").start(this::run);
        }
        return true;
    }

    /** Stops at once. Pending replies are delivered by the next owner of the bot. */
    synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void run() {
        try {
            QueuedReply next = next();
            while (!ended) {
                if (next != null) {
                    deliver(next);
                } else {
                    stream();
                }
                next = next();
            }
        } catch (InterruptedException e) {
            // closed: the next owner of the bot resumes
        } finally {
            end();
        }
    }

    /** Ends the outbox, also after an exception: it accepts no more replies. */
    private void end() {
        synchronized (this) {
            ended = true;
        }
        onEnd.accept(this);
    }

    /** The next reply; null when a running turn is due, or the outbox ends. Waits for either. */
    private synchronized @Nullable QueuedReply next() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        // The rate limit is lost with the outbox, so the outbox stays until the back-off has ended.
        long idle = Math.max(System.nanoTime(), rate.readyAt()) + IDLE_TIMEOUT.toNanos();
        while (queue.isEmpty()) {
            long now = System.nanoTime();
            live.values().removeIf(turn -> now - turn.lastDelta > MAX_SILENCE.toNanos());
            long wake = live.values().stream().mapToLong(this::wake).min().orElse(idle);
            if (wake - now <= 0) {
                ended = live.isEmpty();
                return null;
            }
            TimeUnit.NANOSECONDS.timedWait(this, wake - now);
        }
        return queue.poll();
    }

    private long wake(LiveTurn turn) {
        return turn.hasEnded() ? turn.lastDelta + IDLE_TIMEOUT.toNanos() : turn.next(connection.growth(turn.address));
    }

    private void stream() throws InterruptedException {
        for (LiveTurn turn : snapshot()) {
            if (turn.hasEnded()) {
                continue;
            }
            Growth growth = connection.growth(turn.address);
            if (turn.takeTyping(growth, System.nanoTime())) {
                sendTyping(turn.address);
            }
            GrowingAnswer frame = takeFrame(turn, growth);
            if (frame != null) {
                show(turn, frame, growth);
            }
        }
    }

    private synchronized @Nullable GrowingAnswer takeFrame(LiveTurn turn, Growth growth) {
        Duration interval = connection.limits(turn.address).edits();
        return turn.takeFrame(growth, interval, System.nanoTime()) ? turn.answer() : null;
    }

    private synchronized List<LiveTurn> snapshot() {
        long now = System.nanoTime();
        live.values().removeIf(turn -> turn.hasEnded() && now - turn.lastDelta > IDLE_TIMEOUT.toNanos());
        return List.copyOf(live.values());
    }

    private void sendTyping(ConversationAddress address) throws InterruptedException {
        try {
            ConversationAddress currentAddress = chats.now(address);
            if (!rate.isBackingOff() && chats.isWritable(currentAddress)) {
                connection.working(currentAddress);
            }
        } catch (SendFailure e) {
            if (e.retryAfter() != null) {
                backOff(e, 0);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("typing indicator could not be sent");
        }
    }

    private void show(LiveTurn turn, GrowingAnswer frame, Growth growth) throws InterruptedException {
        try {
            boolean preview = growth == Growth.PREVIEW;
            boolean sends = !preview && turn.message == null;
            if ((preview ? !turn.awaitsReply : sends) && !awaitsReply(turn)) {
                turn.end();
            } else if (rate.tryAcquire(sends)) {
                if (preview) {
                    preview(turn, frame);
                } else {
                    grow(turn, frame);
                }
                turn.onShown(frame, System.nanoTime());
            }
        } catch (SendFailure e) {
            if (e.kind() == SendFailure.Kind.GONE && turn.message != null) {
                delivery.forget(turn.outgoing());
                turn.message = null;
            } else {
                backOff(e, 0);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("growing answer could not be shown");
        }
    }

    /**
     * Looks up the message of a turn; returns false if the reply was delivered without one, or the chat is not
     * writable.
     */
    private boolean awaitsReply(LiveTurn turn) {
        turn.message = ledger.slot(host, turn.turn, 0).message();
        turn.awaitsReply = turn.message != null
                || (!ledger.isTurnComplete(host, turn.turn) && chats.isWritable(chats.now(turn.address)));
        return turn.awaitsReply;
    }

    /** A stop may come to any instance, so the ledger knows the preview. */
    private void preview(LiveTurn turn, GrowingAnswer frame) throws SendFailure, InterruptedException {
        String preview = delivery.preview(turn.address, frame);
        if (preview != null && !preview.equals(turn.preview)) {
            ledger.recordPreview(host, turn.turn, turn.address, preview);
            turn.preview = preview;
        }
    }

    private void grow(LiveTurn turn, GrowingAnswer frame) throws SendFailure, InterruptedException {
        if (turn.message == null) {
            Piece.Words words = connection.opening(frame);
            turn.message = delivery.sendNew(turn.outgoing(), () -> words);
        } else {
            delivery.grow(turn.address, turn.message, frame);
        }
    }

    private void deliver(QueuedReply next) throws InterruptedException {
        var attempts = new Attempts();
        while (!tryDeliver(next, attempts)) {
            attempts.count++;
        }
        boolean last = next.reply().kind() != Reply.Kind.MESSAGE;
        if (last) {
            end(next.reply().turnId());
        }
        next.onComplete().run();
        if (last) {
            clear(next);
        }
    }

    /** The channel clears what it shows of a turn that has ended. */
    private void clear(QueuedReply ended) throws InterruptedException {
        try {
            connection.ended(chats.now(ended.address()), ended.reply().turnId());
        } catch (SendFailure e) {
            if (e.retryAfter() != null) {
                backOff(e, 0);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("growing answer could not be cleared");
        }
    }

    private synchronized void end(UUID turn) {
        live.remove(turn);
        finished.add(turn);
    }

    /** Attempts to deliver one reply. */
    private static final class Attempts {
        private final long startedNanos = System.nanoTime(); // not affected by changes of the system clock
        private int count;
        /** Number of times that the message was deleted in the meantime. */
        private int deleted;

        /** Whether the reply is abandoned after this failure. */
        private boolean isLast(SendFailure e) {
            boolean tooOld = System.nanoTime() - startedNanos > MAX_AGE.toNanos();
            boolean refused = e.kind() == SendFailure.Kind.CLOSED || e.kind() == SendFailure.Kind.REFUSED;
            return refused || tooOld || deleted >= MAX_DELETED;
        }
    }

    /** One more attempt; returns whether the reply was delivered or abandoned. */
    private boolean tryDeliver(QueuedReply next, Attempts attempts) throws InterruptedException {
        try {
            if (!ledger.isComplete(next.reply())) {
                send(next.reply(), next.address());
            }
            return true;
        } catch (SendFailure e) {
            attempts.deleted += e.kind() == SendFailure.Kind.GONE ? 1 : 0;
            if (attempts.isLast(e) && abandon(next, e)) {
                return true;
            }
            backOff(e, attempts.count);
        } catch (RuntimeException | OutOfMemoryError e) {
            boolean ours = attempts.count >= MAX_FAULTS && !(e instanceof Sql.FailedException);
            if (ours && abandon(next, new SendFailure(SendFailure.Kind.REFUSED, "a fault: " + e, null))) {
                return true;
            }
            LOG.atWarn().addKeyValue("reason", String.valueOf(e)).log("reply failed; retrying");
            sleep(attempts.count);
        }
        return false;
    }

    private void send(Reply reply, ConversationAddress address) throws SendFailure, InterruptedException {
        if (reply.kind() == Reply.Kind.MESSAGE && !delivery.isWhole(address)) {
            reuseStreamedMessage(reply);
        }
        ledger.recordDelivered(reply, delivery.send(reply, address).orElse(null));
        meters.replies.increment();
        meters.took(Duration.between(reply.at(), Instant.now()));
    }

    /** Records that a reply is abandoned; false where the ledger fails, as then the next attempt fails as well. */
    private boolean abandon(QueuedReply next, SendFailure e) {
        Reply reply = next.reply();
        meters.failed.increment();
        LOG.atWarn()
                .addKeyValue("reply", reply.replyId())
                .addKeyValue("turn", reply.turnId())
                .addKeyValue("reason", e.getMessage())
                .log("reply abandoned");
        try {
            if (e.kind() == SendFailure.Kind.CLOSED && next.address().topic() == null) {
                chats.setWritable(chats.now(next.address()), false);
            }
            ledger.recordFailed(reply, String.valueOf(e.getMessage()));
            return true;
        } catch (Sql.FailedException failure) {
            return false;
        }
    }

    /** The message that streamed the turn becomes this reply, which precedes the final one. */
    private void reuseStreamedMessage(Reply reply) {
        synchronized (this) {
            LiveTurn turn = live.get(reply.turnId());
            if (turn != null) {
                turn.forget();
            }
        }
        ledger.moveMessage(host, reply.turnId(), reply.replyId());
    }

    /** Waits; the whole chat backs off as long as the platform asks. */
    private void backOff(SendFailure e, int attempt) throws InterruptedException {
        Duration retryAfter = e.retryAfter();
        if (retryAfter != null) {
            meters.tooFast.increment();
            rate.backOff(retryAfter.plusMillis(200));
        } else if (e.kind() == SendFailure.Kind.REVOKED) {
            TimeUnit.SECONDS.sleep(30);
        } else if (e.kind() != SendFailure.Kind.REFUSED && e.kind() != SendFailure.Kind.CLOSED) {
            sleep(attempt);
        }
    }

    private static void sleep(int attempt) throws InterruptedException {
        Thread.sleep(BACKOFF[Math.min(attempt, BACKOFF.length - 1)]);
    }
}
