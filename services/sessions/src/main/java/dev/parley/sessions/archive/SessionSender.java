package dev.parley.sessions.archive;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.turn.history.Relocation;
import dev.parley.platform.serde.RecordSerde;
import java.io.IOException;
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
    private static final int MAX_REPORTED = 20;

    private final ImportCommands commands;
    private final RecordSerde<TurnEvent> serde = RecordSerde.of(TurnEvent.class);
    private final CommandsInFlight inFlight = new CommandsInFlight();
    private final List<String> refused = new ArrayList<>();

    private @Nullable RecordKey session;
    private @Nullable Relocation relocation;
    private List<TurnEvent> events = new ArrayList<>();
    private int bytes;
    private int piece;
    private boolean hasOutcome;

    SessionSender(ImportCommands commands) {
        this.commands = commands;
    }

    /** Adds the next event, as archived. */
    void add(TurnEvent archived) throws IOException, ArchiveException {
        RecordKey key = archived.meta().key();
        Relocation current = relocation;
        if (current == null || !key.equals(session)) {
            endSession();
            session = key;
            current = new Relocation(commands.target(), key);
            relocation = current;
        }
        TurnEvent event = current.move(archived);
        int size = serde.serializer().serialize("an import", event).length;
        if (!events.isEmpty() && bytes + size > PIECE_BYTES) {
            send(false);
        }
        events.add(event);
        bytes += size;
    }

    private void endSession() throws IOException, ArchiveException {
        if (!events.isEmpty()) {
            send(true);
        }
        piece = 0;
    }

    private void send(boolean last) throws IOException, ArchiveException {
        RecordKey to = events.getFirst().meta().key();
        UUID sessionImport = Ids.of(commands.importId(), to);
        int pieces = piece + (last ? 1 : 2); // at least one more follows
        var command = new ImportSession(commands.meta(to, piece), sessionImport, piece, pieces, events);
        inFlight.add(commands.gateway().send(to, command));
        piece++;
        events = new ArrayList<>();
        bytes = 0;
        while (inFlight.size() > (hasOutcome ? MAX_IN_FLIGHT : 0)) {
            awaitFirst();
        }
    }

    private void awaitFirst() throws IOException, ArchiveException {
        if (inFlight.next() instanceof Outcome.Refused refusal) {
            addRefused(refusal);
        }
        hasOutcome = true;
    }

    /** @throws ArchiveException where even the first session is refused: the project already has sessions */
    private void addRefused(Outcome.Refused refusal) throws ArchiveException {
        if (!hasOutcome) {
            throw new ArchiveException(
                    "project_in_use",
                    "Nothing was imported: the session '%s' of the project '%s': %s. Import the archive as a new project."
                            .formatted(refusal.key().session(), refusal.key().project(), refusal.message()));
        }
        if (refused.size() < MAX_REPORTED) {
            refused.add(refusal.key().session() + " (" + refusal.code() + ": " + refusal.message() + ")");
        }
    }

    /** Sends the rest and waits for all outcomes. */
    void end() throws IOException, ArchiveException {
        endSession();
        while (inFlight.size() > 0) {
            awaitFirst();
        }
    }

    /** Some of the refused sessions, each with the reason. */
    List<String> refusedSessions() {
        return refused;
    }
}
