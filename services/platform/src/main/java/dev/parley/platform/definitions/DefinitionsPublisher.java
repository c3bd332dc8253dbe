package dev.parley.platform.definitions;

import dev.parley.domain.Ids;
import dev.parley.domain.definition.Definition;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Publishes definitions and waits until they are acknowledged. Publishing is idempotent. */
public final class DefinitionsPublisher {
    private static final long SECONDS = 30;

    private final KafkaClients clients;

    public DefinitionsPublisher(KafkaClients clients) {
        this.clients = clients;
    }

    /**
     * Publishes definitions of the installation, and deletes others.
     *
     * @param deleted keys of deleted definitions
     * @throws IllegalStateException if they are not acknowledged
     */
    public void publish(List<? extends Definition> definitions, List<String> deleted) {
        publish(CatalogueScope.INSTALLATION, definitions, deleted);
    }

    /**
     * Publishes definitions, and deletes others.
     *
     * @param scope of the definitions
     * @param deleted keys of deleted definitions
     * @throws IllegalStateException if they are not acknowledged
     */
    public void publish(CatalogueScope scope, List<? extends Definition> definitions, List<String> deleted) {
        if (definitions.isEmpty() && deleted.isEmpty()) {
            return;
        }
        try (var producer = clients.producer("definitions-publisher")) {
            var sent = new ArrayList<Future<RecordMetadata>>();
            definitions.forEach(definition -> sent.add(producer.send(record(scope.key(definition), definition))));
            deleted.forEach(key -> sent.add(producer.send(RecordCodec.tombstone(Topics.DEFINITIONS, key))));
            for (Future<RecordMetadata> future : sent) {
                future.get(SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("definitions could not be published: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while publishing definitions", e);
        }
    }

    private static ProducerRecord<byte[], byte[]> record(String key, Definition definition) {
        UUID id = Ids.of("definition", key, definition);
        return RecordCodec.record(Topics.DEFINITIONS, key, definition, id, null);
    }
}
