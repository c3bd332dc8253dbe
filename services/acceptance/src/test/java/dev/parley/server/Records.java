package dev.parley.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.embedded.KafkaLogin;
import dev.parley.platform.embedded.LocalSignatures;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the records of topics. */
final class Records {
    private Records() {}

    /** Clients of the broker of a process that runs on a data folder, which sign what they write as it does. */
    static KafkaClients clients(Path data) {
        try {
            String bootstrap = new ObjectMapper()
                    .readTree(Files.readString(data.resolve("runtime.json")))
                    .path("kafka")
                    .asText();
            var security = TestServers.IN_CONTAINERS
                    ? Map.<String, String>of()
                    : KafkaLogin.read(data).clientSettings();
            return KafkaClients.of(bootstrap, security).signing(signatures(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Signs as the process does that runs on a data folder. */
    static RecordSignatures signatures(Path data) {
        return TestServers.IN_CONTAINERS
                ? Servers.signatures()
                : LocalSignatures.ofRunning(data, null).orElseThrow();
    }

    /** Writes the settings of clients to a file, for {@code PARLEY_KAFKA_SETTINGS}. */
    static Path settings(Path file, KafkaClients clients) {
        var properties = new Properties();
        properties.putAll(clients.security());
        try (var writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All committed records of a topic, in the order of each partition. */
    static List<ConsumerRecord<byte[], byte[]>> all(KafkaClients clients, String topic) {
        try (var consumer = clients.consumer("test", null, Map.of("isolation.level", "read_committed"))) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> endOffsets = consumer.endOffsets(partitions);
            var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            while (endOffsets.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            return records;
        }
    }
}
