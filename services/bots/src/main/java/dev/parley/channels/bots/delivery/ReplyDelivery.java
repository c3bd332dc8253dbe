package dev.parley.channels.bots.delivery;

import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Reply;
import dev.parley.language.text.Clip;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.database.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Delivery of replies into a chat without duplicates. Channels cannot report whether a message was sent, so a reply is
 * never sent at once: its opening words are sent, and once their message is known it is edited into the reply, as often
 * as necessary. After a crash at worst some opening words remain. Where the receiver deduplicates by id, a reply is
 * sent whole. Where messages can neither be repeated nor edited, each is sent whole and once: one in doubt is sent if the
 * channel reports it, and counts as sent otherwise. For one thread.
 */
final class ReplyDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyDelivery.class);

    /** Interval at which the ledger is asked for a report of the channel. */
    private static final Duration POLL = Duration.ofMillis(500);

    private final Connection connection;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyFiles files;
    private final ChatRateLimiter rate;
    private final BotMeters meters;
    private final Chats chats;

    /** Messages that were certainly not sent although the ledger could not record it. */
    private final Set<String> unsent = new HashSet<>();

    /** Messages in doubt that the channel did not report in time. */
    private final Set<String> unreported = new HashSet<>();

    /** What of the current reply may not have been sent; null while all of it is certain. */
    private @Nullable String inDoubt;

    ReplyDelivery(
            Connection connection,
            UUID host,
            DeliveryLedger ledger,
            ReplyFiles files,
            ChatRateLimiter rate,
            BotMeters meters,
            Chats chats) {
        this.connection = connection;
        this.host = host;
        this.ledger = ledger;
        this.files = files;
        this.rate = rate;
        this.meters = meters;
        this.chats = chats;
    }

    /**
     * A message to be sent.
     *
     * @param id the reply, or the turn whose streamed message becomes the reply: the key of the ledger
     * @param index of the message in the reply
     */
    record Outgoing(UUID id, int index, ConversationAddress address, Delivery delivery) {
        private String key() {
            return id + " " + index;
        }

        private boolean isFile() {
            return new PieceId(id, index).isFile();
        }
    }

    private DeliveryLedger.Slot slot(Outgoing message) {
        return ledger.slot(host, message.id(), message.index());
    }

    /** Whether replies to an address are sent whole, not as opening words that are edited. */
    boolean isWhole(ConversationAddress address) {
        return (connection.sendsOnce() || !connection.editsMessages()) && connection.growth(address) != Growth.MESSAGE;
    }

    /**
     * Sends a reply, or the rest of it.
     *
     * @return the reason why the delivery is uncertain; empty if it is certain
     */
    Optional<String> send(Reply reply, ConversationAddress address) throws SendFailure, InterruptedException {
        inDoubt = null;
        boolean isWholeReply = isWhole(address);
        boolean last = reply.kind() != Reply.Kind.MESSAGE;
        UUID id = last && !isWholeReply ? reply.turnId() : reply.replyId();
        List<Piece> pieces = pieces(reply);
        if (LongQuestion.is(reply, pieces)) {
            sendQuestion(new LongQuestion(reply), address);
            return Optional.empty();
        }
        for (int i = 0; i < pieces.size(); i++) {
            String repliesTo = i == 0 ? reply.to().messageRef() : null;
            Outgoing message = outgoing(new PieceId(id, i), address, reply, repliesTo);
            if (isWholeReply) {
                sendWhole(message, pieces.get(i));
            } else {
                send(message, pieces.get(i));
            }
        }
        if (!reply.files().isEmpty()) {
            sendFiles(reply, id, address, pieces.isEmpty());
        }
        return Optional.ofNullable(inDoubt);
    }

    private static Outgoing outgoing(
            PieceId piece, ConversationAddress address, Reply reply, @Nullable String repliesTo) {
        return new Outgoing(
                piece.reply(), piece.index(), address, new Delivery(piece.delivery(), reply.turnId(), repliesTo));
    }

    private void sendQuestion(LongQuestion question, ConversationAddress address)
            throws SendFailure, InterruptedException {
        Reply reply = question.reply();
        UUID id = reply.replyId();
        Outgoing above =
                outgoing(PieceId.file(id, 0), address, reply, reply.to().messageRef());
        boolean isShown = isShown(above, question.file());
        Outgoing message = outgoing(new PieceId(id, 0), address, reply, null);
        if (isWhole(address)) {
            sendWhole(message, question.words(isShown));
        } else {
            sendEditable(message, question.words(isShown));
        }
    }

    /** Sends a file, again where it is in doubt; false where the channel does not take it. */
    private boolean isShown(Outgoing message, Piece.Document file) throws SendFailure, InterruptedException {
        if (slot(message).message() != null) {
            return true;
        }
        if (file.bytes().length > connection.largestFile() || (!connection.editsMessages() && !mayBeSent(message))) {
            return slot(message).message() != null;
        }
        try {
            rate.awaitMessage();
            sendNew(message, () -> file);
            return true;
        } catch (SendFailure e) {
            if (e.kind() != SendFailure.Kind.REFUSED) {
                throw e;
            }
            warning(message).addKeyValue("reason", e.getMessage()).log("file rejected by the channel");
            return false;
        }
    }

    private List<Piece> pieces(Reply reply) {
        String text = reply.kind() == Reply.Kind.CANCELLED && reply.text().isBlank() ? "Stopped." : reply.text();
        List<Piece> pieces = text.isBlank() ? List.of() : connection.pieces(text, reply.choices());
        boolean isAnswer = reply.replyId().equals(Reply.lastOf(reply.turnId(), Reply.Kind.FINAL));
        return isAnswer ? rated(pieces) : pieces;
    }

    /** The last text ends the answer. */
    private static List<Piece> rated(List<Piece> pieces) {
        var rated = new ArrayList<>(pieces);
        for (int i = rated.size() - 1; i >= 0; i--) {
            if (rated.get(i) instanceof Piece.Words words) {
                rated.set(i, words.asRated());
                return rated;
            }
        }
        return pieces;
    }

    /** @param alone whether no text precedes them */
    private void sendFiles(Reply reply, UUID id, ConversationAddress address, boolean alone)
            throws SendFailure, InterruptedException {
        if (alone) {
            announce(id, address, reply.files());
        }
        for (int i = 0; i < reply.files().size(); i++) {
            String repliesTo = alone && i == 0 ? reply.to().messageRef() : null;
            sendFile(
                    outgoing(PieceId.file(id, i), address, reply, repliesTo),
                    reply.files().get(i));
        }
    }

    /** Replaces the streamed text, because no final text follows. */
    private void announce(UUID id, ConversationAddress address, List<Block.File> announced)
            throws SendFailure, InterruptedException {
        String message = ledger.slot(host, id, 0).message();
        if (message == null) {
            return;
        }
        rate.awaitEdit();
        try {
            edit(address, message, ReplyFiles.announcement(announced));
        } catch (SendFailure e) {
            if (e.kind() != SendFailure.Kind.GONE) {
                throw e;
            }
        }
    }

    /** A file cannot be edited, so it is sent once: in doubt it counts as sent, unless its id is remembered. */
    private void sendFile(Outgoing message, Block.File file) throws SendFailure, InterruptedException {
        if (mayBeSent(message)) {
            rate.awaitMessage();
            files.reading().acquire();
            try {
                sendNew(message, () -> files.piece(file, connection.largestFile()));
            } catch (SendFailure e) {
                if (e.kind() != SendFailure.Kind.REFUSED) {
                    throw e;
                }
                warning(message).addKeyValue("reason", e.getMessage()).log("file rejected by the channel");
                rate.awaitMessage();
                sendNew(message, () -> ReplyFiles.refusalNotice(file));
            } finally {
                files.reading().release();
            }
        }
    }

    private static LoggingEventBuilder warning(Outgoing message) {
        return LOG.atWarn()
                .addKeyValue("bot", message.address().bot())
                .addKeyValue("chat", message.address().chat())
                .addKeyValue("turn", message.delivery().turn());
    }

    /** Whether a message that cannot be edited was certainly not sent yet, or may be sent twice. */
    private boolean mayBeSent(Outgoing message) throws InterruptedException {
        DeliveryLedger.Slot slot = slot(message);
        if (slot.message() != null) {
            return false;
        }
        boolean isRemembered = connection.sendsOnce() || connection.remembersDeliveries() && slot.recent();
        if (!slot.begun() || isRemembered || unsent.remove(message.key())) {
            return true;
        }
        if (!isReported(message)) {
            meters.inDoubt.increment();
            inDoubt = message.isFile() ? "a file may not have been sent" : "a message may not have been sent";
        }
        return false;
    }

    /** Waits until the channel has reported a message in doubt, once and no longer than it may take. */
    private boolean isReported(Outgoing message) throws InterruptedException {
        if (unreported.contains(message.key())) {
            return false;
        }
        Deadline deadline = Deadline.in(connection.reportsWithin());
        while (!deadline.passed()) {
            Thread.sleep(deadline.left(POLL));
            if (slot(message).message() != null) {
                return true;
            }
        }
        unreported.add(message.key());
        return false;
    }

    /** Sends a message that is never edited: again where it is in doubt and the receiver deduplicates, else once. */
    private void sendWhole(Outgoing message, Piece piece) throws SendFailure, InterruptedException {
        if (mayBeSent(message)) {
            rate.awaitMessage();
            sendNew(message, () -> piece);
        }
    }

    private void send(Outgoing message, Piece piece) throws SendFailure, InterruptedException {
        switch (piece) {
            case Piece.Words words -> sendEditable(message, words);
            case Piece.Document document -> sendWhole(message, document);
        }
    }

    /** Sends opening words where no message is known, and edits the message into the text. */
    private void sendEditable(Outgoing message, Piece.Words words) throws SendFailure, InterruptedException {
        String sent = slot(message).message();
        if (sent == null) {
            rate.awaitMessage();
            sent = sendNew(message, () -> opening(words));
        }
        rate.awaitEdit();
        try {
            edit(message.address(), sent, words);
        } catch (SendFailure e) {
            if (e.kind() == SendFailure.Kind.GONE) {
                forget(message); // the next attempt sends it again
            }
            throw e;
        }
    }

    /** The opening words of a text, never all of it. */
    private static Piece.Words opening(Piece.Words words) {
        String plain = words.plain();
        String start = Clip.start(plain, Math.min(80, plain.length() * 2 / 3)).strip();
        String text = start.length() < 8 ? "…" : start + " …";
        return Piece.Words.plain(text);
    }

    /** A piece that is created when it may be sent. */
    interface PieceSource {
        Piece piece() throws SendFailure;
    }

    /**
     * Sends a message that may be edited later.
     *
     * @return the channel's reference
     */
    String sendNew(Outgoing message, PieceSource source) throws SendFailure, InterruptedException {
        ConversationAddress address = message.address();
        String sent;
        try {
            Piece piece = source.piece();
            ConversationAddress currentAddress = chats.now(address);
            ledger.begin(
                    host,
                    message.id(),
                    message.index(),
                    address,
                    message.delivery().turn());
            sent = connection.send(currentAddress, piece, nextDelivery(message));
        } catch (SendFailure e) {
            recordFailure(e, message);
            throw e;
        } finally {
            rate.onSendEnded();
        }
        meters.sends.increment();
        ledger.recordSent(host, message.id(), message.index(), sent);
        return sent;
    }

    private void recordFailure(SendFailure e, Outgoing message) {
        if (e.kind() == SendFailure.Kind.IN_DOUBT) {
            meters.inDoubt.increment();
        } else {
            unsent.add(message.key()); // the ledger may fail
            ledger.recordNotSent(host, message.id(), message.index());
            unsent.remove(message.key());
        }
    }

    /** A message after one that became an earlier reply needs another id, also for receivers that deduplicate. */
    private Delivery nextDelivery(Outgoing message) {
        Delivery delivery = message.delivery();
        boolean mayHaveMoved = message.index() == 0 && connection.remembersDeliveries();
        int moved = mayHaveMoved ? ledger.countMoved(host, message.id()) : 0;
        return moved == 0 ? delivery : delivery.withId(delivery.id() + "-" + moved);
    }

    /** Edits a message. */
    void edit(ConversationAddress address, String message, Piece.Words words) throws SendFailure, InterruptedException {
        try {
            connection.edit(chats.now(address), message, words);
        } finally {
            rate.onEditEnded();
        }
        meters.edits.increment();
    }

    /** Shows more of a growing answer. */
    void grow(ConversationAddress address, String message, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        try {
            connection.grow(chats.now(address), message, answer);
        } finally {
            rate.onEditEnded();
        }
        meters.edits.increment();
    }

    /**
     * Shows a frame of the preview of a growing answer.
     *
     * @return the channel's reference of the preview, or null
     */
    @Nullable
    String preview(ConversationAddress address, GrowingAnswer answer) throws SendFailure, InterruptedException {
        String preview;
        try {
            preview = connection.preview(chats.now(address), answer);
        } finally {
            rate.onEditEnded();
        }
        meters.edits.increment();
        return preview;
    }

    /** A message was deleted: the next attempt sends it again. */
    void forget(Outgoing message) {
        try {
            ledger.recordDeleted(host, message.id(), message.index());
        } catch (Sql.FailedException e) {
            warning(message).setCause(e).log("deleted message could not be removed from the ledger");
        }
    }
}
