package dev.parley.channels.bots;

import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Reply;
import dev.parley.platform.database.Sql;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery of replies into a chat without duplicates. Channels cannot report whether a message was sent, so a reply is
 * never sent at once: its opening words are sent, and once their message is known it is edited into the reply, as often
 * as necessary. After a crash at worst some opening words remain. Where the receiver deduplicates by id, a reply is
 * sent whole. For one thread.
 */
final class ReplyDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyDelivery.class);

    /** First ledger index of files, after those of any text. */
    private static final int FIRST_FILE = 1_000;

    private final Connection connection;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyFiles files;
    private final ChatRateLimiter rate;
    private final BotMeters meters;
    private final Chats chats;

    /** Messages that were certainly not sent although the ledger could not record it. */
    private final Set<String> unsent = new HashSet<>();

    /** True while it is unknown whether a file of the current reply was sent. */
    private boolean hasFileInDoubt;

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

    /** Whether replies to an address are sent whole, not as opening words that are edited. */
    boolean isWhole(ConversationAddress address) {
        return connection.sendsOnce() && !connection.streamsTo(address);
    }

    /**
     * Sends a reply, or the rest of it.
     *
     * @return the reason why the delivery is uncertain, or null
     */
    @Nullable
    String send(Reply reply, ConversationAddress address) throws SendFailure, InterruptedException {
        hasFileInDoubt = false;
        boolean isWholeReply = isWhole(address);
        boolean last = reply.kind() != Reply.Kind.MESSAGE;
        UUID id = last && !isWholeReply ? reply.turnId() : reply.replyId();
        List<Piece> pieces = pieces(reply);
        for (int i = 0; i < pieces.size(); i++) {
            String repliesTo = i == 0 ? reply.to().messageRef() : null;
            var delivery = new Delivery(id + "-" + i, reply.turnId(), repliesTo);
            if (isWholeReply) {
                sendWhole(id, i, address, pieces.get(i), delivery);
            } else {
                send(id, i, address, pieces.get(i), delivery);
            }
        }
        if (!reply.files().isEmpty()) {
            sendFiles(reply, id, address, pieces.isEmpty());
        }
        return hasFileInDoubt ? "a file may not have been sent" : null;
    }

    private List<Piece> pieces(Reply reply) {
        String text = reply.kind() == Reply.Kind.CANCELLED && reply.text().isBlank() ? "Stopped." : reply.text();
        return text.isBlank() ? List.of() : withChoices(connection.pieces(text), reply.choices());
    }

    /** @param alone whether no text precedes them */
    private void sendFiles(Reply reply, UUID id, ConversationAddress address, boolean alone)
            throws SendFailure, InterruptedException {
        if (alone) {
            announce(id, address, reply.files());
        }
        for (int i = 0; i < reply.files().size(); i++) {
            String repliesTo = alone && i == 0 ? reply.to().messageRef() : null;
            var delivery = new Delivery(id + "-file-" + i, reply.turnId(), repliesTo);
            sendFile(id, FIRST_FILE + i, address, reply.files().get(i), delivery);
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

    /** A file cannot be edited, so it is sent once: in doubt it counts as sent. */
    private void sendFile(UUID id, int index, ConversationAddress address, Block.File file, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (mayBeSent(id, index)) {
            rate.awaitMessage();
            files.reading().acquire();
            try {
                sendNew(id, index, address, () -> files.piece(file, connection.largestFile()), delivery);
            } catch (SendFailure e) {
                if (e.kind() != SendFailure.Kind.REFUSED) {
                    throw e;
                }
                LOG.atWarn().addKeyValue("reason", e.getMessage()).log("file rejected by the channel");
                rate.awaitMessage();
                sendNew(id, index, address, () -> ReplyFiles.refusalNotice(file), delivery);
            } finally {
                files.reading().release();
            }
        }
    }

    /** Whether a message that cannot be edited was certainly not sent yet, or may be sent twice. */
    private boolean mayBeSent(UUID id, int index) {
        DeliveryLedger.Slot slot = ledger.slot(host, id, index);
        if (slot.message() != null) {
            return false;
        }
        boolean sure = !slot.begun() || connection.sendsOnce() || unsent.remove(id + " " + index);
        if (!sure) {
            meters.inDoubt.increment();
            hasFileInDoubt = true;
        }
        return sure;
    }

    /** Choices are shown below the last text. */
    private static List<Piece> withChoices(List<Piece> pieces, List<Choice> choices) {
        var completed = new ArrayList<>(pieces);
        if (!choices.isEmpty() && completed.getLast() instanceof Piece.Words words) {
            completed.set(completed.size() - 1, words.with(choices));
        }
        return completed;
    }

    /** Sends a message that the receiver deduplicates by id, again where it is in doubt. */
    private void sendWhole(UUID id, int index, ConversationAddress address, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (ledger.slot(host, id, index).message() == null) {
            rate.awaitMessage();
            sendNew(id, index, address, () -> piece, delivery);
        }
    }

    private void send(UUID id, int index, ConversationAddress address, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        switch (piece) {
            case Piece.Words words -> sendEditable(id, index, address, words, delivery);
            case Piece.Document document -> {
                if (mayBeSent(id, index)) {
                    rate.awaitMessage();
                    sendNew(id, index, address, () -> document, delivery);
                }
            }
        }
    }

    /** Sends opening words where no message is known, and edits the message into the text. */
    private void sendEditable(UUID id, int index, ConversationAddress address, Piece.Words words, Delivery delivery)
            throws SendFailure, InterruptedException {
        String message = ledger.slot(host, id, index).message();
        if (message == null) {
            rate.awaitMessage();
            message = sendNew(id, index, address, () -> opening(words), delivery);
        }
        rate.awaitEdit();
        try {
            edit(address, message, words);
        } catch (SendFailure e) {
            if (e.kind() == SendFailure.Kind.GONE) {
                forget(id, index); // the next attempt sends it again
            }
            throw e;
        }
    }

    /** The opening words of a text, never all of it. */
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

    /** A piece that is created when it may be sent. */
    interface PieceSource {
        Piece piece() throws SendFailure;
    }

    /**
     * Sends a message that may be edited later.
     *
     * @return the channel's reference
     */
    String sendNew(UUID id, int index, ConversationAddress address, PieceSource source, Delivery delivery)
            throws SendFailure, InterruptedException {
        String message;
        try {
            Piece piece = source.piece();
            ConversationAddress currentAddress = chats.now(address);
            ledger.begin(host, id, index, address.bot(), address.chat());
            message = connection.send(currentAddress, piece, nextDelivery(delivery, id, index));
        } catch (SendFailure e) {
            recordFailure(e, id, index);
            throw e;
        } finally {
            rate.onSendEnded();
        }
        meters.sends.increment();
        ledger.recordSent(host, id, index, message);
        return message;
    }

    private void recordFailure(SendFailure e, UUID id, int index) {
        if (e.kind() == SendFailure.Kind.IN_DOUBT) {
            meters.inDoubt.increment();
        } else {
            unsent.add(id + " " + index); // the ledger may fail
            ledger.recordNotSent(host, id, index);
            unsent.remove(id + " " + index);
        }
    }

    /** A message after one that became an earlier reply needs another id, also for receivers that deduplicate. */
    private Delivery nextDelivery(Delivery delivery, UUID id, int index) {
        int moved = index == 0 && connection.remembersDeliveries() ? ledger.countMoved(host, id) : 0;
        return moved == 0 ? delivery : new Delivery(delivery.id() + "-" + moved, delivery.turn(), delivery.answers());
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

    /** A message was deleted: the next attempt sends it again. */
    void forget(UUID id, int index) {
        try {
            ledger.recordDeleted(host, id, index);
        } catch (Sql.FailedException e) {
            LOG.atWarn()
                    .addKeyValue("reason", e.getMessage())
                    .log("deleted message could not be removed from the ledger");
        }
    }
}
