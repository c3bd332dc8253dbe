package dev.parley.bench;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Request counts of the embedded broker, by type. */
record BrokerRequests(Map<String, Long> counts) {
    /** Kafka counts each fetch under {@code Fetch}, and once more under one of these. */
    private static final Set<String> SUBSETS_OF_FETCH = Set.of("FetchConsumer", "FetchFollower");

    /** Returns the broker's counts so far, by the name of the request, such as {@code Produce}. */
    static BrokerRequests now() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        var counts = new TreeMap<String, Long>();
        try {
            for (ObjectName name :
                    beans.queryNames(new ObjectName("kafka.network:type=RequestMetrics,name=RequestsPerSec,*"), null)) {
                String request = name.getKeyProperty("request");
                if (!SUBSETS_OF_FETCH.contains(request)) {
                    counts.merge(request, (Long) beans.getAttribute(name, "Count"), Long::sum);
                }
            }
        } catch (JMException e) {
            throw new IllegalStateException("the broker's counts could not be read", e);
        }
        return new BrokerRequests(counts);
    }

    /** The request types with at least 0.01 requests per turn, the most frequent first. */
    String perTurnSince(BrokerRequests before, int turns) {
        return counts.entrySet().stream()
                .map(entry -> Map.entry(
                        entry.getKey(),
                        (entry.getValue() - before.counts.getOrDefault(entry.getKey(), 0L)) / (double) turns))
                .filter(entry -> entry.getValue() >= 0.01)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .map(entry -> "%s %.2f".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }
}
