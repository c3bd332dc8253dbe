package dev.parley.server;

import dev.parley.platform.config.ConfigReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Starts instances in this process. */
final class Instances {
    private Instances() {}

    /**
     * An instance with a broker and a database of its own.
     *
     * @param data its folder, beside its {@code parley.yml}, if any
     */
    static Instance start(Path data) {
        return start(environment(data));
    }

    static Instance start(Map<String, String> environment) {
        return Instance.start(ConfigReader.read(environment));
    }

    /** The environment of {@link #start(Path)}. */
    static Map<String, String> environment(Path data) {
        var environment = new HashMap<>(servers(data));
        environment.put("PARLEY_DATA", data.toString());
        environment.put("PARLEY_CONFIG", data.resolveSibling("parley.yml").toString());
        environment.put("PARLEY_PORT", "0");
        return environment;
    }

    /** With which servers a process on this folder works: nothing if it embeds its own, else those in containers. */
    static Map<String, String> servers(Path data) {
        if (!TestServers.IN_CONTAINERS) {
            return Map.of();
        }
        ContainerServers servers = ContainerServers.of(data);
        Path kafkaSettings = data.resolveSibling(data.getFileName() + "-kafka.properties");
        var environment = new HashMap<>(Servers.connections(
                servers.clients(), servers.database(), Records.settings(kafkaSettings, servers.clients())));
        environment.put("PARLEY_MASTER_KEY", Servers.MASTER_KEY);
        environment.put("PARLEY_INSTALLATION_KEY", Servers.INSTALLATION_KEY);
        environment.put("PARLEY_PARTITIONS", "2"); // as an embedded broker has
        return environment;
    }
}
