package dev.parley.bench;

import dev.parley.platform.kafka.KafkaClients;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Records, transaction markers included, and bytes of every topic, Kafka's own among them. */
record TopicTraffic(Map<String, Long> records, Map<String, Long> bytes) {
    static TopicTraffic now(KafkaClients clients) throws InterruptedException {
        try (Admin admin = clients.admin("bench-traffic")) {
            return new TopicTraffic(records(admin), bytes(admin));
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topics could not be measured", e.getCause());
        }
    }

    private static Map<String, Long> records(Admin admin) throws ExecutionException, InterruptedException {
        var names = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        Map<TopicPartition, OffsetSpec> ends = admin.describeTopics(names).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream().map(part -> partition(topic, part.partition())))
                .collect(Collectors.toMap(partition -> partition, _ -> OffsetSpec.latest()));
        var records = new HashMap<String, Long>();
        admin.listOffsets(ends)
                .all()
                .get()
                .forEach((partition, end) -> records.merge(partition.topic(), end.offset(), Long::sum));
        return records;
    }

    private static TopicPartition partition(TopicDescription topic, int number) {
        return new TopicPartition(topic.name(), number);
    }

    private static Map<String, Long> bytes(Admin admin) throws ExecutionException, InterruptedException {
        int broker = admin.describeCluster().nodes().get().iterator().next().id();
        var bytes = new HashMap<String, Long>();
        admin.describeLogDirs(List.of(broker)).allDescriptions().get().values().stream()
                .flatMap(folders -> folders.values().stream())
                .forEach(folder -> folder.replicaInfos()
                        .forEach((partition, log) -> bytes.merge(partition.topic(), log.size(), Long::sum)));
        return bytes;
    }

    /**
     * Prints the records and bytes per turn of each topic since {@code before}, without topics of less than 0.01
     * records.
     */
    void printSince(TopicTraffic before, int turns) {
        var perTurn = new TreeMap<String, Double>();
        records.forEach((topic, end) -> {
            double rate = (end - before.records.getOrDefault(topic, 0L)) / (double) turns;
            if (rate >= 0.01) {
                perTurn.put(topic, rate);
            }
        });
        double records =
                perTurn.values().stream().mapToDouble(Double::doubleValue).sum();
        double bytes = perTurn.keySet().stream()
                .mapToDouble(topic -> bytesSince(before, topic, turns))
                .sum();
        System.out.printf("    records and bytes a turn: %.1f, %,.0f%n", records, bytes);
        perTurn.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .forEach(topic -> System.out.printf(
                        "      %-36s %6.2f %9.0f%n",
                        topic.getKey(), topic.getValue(), bytesSince(before, topic.getKey(), turns)));
    }

    private double bytesSince(TopicTraffic before, String topic, int turns) {
        return (bytes.getOrDefault(topic, 0L) - before.bytes.getOrDefault(topic, 0L)) / (double) turns;
    }
}
