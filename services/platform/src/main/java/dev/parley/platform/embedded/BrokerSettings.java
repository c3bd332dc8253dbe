package dev.parley.platform.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** The configuration of the embedded broker: one node, broker and controller in one, small enough for a laptop. */
final class BrokerSettings {
    static final String CONTROLLER = "CONTROLLER";
    private static final String CLIENTS = "CLIENTS";
    private static final String HOST = "127.0.0.1";
    private static final int MIB = 1024 * 1024;

    private BrokerSettings() {}

    static Properties of(Path logFolder, int port, int controllerPort, KafkaLogin login) {
        var settings = new Properties();
        addresses(settings, logFolder, port, controllerPort);
        askForPassword(settings, login);
        setSingleReplica(settings);
        quickRestart(settings);
        small(settings);
        return settings;
    }

    /** Settings of the controller without the broker. */
    static Properties ofController(Path logFolder, int controllerPort, KafkaLogin login) {
        var settings = of(logFolder, 0, controllerPort, login);
        settings.put("process.roles", "controller");
        settings.put("listeners", "%s://%s:%d".formatted(CONTROLLER, HOST, controllerPort));
        settings.remove("advertised.listeners");
        settings.remove("inter.broker.listener.name");
        settings.put("listener.security.protocol.map", CONTROLLER + ":SASL_PLAINTEXT");
        return settings;
    }

    private static void addresses(Properties settings, Path logFolder, int port, int controllerPort) {
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("log.dirs", logFolder.toString());
        var listeners = "%5$s://%1$s:%2$d,%3$s://%1$s:%4$d".formatted(HOST, port, CONTROLLER, controllerPort, CLIENTS);
        settings.put("listeners", listeners);
        settings.put("advertised.listeners", CLIENTS + "://" + HOST + ":" + port);
        settings.put("listener.security.protocol.map", CLIENTS + ":SASL_PLAINTEXT," + CONTROLLER + ":SASL_PLAINTEXT");
        settings.put("inter.broker.listener.name", CLIENTS);
        settings.put("controller.listener.names", CONTROLLER);
        settings.put("controller.quorum.voters", "1@" + HOST + ":" + controllerPort);
    }

    /** Both listeners: whoever reaches that of the controller could delete topics. */
    private static void askForPassword(Properties settings, KafkaLogin login) {
        settings.put("sasl.enabled.mechanisms", "PLAIN");
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put("sasl.mechanism.controller.protocol", "PLAIN");
        for (String listener : List.of(CLIENTS, CONTROLLER)) {
            settings.put(
                    "listener.name." + listener.toLowerCase(Locale.ROOT) + ".plain.sasl.jaas.config",
                    login.listenerSettings());
        }
    }

    private static void setSingleReplica(Properties settings) {
        settings.put("default.replication.factor", "1");
        settings.put("min.insync.replicas", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "8");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("share.coordinator.state.topic.num.partitions", "1");
    }

    private static void quickRestart(Properties settings) {
        // After kill -9 the controller waits until the old registration of this broker expires (default 9 s).
        // Not lower: a disk that stalls for a second made the broker fence itself.
        settings.put("broker.session.timeout.ms", "2000");
        settings.put("broker.heartbeat.interval.ms", "400");
        settings.put("group.initial.rebalance.delay.ms", "0");
        // Interval of the check for expired transactions; by default those of a killed process stay open for 10 s more.
        settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
        // A transaction right after another is rejected at first; the default backoff is 20 ms.
        settings.put("add.partitions.to.txn.retry.backoff.ms", "1");
    }

    private static void small(Properties settings) {
        settings.put("auto.create.topics.enable", "false");
        settings.put("message.max.bytes", Integer.toString(10 * MIB));
        settings.put("replica.fetch.max.bytes", Integer.toString(10 * MIB));
        // Each partition preallocates two indexes (default 10 MiB each); 1 MiB still serves segments of 350 MB.
        settings.put("log.index.size.max.bytes", Integer.toString(MIB));
        settings.put("log.cleaner.backoff.ms", "1000"); // so that erased records leave the log soon
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 * MIB));
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        // A record of the quorum that says nothing, twice a second by default; it is for followers, of which there are
        // none.
        settings.put("metadata.max.idle.interval.ms", "0");
    }
}
