package dev.parley.channels.bots;

import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.Place;
import dev.parley.channels.contract.SendFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.database.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that is sent to one chat, one after the other, by one thread.
 *
 * <p>No channel can be asked whether a message was sent. So a reply is never sent: its first words are, and when their
 * message is known it is changed into the reply, as often as it takes. Whatever breaks on the way, at worst some first words
 * stand there that nobody finishes. Only where the other side knows a message by its id, a reply is sent whole.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final Duration TYPING = Duration.ofSeconds(4);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration SILENT = Duration.ofMinutes(35);
    private static final int REMEMBERED = 64;
    /** Where the places of files begin in the ledger, which come after any words. */
    private static final int FIRST_FILE = 1_000;

    private static final Duration OLD = Duration.ofDays(1);
    /** So often a message is sent anew that somebody removes while it is written. */
    private static final int SENT_ANEW = 3;
    /** So often a reply is tried that fails here, for no reason of the channel or the database. */
    private static final int FAULTS = 20;

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
    private final Ledger ledger;
    private final ReplyFiles files;
    private final Pace pace;
    private final BotMeters meters;
    private final Chats chats;
    private final Consumer<Lane> onEnd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Due> due = new ArrayDeque<>();
    private final Map<UUID, LiveTurn> live = new LinkedHashMap<>();
    /** Turns that have their reply: what is heard of them late is of no use. */
    private final Set<UUID> over = Collections.newSetFromMap(new NewestMap<>(REMEMBERED));

    /** Of the thread alone: what was certainly not sent although the ledger does not know it. */
    private final Set<String> unsent = new HashSet<>();

    /** Of the thread alone: whether the reply at hand has a file of which nobody knows whether it was sent. */
    private boolean doubtful;

    private boolean closed;
    private boolean ended;
    private @Nullable Thread thread;

    private record Due(Reply reply, Place place, Runnable settled) {}

    /** @param onEnd is told when it has nothing more to do and takes nothing more */
    Lane(
            Connection connection,
            UUID host,
            Ledger ledger,
            ReplyFiles files,
            Pace pace,
            BotMeters meters,
            Chats chats,
            Consumer<Lane> onEnd) {
        this.connection = connection;
        this.host = host;
        this.ledger = ledger;
        this.files = files;
        this.pace = pace;
        this.meters = meters;
        this.chats = chats;
        this.onEnd = onEnd;
    }

    /** Delivers a reply after those before it. False when the lane has ended: a new one has to be made. */
    boolean deliver(Reply reply, Place place, Runnable settled) {
        return enter(() -> due.add(new Due(reply, place, settled)));
    }

    /** Shows what an agent says while it says it. False when the lane has ended. */
    boolean hear(Place place, TurnDelta delta) {
        return enter(() -> {
            boolean ends = delta.kind() == TurnDelta.Kind.DONE || delta.kind() == TurnDelta.Kind.ERROR;
            LiveTurn turn = ends || over.contains(delta.turnId())
                    ? live.get(delta.turnId())
                    : live.computeIfAbsent(delta.turnId(), id -> new LiveTurn(id, place));
            if (turn != null) {
                turn.hear(delta, System.nanoTime());
            }
        });
    }

    private boolean enter(Runnable change) {
        lock.lock();
        try {
            if (closed || ended) {
                return false;
            }
            change.run();
            changed.signal();
            if (thread == null) {
                thread = Thread.ofVirtual().name("lane").start(this::run);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Stops at once. What was not settled is delivered by whoever has the bot next. */
    void close() {
        lock.lock();
        try {
            closed = true;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            Due next = next();
            while (!ended) {
                if (next != null) {
                    deliver(next);
                } else {
                    show();
                }
                next = next();
            }
        } catch (InterruptedException e) {
            // closed: somebody else goes on
        } finally {
            end();
        }
    }

    /** Whatever ended it, nothing is given to it any more. */
    private void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        onEnd.accept(this);
    }

    /** The next reply, or null when something else is to be done; waits until there is either. */
    private @Nullable Due next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // How much it may write is forgotten with it.
            long idle = Math.max(System.nanoTime(), pace.readyAt()) + IDLE.toNanos();
            while (due.isEmpty()) {
                long now = System.nanoTime();
                live.values().removeIf(turn -> now - turn.heard > SILENT.toNanos());
                long wake = live.values().stream().mapToLong(this::wake).min().orElse(idle);
                if (wake - now <= 0) {
                    ended = live.isEmpty();
                    return null;
                }
                changed.awaitNanos(wake - now);
            }
            return due.poll();
        } finally {
            lock.unlock();
        }
    }

    private long wake(LiveTurn turn) {
        boolean grown = connection.streamsTo(turn.place)
                && !turn.text().isEmpty()
                && !turn.text().equals(turn.shown);
        return grown
                ? Math.min(turn.nextEdit, turn.nextTyping)
                : turn.hasEnded() ? turn.heard + IDLE.toNanos() : turn.nextTyping;
    }

    // ---- what goes on

    private void show() throws InterruptedException {
        for (LiveTurn turn : snapshot()) {
            long now = System.nanoTime();
            if (turn.hasEnded()) {
                continue;
            }
            if (turn.nextTyping - now <= 0) {
                turn.nextTyping = now + TYPING.toNanos();
                work(turn.place);
            }
            String text = text(turn);
            if (connection.streamsTo(turn.place)
                    && !text.isEmpty()
                    && !text.equals(turn.shown)
                    && turn.nextEdit - now <= 0) {
                turn.nextEdit = now + connection.limits(turn.place).edits().toNanos();
                show(turn, text);
            }
        }
    }

    private List<LiveTurn> snapshot() {
        lock.lock();
        try {
            long now = System.nanoTime();
            live.values().removeIf(turn -> turn.hasEnded() && now - turn.heard > IDLE.toNanos());
            return List.copyOf(live.values());
        } finally {
            lock.unlock();
        }
    }

    private String text(LiveTurn turn) {
        lock.lock();
        try {
            return turn.text();
        } finally {
            lock.unlock();
        }
    }

    private void work(Place place) throws InterruptedException {
        try {
            Place at = chats.now(place);
            if (!pace.isParked() && chats.isWritable(at)) {
                connection.working(at);
            }
        } catch (SendFailure e) {
            if (e.retryAfter() != null) {
                rest(e, 0);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("nobody sees that the agent works");
        }
    }

    private void show(LiveTurn turn, String text) throws InterruptedException {
        try {
            if (turn.message == null) {
                turn.message = ledger.slot(host, turn.turn, 0).message();
                if (turn.message == null
                        && (ledger.isOver(host, turn.turn) || !chats.isWritable(chats.now(turn.place)))) {
                    turn.end(); // what is heard of it is late, or nobody sees it
                    return;
                }
            }
            if (!pace.hasRoom(turn.message == null)) {
                return;
            }
            Piece.Words words = connection.draft(text);
            if (turn.message == null) {
                turn.message =
                        open(turn.turn, 0, turn.place, () -> words, new Delivery(turn.turn + "-0", turn.turn, null));
            } else {
                change(turn.place, turn.message, words);
            }
            turn.shown = text;
        } catch (SendFailure e) {
            if (e.kind() == SendFailure.Kind.GONE) {
                forget(turn.turn, 0);
                turn.message = null;
            } else {
                rest(e, 0);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("an answer is not shown while it grows");
        }
    }

    // ---- replies

    private void deliver(Due next) throws InterruptedException {
        Reply reply = next.reply();
        int gone = 0;
        long begun = System.nanoTime(); // clocks jump
        for (int attempt = 0; ; attempt++) {
            try {
                doubtful = false;
                if (!ledger.isSettled(reply)) {
                    send(reply, next.place());
                    ledger.delivered(reply, doubtful ? "a file was perhaps not sent" : null);
                    meters.replies.increment();
                    meters.took(Duration.between(reply.at(), Instant.now()));
                }
                break;
            } catch (SendFailure e) {
                gone += e.kind() == SendFailure.Kind.GONE ? 1 : 0;
                if (givenUp(reply, next.place(), e, gone, begun)) {
                    break;
                }
                rest(e, attempt);
            } catch (RuntimeException | OutOfMemoryError e) {
                var fault = new SendFailure(SendFailure.Kind.REFUSED, "a fault: " + e, null);
                boolean ours = attempt >= FAULTS && !(e instanceof Sql.FailedException);
                if (ours && givenUp(reply, next.place(), fault, gone, begun)) {
                    break;
                }
                LOG.atWarn().addKeyValue("why", String.valueOf(e)).log("a reply waits");
                Thread.sleep(BACKOFF[Math.min(attempt, BACKOFF.length - 1)]);
            }
        }
        lock.lock();
        try {
            if (reply.kind() != Reply.Kind.MESSAGE) {
                live.remove(reply.turnId());
                over.add(reply.turnId());
            }
        } finally {
            lock.unlock();
        }
        next.settled().run();
    }

    private boolean givenUp(Reply reply, Place place, SendFailure e, int gone, long begun) throws InterruptedException {
        boolean tooOld = System.nanoTime() - begun > OLD.toNanos();
        boolean over = e.kind() == SendFailure.Kind.CLOSED || e.kind() == SendFailure.Kind.REFUSED;
        if (!over && !tooOld && gone < SENT_ANEW) {
            return false;
        }
        meters.failed.increment();
        LOG.atWarn()
                .addKeyValue("reply", reply.replyId())
                .addKeyValue("turn", reply.turnId())
                .addKeyValue("why", e.getMessage())
                .log("a reply cannot be delivered");
        try {
            if (e.kind() == SendFailure.Kind.CLOSED && place.topic() == null) {
                chats.writable(chats.now(place), false);
            }
            ledger.failed(reply, String.valueOf(e.getMessage()));
        } catch (Sql.FailedException again) {
            return false; // it is tried once more, and fails as well
        }
        return true;
    }

    private void send(Reply reply, Place place) throws SendFailure, InterruptedException {
        boolean whole = connection.sendsOnce() && !connection.streamsTo(place);
        boolean last = reply.kind() != Reply.Kind.MESSAGE;
        if (!last && !whole) {
            becomes(reply);
        }
        UUID id = last && !whole ? reply.turnId() : reply.replyId();
        String text = reply.kind() == Reply.Kind.CANCELLED && reply.text().isBlank() ? "Stopped." : reply.text();
        List<Piece> pieces = text.isBlank() ? List.of() : choosing(connection.pieces(text), reply.choices());
        for (int i = 0; i < pieces.size(); i++) {
            var delivery = new Delivery(
                    id + "-" + i, reply.turnId(), i == 0 ? reply.to().messageRef() : null);
            if (whole) {
                sendWhole(id, i, place, pieces.get(i), delivery);
            } else {
                send(id, i, place, pieces.get(i), delivery);
            }
        }
        if (!reply.files().isEmpty()) {
            sendFiles(reply, id, place, pieces.isEmpty());
        }
    }

    /** @param alone whether there are no words before them */
    private void sendFiles(Reply reply, UUID id, Place place, boolean alone) throws SendFailure, InterruptedException {
        if (alone) {
            announce(id, place, reply.files());
        }
        for (int i = 0; i < reply.files().size(); i++) {
            String answers = alone && i == 0 ? reply.to().messageRef() : null;
            var delivery = new Delivery(id + "-file-" + i, reply.turnId(), answers);
            sendFile(id, FIRST_FILE + i, place, reply.files().get(i), delivery);
        }
    }

    /** The message that showed the turn would wait for words that do not come. */
    private void announce(UUID id, Place place, List<Block.File> announced) throws SendFailure, InterruptedException {
        String message = ledger.slot(host, id, 0).message();
        if (message == null) {
            return;
        }
        pace.awaitChange();
        try {
            change(place, message, ReplyFiles.announced(announced));
        } catch (SendFailure e) {
            if (e.kind() != SendFailure.Kind.GONE) {
                throw e;
            }
        }
    }

    /** A file cannot be changed, so it is sent once: where that is in doubt, it counts as sent. */
    private void sendFile(UUID id, int index, Place place, Block.File file, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (mayBeSent(id, index)) {
            pace.awaitMessage();
            files.reading().acquire();
            try {
                open(id, index, place, () -> files.piece(file, connection.largestFile()), delivery);
            } catch (SendFailure e) {
                if (e.kind() != SendFailure.Kind.REFUSED) {
                    throw e;
                }
                LOG.atWarn().addKeyValue("why", e.getMessage()).log("a file is refused");
                pace.awaitMessage();
                open(id, index, place, () -> ReplyFiles.refused(file), delivery);
            } finally {
                files.reading().release();
            }
        }
    }

    /** Whether something that cannot be changed is certainly not sent yet, or may be sent twice. */
    private boolean mayBeSent(UUID id, int index) {
        Ledger.Slot slot = ledger.slot(host, id, index);
        if (slot.message() != null) {
            return false;
        }
        boolean sure = !slot.begun() || connection.sendsOnce() || unsent.remove(id + " " + index);
        if (!sure) {
            meters.inDoubt.increment();
            doubtful = true;
        }
        return sure;
    }

    /** What can be chosen stands below the last words. */
    private static List<Piece> choosing(List<Piece> pieces, List<Choice> choices) {
        var all = new ArrayList<>(pieces);
        if (!choices.isEmpty() && all.getLast() instanceof Piece.Words words) {
            all.set(all.size() - 1, words.with(choices));
        }
        return all;
    }

    /** The message that showed the turn comes before what follows it, so it shows this. */
    private void becomes(Reply reply) {
        lock.lock();
        try {
            LiveTurn turn = live.get(reply.turnId());
            if (turn != null) {
                turn.forget();
            }
        } finally {
            lock.unlock();
        }
        ledger.becomes(host, reply.turnId(), reply.replyId());
    }

    /** Sends a message that the other side knows by its id: once more, where it is in doubt. */
    private void sendWhole(UUID id, int index, Place place, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (ledger.slot(host, id, index).message() == null) {
            pace.awaitMessage();
            open(id, index, place, () -> piece, delivery);
        }
    }

    private void send(UUID id, int index, Place place, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        Ledger.Slot slot = ledger.slot(host, id, index);
        switch (piece) {
            case Piece.Words words -> {
                String message = slot.message();
                if (message == null) {
                    pace.awaitMessage();
                    message = open(id, index, place, () -> opening(words), delivery);
                }
                pace.awaitChange();
                try {
                    change(place, message, words);
                } catch (SendFailure e) {
                    if (e.kind() == SendFailure.Kind.GONE) {
                        forget(id, index); // the next attempt sends it anew
                    }
                    throw e;
                }
            }
            case Piece.Document document -> {
                if (mayBeSent(id, index)) {
                    pace.awaitMessage();
                    open(id, index, place, () -> document, delivery);
                }
            }
        }
    }

    /** The first words of a text, which are not all of it. */
    private static Piece.Words opening(Piece.Words words) {
        String plain = words.plain();
        int end = Math.min(80, plain.length() * 2 / 3);
        while (end > 0 && Character.isHighSurrogate(plain.charAt(end - 1))) {
            end--;
        }
        String start = plain.substring(0, end).strip();
        String text = start.length() < 8 ? "…" : start + " …";
        return Piece.Words.plain(text);
    }

    private interface Made {
        Piece piece() throws SendFailure;
    }

    private String open(UUID id, int index, Place place, Made made, Delivery delivery)
            throws SendFailure, InterruptedException {
        String message;
        try {
            Piece piece = made.piece();
            Place at = chats.now(place);
            ledger.begin(host, id, index, place.bot(), place.chat());
            message = connection.send(at, piece, named(delivery, id, index));
        } catch (SendFailure e) {
            if (e.kind() == SendFailure.Kind.IN_DOUBT) {
                meters.inDoubt.increment();
            } else {
                unsent.add(id + " " + index); // the ledger may not hear it
                ledger.notSent(host, id, index);
                unsent.remove(id + " " + index);
            }
            throw e;
        } finally {
            pace.sent();
        }
        meters.sends.increment();
        ledger.sent(host, id, index, message);
        return message;
    }

    /** A message that comes after one which shows something else now is another one, also for who knows them by their ids. */
    private Delivery named(Delivery delivery, UUID id, int index) {
        int moved = index == 0 && connection.sendsOnce() ? ledger.moved(host, id) : 0;
        return moved == 0 ? delivery : new Delivery(delivery.id() + "-" + moved, delivery.turn(), delivery.answers());
    }

    private void change(Place place, String message, Piece.Words words) throws SendFailure, InterruptedException {
        try {
            connection.edit(chats.now(place), message, words);
        } finally {
            pace.changed();
        }
        meters.edits.increment();
    }

    private void forget(UUID id, int index) {
        try {
            ledger.gone(host, id, index);
        } catch (Sql.FailedException e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("a message that is gone is still known");
        }
    }

    /** Waits, or has everybody wait who writes to this chat. */
    private void rest(SendFailure e, int attempt) throws InterruptedException {
        Duration wanted = e.retryAfter();
        if (wanted != null) {
            meters.tooFast.increment();
            pace.park(wanted.plusMillis(200));
        } else if (e.kind() == SendFailure.Kind.REVOKED) {
            TimeUnit.SECONDS.sleep(30);
        } else if (e.kind() != SendFailure.Kind.REFUSED && e.kind() != SendFailure.Kind.CLOSED) {
            Thread.sleep(BACKOFF[Math.min(attempt, BACKOFF.length - 1)]);
        }
    }
}
