package dev.parley.platform.health;

import dev.parley.platform.kafka.KafkaClients;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.jspecify.annotations.Nullable;

/** Readiness of the brokers. */
@Singleton
@Requires(beans = KafkaClients.class)
final class KafkaReadiness implements Readiness, AutoCloseable {
    private static final int TIMEOUT_MILLIS = 1_500;

    private final KafkaClients clients;
    private final Probe probe = new Probe(this::check);
    private @Nullable Admin admin;

    KafkaReadiness(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Optional<String> problem() {
        return probe.problem();
    }

    private Optional<String> check() {
        try {
            admin().describeCluster(new DescribeClusterOptions().timeoutMs(TIMEOUT_MILLIS))
                    .clusterId()
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of("the brokers do not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    private synchronized Admin admin() {
        Admin opened = admin == null ? clients.admin("health") : admin;
        admin = opened;
        return opened;
    }

    @Override
    @PreDestroy
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
        }
    }
}
