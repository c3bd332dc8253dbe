package dev.parley.channels.plugin;

import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Connection of a bot that cannot work until an operator acts; replies stay pending. */
record BrokenConnection(String reason) implements Connection {
    static final Limits LIMITS = new Limits(10, 10, 10, Duration.ofSeconds(1), Duration.ofSeconds(1));

    @Override
    public List<Piece> pieces(String text) {
        return List.of(draft(text));
    }

    @Override
    public boolean sendsOnce() {
        return true; // so that the ledger records no opening words as sent
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery) throws SendFailure {
        throw new SendFailure(Kind.REVOKED, reason, null);
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return LIMITS;
    }

    @Override
    public Optional<String> problem() {
        return Optional.of(reason);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
