package dev.parley.sessions.archive;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankMove;
import dev.parley.domain.memory.MemoryCommand.Adopt;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.serde.RecordSerde;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the memory events of an archive to their banks, as commands in pieces. It receives events in order, bank by
 * bank.
 */
final class BankSender {
    /** A piece of at least this many bytes is sent. */
    private static final int PIECE_BYTES = 512 << 10;

    private static final int MAX_IN_FLIGHT = 16;

    private final CommandGateway gateway;
    private final ImportTarget place;
    private final BankMove moving;
    private final UUID importId;
    private final String user;
    private final RecordSerde<MemoryEvent> serde = RecordSerde.of(MemoryEvent.class);
    private final Tickets tickets = new Tickets();
    private final Map<RecordKey, BankRef> banks = new HashMap<>();
    private final Map<BankRef, String> refused = new HashMap<>();

    private @Nullable BankRef bank;
    private List<MemoryEvent> events = new ArrayList<>();
    private int weight;
    private int piece;

    /**
     * @param agents those that the project has
     * @param user who imports
     */
    BankSender(
            CommandGateway gateway,
            ImportTarget place,
            Function<String, Optional<Agent>> agents,
            UUID importId,
            String user) {
        this.gateway = gateway;
        this.place = place;
        this.moving = new BankMove(place, agents);
        this.importId = importId;
        this.user = user;
    }

    /** The next event, as archived. */
    void take(MemoryEvent old) throws IOException {
        BankRef to = moving.bank(old.meta().bank()).orElse(null);
        if (!Objects.equals(to, bank)) {
            endBank();
            bank = to;
        }
        if (to == null) {
            refused.put(old.meta().bank(), "the project has no such agent");
            return;
        }
        MemoryEvent event = moving.event(old, to);
        int more = serde.serializer().serialize("an import", event).length;
        if (!events.isEmpty() && weight + more > PIECE_BYTES) {
            send(to, false);
        }
        events.add(event);
        weight += more;
    }

    private void endBank() throws IOException {
        BankRef to = bank;
        if (to != null) {
            send(to, true);
        }
        piece = 0;
    }

    private void send(BankRef to, boolean last) throws IOException {
        UUID id = Ids.of("import", importId, to.key(), piece++);
        var meta = new CommandMeta(id, place.host(), Instant.now(), user, gateway.outcomePartition(), null);
        long upTo = events.getLast().meta().seq();
        banks.put(to.key(), to);
        tickets.add(gateway.send(new Adopt(meta, to, events, upTo, last)));
        events = new ArrayList<>();
        weight = 0;
        while (tickets.size() > MAX_IN_FLIGHT) {
            awaitFirst();
        }
    }

    private void awaitFirst() throws IOException {
        if (tickets.next() instanceof Outcome.Refused no) {
            refused.putIfAbsent(Objects.requireNonNull(banks.get(no.key())), no.message());
        }
    }

    /**
     * Sends the rest and waits for all outcomes.
     *
     * @return the banks that were refused, and why, in words
     */
    List<String> end() throws IOException {
        endBank();
        while (tickets.size() > 0) {
            awaitFirst();
        }
        return refused.entrySet().stream()
                .map(no -> "memory of %s: %s".formatted(whose(no.getKey()), no.getValue()))
                .sorted()
                .toList();
    }

    private static String whose(BankRef bank) {
        String agent = bank.agent() == null ? "" : " the agent '" + bank.agent() + "'";
        return switch (bank.scope()) {
            case HOST -> "the host";
            case AGENT -> agent.strip();
            case USER -> "the person " + bank.user();
            case USER_AGENT -> "the person " + bank.user() + " with" + agent;
        };
    }
}
