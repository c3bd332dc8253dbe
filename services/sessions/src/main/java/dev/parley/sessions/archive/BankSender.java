package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.MemoryCommand.Adopt;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.machine.BankMove;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.serde.RecordSerde;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

    private final ImportCommands commands;
    private final BankMove relocation;
    private final RecordSerde<MemoryEvent> serde = RecordSerde.of(MemoryEvent.class);
    private final CommandsInFlight inFlight = new CommandsInFlight();
    private final Map<RecordKey, BankRef> banks = new HashMap<>();
    private final Map<BankRef, String> refused = new HashMap<>();

    private @Nullable BankRef bank;
    private List<MemoryEvent> events = new ArrayList<>();
    private int bytes;
    private int piece;

    /** @param agents finds an agent of the target project by its name */
    BankSender(ImportCommands commands, Function<String, Optional<Agent>> agents) {
        this.commands = commands;
        this.relocation = new BankMove(commands.target(), agents);
    }

    /** Adds the next event, as archived. */
    void add(MemoryEvent archived) throws IOException {
        BankRef to = relocation.bank(archived.meta().bank()).orElse(null);
        if (!Objects.equals(to, bank)) {
            endBank();
            bank = to;
        }
        if (to == null) {
            refused.put(archived.meta().bank(), "the project has no such agent");
            return;
        }
        MemoryEvent event = relocation.event(archived, to);
        int size = serde.serializer().serialize("an import", event).length;
        if (!events.isEmpty() && bytes + size > PIECE_BYTES) {
            send(to, false);
        }
        events.add(event);
        bytes += size;
    }

    private void endBank() throws IOException {
        BankRef to = bank;
        if (to != null) {
            send(to, true);
        }
        piece = 0;
    }

    private void send(BankRef to, boolean last) throws IOException {
        long upTo = events.getLast().meta().seq();
        banks.put(to.key(), to);
        var command = new Adopt(commands.meta(to.key(), piece++), to, events, upTo, last);
        inFlight.add(commands.gateway().send(command));
        events = new ArrayList<>();
        bytes = 0;
        while (inFlight.size() > MAX_IN_FLIGHT) {
            awaitFirst();
        }
    }

    private void awaitFirst() throws IOException {
        if (inFlight.next() instanceof Outcome.Refused refusal) {
            refused.putIfAbsent(Objects.requireNonNull(banks.get(refusal.key())), refusal.message());
        }
    }

    /**
     * Sends the rest and waits for all outcomes.
     *
     * @return the refused banks, each with the reason
     */
    List<String> end() throws IOException {
        endBank();
        while (inFlight.size() > 0) {
            awaitFirst();
        }
        return refused.entrySet().stream()
                .map(bank -> "memory of %s: %s".formatted(owner(bank.getKey()), bank.getValue()))
                .sorted()
                .toList();
    }

    private static String owner(BankRef bank) {
        String agent = bank.agent() == null ? "" : " the agent '" + bank.agent() + "'";
        return switch (bank.scope()) {
            case HOST -> "the host";
            case AGENT -> agent.strip();
            case USER -> "the person " + bank.user();
            case USER_AGENT -> "the person " + bank.user() + " with" + agent;
        };
    }
}
