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
 * How a reply gets into a chat. No channel can be asked whether a message was sent. So a reply is never sent: its first words are, and when
 * their message is known it is changed into the reply, as often as it takes. Whatever breaks on the way, at worst some first words stand there that
 * nobody finishes. Only where the other side knows a message by its id, a reply is sent whole. For one thread.
 */
final class ReplyDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyDelivery.class);

    /** Where the places of files begin in the ledger, which come after any words. */
    private static final int FIRST_FILE = 1_000;

    private final Connection connection;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyFiles files;
    private final Pace pace;
    private final BotMeters meters;
    private final Chats chats;

    /** What was certainly not sent although the ledger does not know it. */
    private final Set<String> unsent = new HashSet<>();

    /** Whether the reply at hand has a file of which nobody knows whether it was sent. */
    private boolean doubtful;

    ReplyDelivery(
            Connection connection,
            UUID host,
            DeliveryLedger ledger,
            ReplyFiles files,
            Pace pace,
            BotMeters meters,
            Chats chats) {
        this.connection = connection;
        this.host = host;
        this.ledger = ledger;
        this.files = files;
        this.pace = pace;
        this.meters = meters;
        this.chats = chats;
    }

    /** Whether a reply to a place is sent whole, and not as first words that are changed. */
    boolean isWhole(ConversationAddress address) {
        return connection.sendsOnce() && !connection.streamsTo(address);
    }

    /**
     * Sends a reply, or what of it is not there yet.
     *
     * @return why it is not certain that all of it is there, or null
     */
    @Nullable
    String send(Reply reply, ConversationAddress address) throws SendFailure, InterruptedException {
        doubtful = false;
        boolean whole = isWhole(address);
        boolean last = reply.kind() != Reply.Kind.MESSAGE;
        UUID id = last && !whole ? reply.turnId() : reply.replyId();
        String text = reply.kind() == Reply.Kind.CANCELLED && reply.text().isBlank() ? "Stopped." : reply.text();
        List<Piece> pieces = text.isBlank() ? List.of() : choosing(connection.pieces(text), reply.choices());
        for (int i = 0; i < pieces.size(); i++) {
            var delivery = new Delivery(
                    id + "-" + i, reply.turnId(), i == 0 ? reply.to().messageRef() : null);
            if (whole) {
                sendWhole(id, i, address, pieces.get(i), delivery);
            } else {
                send(id, i, address, pieces.get(i), delivery);
            }
        }
        if (!reply.files().isEmpty()) {
            sendFiles(reply, id, address, pieces.isEmpty());
        }
        return doubtful ? "a file was perhaps not sent" : null;
    }

    /** @param alone whether there are no words before them */
    private void sendFiles(Reply reply, UUID id, ConversationAddress address, boolean alone)
            throws SendFailure, InterruptedException {
        if (alone) {
            announce(id, address, reply.files());
        }
        for (int i = 0; i < reply.files().size(); i++) {
            String answers = alone && i == 0 ? reply.to().messageRef() : null;
            var delivery = new Delivery(id + "-file-" + i, reply.turnId(), answers);
            sendFile(id, FIRST_FILE + i, address, reply.files().get(i), delivery);
        }
    }

    /** The message that showed the turn would wait for words that do not come. */
    private void announce(UUID id, ConversationAddress address, List<Block.File> announced)
            throws SendFailure, InterruptedException {
        String message = ledger.slot(host, id, 0).message();
        if (message == null) {
            return;
        }
        pace.awaitChange();
        try {
            change(address, message, ReplyFiles.announced(announced));
        } catch (SendFailure e) {
            if (e.kind() != SendFailure.Kind.GONE) {
                throw e;
            }
        }
    }

    /** A file cannot be changed, so it is sent once: where that is in doubt, it counts as sent. */
    private void sendFile(UUID id, int index, ConversationAddress address, Block.File file, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (mayBeSent(id, index)) {
            pace.awaitMessage();
            files.reading().acquire();
            try {
                open(id, index, address, () -> files.piece(file, connection.largestFile()), delivery);
            } catch (SendFailure e) {
                if (e.kind() != SendFailure.Kind.REFUSED) {
                    throw e;
                }
                LOG.atWarn().addKeyValue("why", e.getMessage()).log("a file is refused");
                pace.awaitMessage();
                open(id, index, address, () -> ReplyFiles.refused(file), delivery);
            } finally {
                files.reading().release();
            }
        }
    }

    /** Whether something that cannot be changed is certainly not sent yet, or may be sent twice. */
    private boolean mayBeSent(UUID id, int index) {
        DeliveryLedger.Slot slot = ledger.slot(host, id, index);
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

    /** Sends a message that the other side knows by its id: once more, where it is in doubt. */
    private void sendWhole(UUID id, int index, ConversationAddress address, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        if (ledger.slot(host, id, index).message() == null) {
            pace.awaitMessage();
            open(id, index, address, () -> piece, delivery);
        }
    }

    private void send(UUID id, int index, ConversationAddress address, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        DeliveryLedger.Slot slot = ledger.slot(host, id, index);
        switch (piece) {
            case Piece.Words words -> {
                String message = slot.message();
                if (message == null) {
                    pace.awaitMessage();
                    message = open(id, index, address, () -> opening(words), delivery);
                }
                pace.awaitChange();
                try {
                    change(address, message, words);
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
                    open(id, index, address, () -> document, delivery);
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

    /** What is sent, made when it may be. */
    interface Made {
        Piece piece() throws SendFailure;
    }

    /** Sends a message that may be changed later. @return how the channel names it */
    String open(UUID id, int index, ConversationAddress address, Made made, Delivery delivery)
            throws SendFailure, InterruptedException {
        String message;
        try {
            Piece piece = made.piece();
            ConversationAddress at = chats.now(address);
            ledger.begin(host, id, index, address.bot(), address.chat());
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
        int moved = index == 0 && connection.remembersDeliveries() ? ledger.moved(host, id) : 0;
        return moved == 0 ? delivery : new Delivery(delivery.id() + "-" + moved, delivery.turn(), delivery.answers());
    }

    /** Changes a message. */
    void change(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        try {
            connection.edit(chats.now(address), message, words);
        } finally {
            pace.changed();
        }
        meters.edits.increment();
    }

    /** A message is gone: whoever wants it sends it anew. */
    void forget(UUID id, int index) {
        try {
            ledger.gone(host, id, index);
        } catch (Sql.FailedException e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("deleted message could not be removed from the ledger");
        }
    }
}
