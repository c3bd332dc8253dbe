package dev.parley.server.audit;

import dev.parley.domain.proof.FindingKind;
import dev.parley.domain.proof.ProofScope;
import dev.parley.domain.proof.RecordFact;
import dev.parley.domain.proof.TopicVerifier;
import dev.parley.domain.proof.VerificationReport;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.RememberedOutcomes;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Reads a range of the turn topics and verifies it. */
public final class TopicAudit {
    /** The delay after which expired outcomes are removed. */
    private static final Duration EXPIRY_DELAY = Duration.ofHours(1);

    private final KafkaClients clients;
    private final AuditRange range;
    private final ReadProgress progress;
    private final int inMemory;

    /** @param out for progress messages */
    public TopicAudit(KafkaClients clients, AuditRange range, PrintWriter out) {
        this(clients, range, out, FactFiles.IN_MEMORY);
    }

    TopicAudit(KafkaClients clients, AuditRange range, PrintWriter out, int inMemory) {
        this.clients = clients;
        this.range = range;
        this.progress = new ReadProgress(out);
        this.inMemory = inMemory;
    }

    /**
     * Runs the audit.
     *
     * @throws AuditException where brokers are unreachable, or retention has removed part of the range
     */
    public AuditResult run() throws AuditException, IOException {
        try (var topics = new TopicFacts(clients)) {
            topics.requireAll(List.of(Topics.TURN_COMMANDS, Topics.REPLIES), range.from(), range.now());
            AuditResult result = read(topics, range.readFrom());
            boolean hasOlderCommands = result.proved().findingCounts().containsKey(FindingKind.TURN_WITHOUT_MESSAGE)
                    && range.readFrom().isAfter(Instant.EPOCH);
            if (!hasOlderCommands) {
                return result;
            }
            progress.print("Some turns have no message in what was read: looking through all of turn-commands.");
            return read(topics, Instant.EPOCH);
        } catch (InterruptException e) {
            throw new IOException("interrupted", e);
        } catch (KafkaException e) {
            throw new AuditException("Kafka cannot be read: " + e.getMessage(), e);
        }
    }

    private AuditResult read(TopicFacts topics, Instant commandsFrom) throws IOException, AuditException {
        boolean store = topics.exists(FactReader.STORE);
        Map<String, Instant> startTimes = since(store, commandsFrom);
        var proved = new VerificationReport(range.maxFindings());
        var read = new TreeMap<String, Long>();
        try (var records = new TopicRange(clients, startTimes, (_, _) -> true);
                var files = new FactFiles(records.size(), inMemory)) {
            progress.print("Reading at most %,d records from %s on ...".formatted(records.size(), range.readFrom()));
            var facts = new FactReader(records.partitions());
            records.read(
                    record -> {
                        read.merge(record.topic(), 1L, Long::sum);
                        addInRange(facts.facts(record), files);
                    },
                    progress);
            Map<Integer, Long> delivered = topics.deliveredOffsets();
            files.prove(() -> new TopicVerifier(scope(store, delivered), proved));
        }
        return new AuditResult(range, proved, read, notes(store, topics.open(startTimes.keySet())));
    }

    /** The time from which each topic is read. */
    private Map<String, Instant> since(boolean store, Instant commandsFrom) {
        var startTimes = new HashMap<String, Instant>();
        for (Topic<?> topic : List.of(Topics.TURN_EVENTS, Topics.REPLIES, Topics.DEAD_LETTERS)) {
            startTimes.put(topic.name(), range.readFrom());
        }
        startTimes.put(Topics.TURN_COMMANDS.name(), commandsFrom);
        if (store) {
            startTimes.put(FactReader.STORE, commandsFrom);
        }
        return startTimes;
    }

    private void addInRange(List<RecordFact> facts, FactFiles files) throws IOException {
        for (RecordFact fact : facts) {
            if (range.session() == null || range.session().equals(fact.session())) {
                files.add(fact);
            }
        }
    }

    private ProofScope scope(boolean store, Map<Integer, Long> delivered) {
        return new ProofScope(range.from(), range.to(), range.now(), range.grace(), outcomesSince(store), delivered);
    }

    private @Nullable Instant outcomesSince(boolean store) {
        return store ? range.now().minus(RememberedOutcomes.REMEMBERED).plus(EXPIRY_DELAY) : null;
    }

    private static List<String> notes(boolean store, long open) {
        var notes = new ArrayList<String>();
        if (!store) {
            notes.add("The topic " + FactReader.STORE
                    + " does not exist: refused commands cannot be told from lost ones, and are not judged.");
        }
        if (open > 0) {
            notes.add("%,d records follow open transactions, and were not read.".formatted(open));
        }
        return notes;
    }
}
