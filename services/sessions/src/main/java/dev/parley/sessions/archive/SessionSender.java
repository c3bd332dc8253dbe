package dev.parley.sessions.archive;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.turn.Relocation;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.serde.RecordSerde;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sends the events of archived sessions to the imported project, as commands in pieces. It receives events in order,
 * session by session.
 */
final class SessionSender {
    /** A piece of at least this many bytes is sent. */
    private static final int PIECE_BYTES = 1 << 20;

    private static final int MAX_IN_FLIGHT = 64;
    private static final int MAX_NAMED = 20;

    private final CommandGateway gateway;
    private final ImportTarget place;
    private final UUID importId;
    private final String user;
    private final RecordSerde<TurnEvent> serde = RecordSerde.of(TurnEvent.class);
    private final Tickets tickets = new Tickets();
    private final List<String> refused = new ArrayList<>();

    private @Nullable RecordKey session;
    private @Nullable Relocation relocation;
    private List<TurnEvent> events = new ArrayList<>();
    private int weight;
    private int piece;
    private boolean taken;

    /** @param user who imports */
    SessionSender(CommandGateway gateway, ImportTarget place, UUID importId, String user) {
        this.gateway = gateway;
        this.place = place;
        this.importId = importId;
        this.user = user;
    }

    /** The next event, as archived. */
    void take(TurnEvent old) throws IOException, ArchiveException {
        RecordKey key = old.meta().key();
        Relocation moving = relocation;
        if (moving == null || !key.equals(session)) {
            endSession();
            session = key;
            moving = new Relocation(place, key);
            relocation = moving;
        }
        TurnEvent event = moving.move(old);
        int more = serde.serializer().serialize("an import", event).length;
        if (!events.isEmpty() && weight + more > PIECE_BYTES) {
            send(false);
        }
        events.add(event);
        weight += more;
    }

    private void endSession() throws IOException, ArchiveException {
        if (!events.isEmpty()) {
            send(true);
        }
        piece = 0;
    }

    private void send(boolean last) throws IOException, ArchiveException {
        RecordKey to = events.getFirst().meta().key();
        UUID id = Ids.of("import", importId, to, piece);
        var meta = new CommandMeta(id, place.host(), Instant.now(), user, gateway.outcomePartition(), null);
        tickets.add(
                gateway.send(to, new ImportSession(meta, Ids.of(importId, to), piece, piece + (last ? 1 : 2), events)));
        piece++;
        events = new ArrayList<>();
        weight = 0;
        while (tickets.size() > (taken ? MAX_IN_FLIGHT : 0)) {
            awaitFirst();
        }
    }

    private void awaitFirst() throws IOException, ArchiveException {
        if (tickets.next() instanceof Outcome.Refused no) {
            refused(no);
        }
        taken = true;
    }

    /** Where even the first session is refused, the project already has sessions. */
    private void refused(Outcome.Refused no) throws ArchiveException {
        if (!taken) {
            throw new ArchiveException(
                    "project_in_use",
                    "Nothing was imported: the session '%s' of the project '%s': %s. Import the archive as a new project."
                            .formatted(no.key().session(), no.key().project(), no.message()));
        }
        if (refused.size() < MAX_NAMED) {
            refused.add(no.key().session() + " (" + no.code() + ": " + no.message() + ")");
        }
    }

    /** Sends the rest and waits for all outcomes. */
    void end() throws IOException, ArchiveException {
        endSession();
        while (tickets.size() > 0) {
            awaitFirst();
        }
    }

    /** Some of the refused sessions, and why. */
    List<String> refused() {
        return refused;
    }
}
