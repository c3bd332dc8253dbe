package dev.parley.workflows.broker;

import dev.parley.platform.config.BrokersConfig;
import dev.parley.platform.config.BrokersConfig.Broker;
import dev.parley.platform.config.secret.BrokerSecrets;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.power.PowerGrants;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.Producer;

/** Allow-list of external Kafka brokers, with their client settings. */
public final class Brokers implements AutoCloseable {
    private static final String CLIENT = "parley-workflows";
    private static final String STANDARD_PORT = ":9092";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final List<Broker> listed;
    private final PowerGrants powers;
    private final BrokerSecrets secrets;
    private final Map<Broker, Producer<byte[], byte[]>> producers = new HashMap<>();
    private boolean closed;

    public Brokers(BrokersConfig config, PowerGrants powers, Map<String, String> environment) {
        this.powers = powers;
        listed = config.brokers();
        secrets = BrokerSecrets.of(config, environment);
    }

    /**
     * The broker that has all these servers; empty if there is none, or it is not granted.
     *
     * @param servers comma-separated {@code host:port}; the default port is 9092
     * @param scope the host or project that wants to use it
     */
    public Optional<Broker> find(String servers, CatalogueScope scope) {
        List<String> requested = List.of(servers.toLowerCase(Locale.ROOT).split(",")).stream()
                .map(String::strip)
                .map(server -> server.matches(".*:\\d+") ? server : server + STANDARD_PORT)
                .toList();
        return listed.stream()
                .filter(broker -> broker.servers().containsAll(requested) && powers.allows(broker.power(), scope))
                .findFirst();
    }

    /**
     * Clients of a broker.
     *
     * @throws dev.parley.platform.config.secret.Secrets.MissingException if a secret is missing
     */
    public KafkaClients clients(Broker broker) {
        return KafkaClients.of(broker.bootstrap(), secrets.properties(broker));
    }

    /** The shared producer of a broker. */
    public synchronized Producer<byte[], byte[]> producer(Broker broker) {
        if (closed) {
            throw new IllegalStateException("the brokers are closed");
        }
        return producers.computeIfAbsent(broker, key -> clients(key).producer(CLIENT));
    }

    /** Discards a failed producer. */
    public void discard(Broker broker, Producer<byte[], byte[]> broken) {
        boolean removed;
        synchronized (this) {
            removed = producers.remove(broker, broken);
        }
        if (removed) {
            broken.close(Duration.ZERO);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        producers.values().forEach(producer -> producer.close(CLOSE_TIMEOUT));
        producers.clear();
    }
}
