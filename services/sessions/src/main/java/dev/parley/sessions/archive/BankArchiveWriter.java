package dev.parley.sessions.archive;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.platform.serde.RecordFiles.Encoded;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Writes the memory events of a project up to an instant: bank by bank, each in order. Branches are left out. */
final class BankArchiveWriter implements AutoCloseable {
    private final RecordFiles<MemoryEvent> files = RecordFiles.of(MemoryEvent.class);
    private final EntryWriter<MemoryEvent> entries;
    private final Predicate<BankRef> selected;
    private final Set<String> people = new HashSet<>();
    private byte[] bank = {};
    private long banks;
    private long order;

    /** @param selected which banks are written */
    BankArchiveWriter(ArchiveWriter archive, Predicate<BankRef> selected) {
        this.entries = new EntryWriter<>(files, archive, Archive.MEMORY);
        this.selected = bank -> bank.branch() == null && selected.test(bank);
    }

    /**
     * Reads the topic and writes the events found.
     *
     * @param asOf an earlier time: later events are left out
     * @param folder for sorted runs that exceed the memory limit
     */
    void write(KafkaClients clients, String project, Instant asOf, Path folder, long maxInMemory) throws IOException {
        try (var rows = new EventSorter(folder, maxInMemory)) {
            new TopicSlice<>(clients, Topics.MEMORY_EVENTS, project).read(Duration.ZERO, (record, key, seq, event) -> {
                if (event == null) {
                    rows.add(new EventRow(key, seq, order++, false, null)); // a tombstone removes its event
                } else if (!event.meta().at().isAfter(asOf)
                        && selected.test(event.meta().bank())) {
                    rows.add(new EventRow(
                            key, seq, order++, false, files.encode(event, record.headers(), record.value())));
                }
            });
            rows.mergeTo(this::add);
        }
    }

    private void add(EventRow row) throws IOException {
        Encoded event = row.event();
        if (event == null) {
            return;
        }
        if (!Arrays.equals(row.session(), bank)) {
            bank = row.session();
            banks++;
            entries.begin();
            String user = files.decode(event).meta().bank().user();
            if (user != null) {
                people.add(user);
            }
        }
        entries.add(event);
    }

    /** Number of banks written. */
    long banks() {
        return banks;
    }

    /** Ids of the users that own these banks. */
    Set<String> people() {
        return people;
    }

    /** Number of documents written, each version once. */
    long documents() {
        return entries.count(DocumentRetained.class);
    }

    @Override
    public void close() throws IOException {
        entries.close();
    }
}
